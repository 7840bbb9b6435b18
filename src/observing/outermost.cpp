#include "outermost.hpp"

#include "site.hpp"

#include <furca/detail/measuring/clock.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstddef>
#include <cstdio>
#include <mutex>

namespace furca::detail {

namespace {

/// All outermost calls from one place.
struct CallSite {
  const Site* site;
  std::uint64_t calls;
  std::uint64_t elapsed;
  std::uint64_t capacity;  // elapsed, times the threads of the pool
  std::uint64_t work;
  Path longest;  // of all calls, one after the other
};

constexpr std::size_t kPlaces = 256;  // those that come later are counted with the last one
constinit std::mutex places_mutex;    // guards what follows
constinit CallSite places[kPlaces] = {};
constinit std::size_t place_count = 0;

void print_site(const Site& site) noexcept {
  if (site.line != 0) {
    std::fprintf(stderr, "%s:%" PRIu32, site.file_name(), site.line);
  } else {
    std::fprintf(stderr, "(line not known)");
  }
}

}  // namespace

void outermost_ended(const Site* site, std::uint64_t elapsed, std::uint64_t threads,
                     std::uint64_t work, const Path& path) noexcept {
  const std::lock_guard lock(places_mutex);
  CallSite* const end = places + place_count;
  CallSite* place =
      std::find_if(places, end, [&](const CallSite& known) { return known.site == site; });
  if (place == end) {
    if (place_count == kPlaces) {
      --place;
    } else {
      ++place_count;
      place->site = site;
      place->longest.clear();
    }
  }
  ++place->calls;
  place->elapsed += elapsed;
  place->capacity += elapsed * threads;
  place->work += work;
  std::uint64_t unlisted = path.length;  // what the path had no room for
  for (std::uint32_t i = 0; i < path.used; ++i) {
    place->longest.add(path.places[i].site, path.places[i].length);
    unlisted -= path.places[i].length;
  }
  place->longest.length += unlisted;
}

OutermostSums outermost_sums() noexcept {
  const std::lock_guard lock(places_mutex);
  OutermostSums sums;
  for (const CallSite* place = places; place != places + place_count; ++place) {
    sums.elapsed += place->elapsed;
    sums.work += place->work;
    sums.span += place->longest.length;
  }
  return sums;
}

void print_spans() noexcept {
  const std::lock_guard lock(places_mutex);
  if (place_count == 0) return;
  std::sort(places, places + place_count,
            [](const CallSite& a, const CallSite& b) { return a.elapsed > b.elapsed; });
  const double per_millisecond = 1000.0 * static_cast<double>(ticks_per_microsecond());
  const auto ratio = [](std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
  };
  std::fprintf(stderr,
               "furca: work and span, in ms; parallelism is work / span: so many times as fast as "
               "on one thread a call can be, on any number of them\n");
  std::fprintf(stderr,
               "furca: used is work / elapsed; lost is the share of the threads' time that was no "
               "work. How fast the plain serial code is, only a run of it tells\n");
  std::fprintf(stderr, "furca: %10s %12s %12s %12s %11s %9s %7s  %s\n", "calls", "elapsed", "work",
               "span", "parallelism", "used", "lost", "call, and what the span consists of");
  for (std::size_t i = 0; i < place_count; ++i) {
    const CallSite& place = places[i];
    std::fprintf(stderr, "furca: %10" PRIu64 " %12.3f %12.3f %12.3f %11.2f %9.2f %5.0f %%  %s ",
                 place.calls, static_cast<double>(place.elapsed) / per_millisecond,
                 static_cast<double>(place.work) / per_millisecond,
                 static_cast<double>(place.longest.length) / per_millisecond,
                 ratio(place.work, place.longest.length), ratio(place.work, place.elapsed),
                 100 * std::max(0.0, 1 - ratio(place.work, place.capacity)), place.site->call);
    print_site(*place.site);
    if (const Path::Place* const most = place.longest.longest()) {
      std::fprintf(stderr, ": %.0f %% in ", 100 * ratio(most->length, place.longest.length));
      print_site(*most->site);
    }
    std::fprintf(stderr, "\n");
  }
}

}  // namespace furca::detail
