// Strands, the calls that they belong to, and the table of the outermost calls.
#include "span.hpp"

#include "site.hpp"
#include "trace.hpp"

#include <furca/detail/atomics.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <mutex>

namespace furca::detail {

namespace {

constinit thread_local Strand* running = nullptr;  // whose clock goes on this thread

constinit std::uint64_t clock_cost = 0;  // ticks between two readings with nothing in between

/// All outermost calls from one place.
struct Place {
  const Site* site;
  Construct construct;
  std::uint64_t calls;
  std::uint64_t elapsed;
  std::uint64_t work;
  Path longest;  // of all calls, one after the other
};

constexpr std::size_t kPlaces = 256;  // those that come later are counted with the last one
constinit std::mutex places_mutex;    // guards what follows
constinit Place places[kPlaces] = {};
constinit std::size_t place_count = 0;

const char* name_of(Construct construct) noexcept {
  switch (construct) {
    case Construct::join: return "join";
    case Construct::loop: return "loop";
    case Construct::reduction: return "reduction";
    case Construct::scope: return "scope";
  }
  return "";
}

TraceEvent event_of(Construct construct) noexcept {
  switch (construct) {
    case Construct::join: return TraceEvent::join;
    case Construct::loop: return TraceEvent::loop;
    case Construct::reduction: return TraceEvent::reduction;
    case Construct::scope: return TraceEvent::scope;
  }
  return TraceEvent::part;
}

void outermost_ended(const Site* site, Construct construct, std::uint64_t elapsed, std::uint64_t work, const Path& path) noexcept {
  const std::lock_guard lock(places_mutex);
  Place* const end = places + place_count;
  Place* place = std::find_if(places, end, [&](const Place& known) { return known.site == site; });
  if (place == end) {
    if (place_count == kPlaces) {
      --place;
    } else {
      ++place_count;
      place->site = site;
      place->construct = construct;
      place->longest.clear();
    }
  }
  ++place->calls;
  place->elapsed += elapsed;
  place->work += work;
  std::uint64_t unlisted = path.length;  // what the path had no room for
  for (std::uint32_t i = 0; i < path.used; ++i) {
    place->longest.add(path.places[i].site, path.places[i].length);
    unlisted -= path.places[i].length;
  }
  place->longest.length += unlisted;
}

void print_site(const Site& site) noexcept {
  if (site.line != 0) {
    std::fprintf(stderr, "%s:%" PRIu32, site.file_name(), site.line);
  } else {
    std::fprintf(stderr, "(a join of many arms)");
  }
}

}  // namespace

/// Where there is no more room the shortest makes way for a longer one.
void Path::add(const Site* site, std::uint64_t ticks) noexcept {
  length += ticks;
  Place* const end = places + used;
  Place* place = std::find_if(places, end, [&](const Place& known) { return known.site == site; });
  if (place == end) {
    if (used < kPlaces) {
      ++used;
    } else {
      place = std::min_element(places, end, [](const Place& a, const Place& b) { return a.length < b.length; });
      if (place->length >= ticks) return;
    }
    *place = {site, 0};
  }
  place->length += ticks;
}

const Path::Place* Path::longest() const noexcept {
  return used == 0 ? nullptr : std::max_element(places, places + used, [](const Place& a, const Place& b) { return a.length < b.length; });
}

Observed::Observed(Construct construct, const char* file, const char* function, std::uint32_t line, std::uint32_t column) noexcept
    : construct_(construct), site_(Site::of(file, function, line, column)), outer_(running), began_(ticks()) {
  if (outer_ != nullptr) {
    outer_->stop_clock();
    start_ = outer_->path_;
  } else {
    start_.clear();
  }
  longest_ = start_;
  running = nullptr;
}

Observed::~Observed() {
  const std::uint64_t now = ticks();
  trace_event(event_of(construct_), began_, now, site_);
  running = outer_;
  if (!observing) return;  // in a forked child
  if (outer_ != nullptr) {
    outer_->path_ = longest_;
    outer_->work_ += work_;
    outer_->start_clock();
  } else {
    outermost_ended(site_, construct_, now - began_, work_, longest_);
  }
}

void Strand::begin(const Path* from) noexcept {
  outer_ = running;
  if (outer_ != nullptr) outer_->stop_clock();
  running = this;
  work_ = 0;
  path_ = from != nullptr ? *from : call_->start_;
  start_clock();
}

void Strand::begin_after_all() noexcept {
  if (!observing) return begin(nullptr);
  lock(*call_);
  const Path longest = call_->longest_;
  unlock(*call_);
  begin(&longest);
}

/// Checked by: tests/trace_test.cpp ("observed or not, results and exceptions are the same")
void Strand::lock(Observed& call) noexcept {
  while (call.merging_.exchange(true, std::memory_order_acquire)) Atomics::yield();  // [O1] pairs with [O2]
}

void Strand::unlock(Observed& call) noexcept { call.merging_.exchange(false, std::memory_order_release); }  // [O2] pairs with [O1]

void Strand::end() noexcept {
  stop_clock();
  running = outer_;
  if (!observing) return;  // a forked child: the lock may have been held by a thread of its parent's
  lock(*call_);
  call_->work_ += work_;
  if (path_.length > call_->longest_.length) call_->longest_ = path_;
  unlock(*call_);
  if (outer_ != nullptr) outer_->start_clock();
}

void Strand::start_clock() noexcept { since_ = ticks(); }

void Strand::stop_clock() noexcept {
  const std::uint64_t passed = ticks() - since_;
  if (passed <= clock_cost) return;
  work_ += passed - clock_cost;
  path_.add(call_->site_, passed - clock_cost);
}

void Strand::path_to_here(Path& path) noexcept {
  if (running == nullptr) {
    path.clear();
    return;
  }
  running->stop_clock();
  path = running->path_;
  running->start_clock();
}

void Piece::begin() noexcept { began_ = ticks(); }

void Piece::end() noexcept { trace_event(TraceEvent::part, began_, ticks(), call_->site_); }

void calibrate_strands() noexcept {
  clock_cost = UINT64_MAX;
  for (int i = 0; i < 64; ++i) {
    const std::uint64_t before = ticks();
    clock_cost = std::min(clock_cost, ticks() - before);
  }
}

void print_spans() noexcept {
  const std::lock_guard lock(places_mutex);
  if (place_count == 0) return;
  std::sort(places, places + place_count, [](const Place& a, const Place& b) { return a.elapsed > b.elapsed; });
  const double per_millisecond = 1000.0 * static_cast<double>(ticks_per_microsecond());
  const auto ratio = [](std::uint64_t a, std::uint64_t b) { return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b); };
  std::fprintf(stderr, "furca: work and span, in ms; work / span is the largest speed-up that any number of threads could give\n");
  std::fprintf(stderr, "furca: %10s %12s %12s %12s %9s %9s  %s\n", "calls", "elapsed", "work", "span", "speed-up", "at most", "call, and what the span consists of");
  for (std::size_t i = 0; i < place_count; ++i) {
    const Place& place = places[i];
    std::fprintf(stderr, "furca: %10" PRIu64 " %12.3f %12.3f %12.3f %9.2f %9.2f  %s ", place.calls, static_cast<double>(place.elapsed) / per_millisecond,
                 static_cast<double>(place.work) / per_millisecond, static_cast<double>(place.longest.length) / per_millisecond,
                 ratio(place.work, place.elapsed), ratio(place.work, place.longest.length), name_of(place.construct));
    print_site(*place.site);
    if (const Path::Place* const most = place.longest.longest()) {
      std::fprintf(stderr, ": %.0f %% in ", 100 * ratio(most->length, place.longest.length));
      print_site(*most->site);
    }
    std::fprintf(stderr, "\n");
  }
}

}  // namespace furca::detail
