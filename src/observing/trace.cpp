// The trace: events of each thread, in memory until the end, then written in Chrome's Trace Event Format, which ui.perfetto.dev opens.
//
// Memory is bounded: a thread keeps so many events, and when there are more it forgets the shorter half, and from then on all that are as short. What is
// left is what can be seen on a screen. Of steals, which have no length, it keeps the latest.
#include "trace.hpp"

#include "../system/environment.hpp"
#include "site.hpp"

#include <furca/version.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include <sys/syscall.h>
#include <unistd.h>

namespace furca::detail {

namespace {

struct Slice {
  std::uint64_t began;
  std::uint64_t length;
  const Site* site;  // null: of no call
  TraceEvent event;
};

struct Robbery {
  std::uint64_t at;
  std::uint64_t victim;
};

constexpr std::size_t kSlices = 65'536;    // a thread: 2 MiB
constexpr std::size_t kRobberies = 16'384;  // a thread: 256 KiB
constexpr std::size_t kThreads = 1'024;     // in all; those that come later are not traced

/// One thread's events. Never freed: they are written when the thread may be gone.
class ThreadTrace {
 public:
  explicit ThreadTrace(std::size_t number) : number_(number) {
    slices_.reserve(kSlices);
    robberies_.reserve(kRobberies);
  }

  void add(const Slice& slice) noexcept {
    const std::lock_guard lock(mutex_);
    if (slice.length < shortest_) {
      ++forgotten_;
      return;
    }
    if (slices_.size() == kSlices) forget_shorter_half();
    slices_.push_back(slice);
  }

  void add(const Robbery& robbery) noexcept {
    const std::lock_guard lock(mutex_);
    if (robberies_.size() < kRobberies) {
      robberies_.push_back(robbery);
    } else {
      robberies_[oldest_++ % kRobberies] = robbery;
      ++forgotten_;
    }
  }

  void name(const char* name) noexcept {
    const std::lock_guard lock(mutex_);
    std::snprintf(name_, sizeof name_, "%s", name);
  }

  /// Calls visit(number, name, slices, robberies, forgotten).
  template <class Visit>
  void read(Visit visit) {
    const std::lock_guard lock(mutex_);
    visit(number_, name_, slices_, robberies_, forgotten_);
  }

  ThreadTrace* next = nullptr;

 private:
  void forget_shorter_half() noexcept {
    const auto middle = slices_.begin() + kSlices / 2;
    std::nth_element(slices_.begin(), middle, slices_.end(), [](const Slice& a, const Slice& b) { return a.length > b.length; });
    shortest_ = middle->length + 1;
    forgotten_ += static_cast<std::uint64_t>(slices_.end() - middle);
    slices_.erase(middle, slices_.end());
  }

  std::mutex mutex_;
  const std::size_t number_;
  char name_[32] = "";
  std::vector<Slice> slices_;
  std::vector<Robbery> robberies_;
  std::size_t oldest_ = 0;
  std::uint64_t shortest_ = 0;
  std::uint64_t forgotten_ = 0;
};

constinit std::mutex traces_mutex;  // guards what follows
constinit ThreadTrace* traces = nullptr;
constinit std::size_t thread_count = 0;

// Set before the first call of any thread.
constinit std::FILE* file = nullptr;
constinit char file_name[4096] = "";
constinit std::uint64_t began_ticks = 0;
constinit std::uint64_t began_ns = 0;

constinit std::atomic<bool> tracing{false};  // no more at exit, when other threads may still run

constinit thread_local ThreadTrace* this_trace = nullptr;

/// The calling thread's; null: there are too many, or there is no memory.
ThreadTrace* trace_of_thread() noexcept {
  if (this_trace != nullptr) return this_trace;
  const std::lock_guard lock(traces_mutex);
  if (thread_count == kThreads) return nullptr;
  try {
    this_trace = new ThreadTrace(thread_count + 1);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  ++thread_count;
  this_trace->next = traces;
  traces = this_trace;
#if defined(__linux__)
  if (syscall(SYS_gettid) == getpid()) this_trace->name("main thread");
#endif
  return this_trace;
}

const char* name_of(TraceEvent event) noexcept {
  switch (event) {
    case TraceEvent::join: return "join";
    case TraceEvent::loop: return "loop";
    case TraceEvent::reduction: return "reduction";
    case TraceEvent::scope: return "scope";
    case TraceEvent::part: return "part of";
    case TraceEvent::task: return "task";
    case TraceEvent::asleep: return "asleep";
  }
  return "";
}

/// How many bytes the character of UTF-8 that begins here has; 0: none does, as where a name was cut.
std::size_t length_of_character(const char* text) noexcept {
  const auto lead = static_cast<unsigned char>(*text);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80) return 0;
  return length;
}

/// A string of JSON, with its quotes.
void print_string(const char* text) noexcept {
  std::fputc('"', file);
  for (; *text != '\0'; ++text) {
    const auto byte = static_cast<unsigned char>(*text);
    if (byte >= 0x80) {
      const std::size_t length = length_of_character(text);
      if (length == 0) {
        std::fputc('?', file);
        continue;
      }
      std::fwrite(text, 1, length, file);
      text += length - 1;
    } else if (byte == '"' || byte == '\\') {
      std::fprintf(file, "\\%c", byte);
    } else if (byte < 0x20) {
      std::fprintf(file, "\\u%04x", byte);
    } else {
      std::fputc(byte, file);
    }
  }
  std::fputc('"', file);
}

/// Microseconds with three decimals and a point, whatever the program's locale has.
void print_microseconds(const char* key, double microseconds) noexcept {
  const auto ns = static_cast<std::uint64_t>(std::llround(std::abs(microseconds) * 1000));
  std::fprintf(file, ",\"%s\":%s%" PRIu64 ".%03u", key, microseconds < 0 ? "-" : "", ns / 1000, static_cast<unsigned>(ns % 1000));
}

void print_slice(const Slice& slice, std::size_t thread, double per_microsecond) {
  const Site* const site = slice.site != nullptr && slice.site->line != 0 ? slice.site : nullptr;
  char name[160];
  if (site != nullptr) {
    std::snprintf(name, sizeof name, "%s %s:%" PRIu32, name_of(slice.event), site->file_name(), site->line);
  } else {
    std::snprintf(name, sizeof name, "%s", name_of(slice.event));
  }
  std::fprintf(file, ",\n{\"ph\":\"X\",\"pid\":%ld,\"tid\":%zu", static_cast<long>(getpid()), thread);
  print_microseconds("ts", static_cast<double>(static_cast<std::int64_t>(slice.began - began_ticks)) / per_microsecond);
  print_microseconds("dur", static_cast<double>(slice.length) / per_microsecond);
  std::fprintf(file, ",\"cat\":\"furca\",\"name\":");
  print_string(name);
  if (site != nullptr) {
    std::fprintf(file, ",\"args\":{\"file\":");
    print_string(site->file);
    std::fprintf(file, ",\"line\":%" PRIu32 ",\"function\":", site->line);
    print_string(site->function);
    std::fputc('}', file);
  }
  std::fputc('}', file);
}

void write_trace() {
  const std::uint64_t ns = steady_ticks() - began_ns;
  const double per_microsecond = ns == 0 ? 1 : static_cast<double>(ticks() - began_ticks) * 1000 / static_cast<double>(ns);
  const auto pid = static_cast<long>(getpid());
  std::size_t events = 0;
  std::uint64_t forgotten = 0;
  std::fprintf(file, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":%ld,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"furca\"}}", pid);
  const std::lock_guard lock(traces_mutex);
  for (ThreadTrace* trace = traces; trace != nullptr; trace = trace->next) {
    trace->read([&](std::size_t number, const char* name, const auto& slices, const auto& robberies, std::uint64_t lost) {
      char unnamed[32];
      std::snprintf(unnamed, sizeof unnamed, "thread %zu", number);
      std::fprintf(file, ",\n{\"ph\":\"M\",\"pid\":%ld,\"tid\":%zu,\"name\":\"thread_name\",\"args\":{\"name\":", pid, number);
      print_string(*name != '\0' ? name : unnamed);
      std::fprintf(file, "}}");
      for (const Slice& slice : slices) print_slice(slice, number, per_microsecond);
      for (const Robbery& robbery : robberies) {
        std::fprintf(file, ",\n{\"ph\":\"i\",\"s\":\"t\",\"pid\":%ld,\"tid\":%zu", pid, number);
        print_microseconds("ts", static_cast<double>(static_cast<std::int64_t>(robbery.at - began_ticks)) / per_microsecond);
        std::fprintf(file, ",\"cat\":\"furca\",\"name\":\"steal\",\"args\":{\"from\":%" PRIu64 "}}", robbery.victim);
      }
      events += slices.size() + robberies.size();
      forgotten += lost;
    });
  }
  std::fprintf(file, "\n],\"otherData\":{\"furca\":\"" FURCA_VERSION_STRING "\",\"forgotten\":\"%" PRIu64 "\"}}\n", forgotten);
  const bool failed = std::ferror(file) != 0;
  if (std::fclose(file) != 0 || failed) return warn("FURCA_TRACE: could not write all of the trace", file_name);
  std::fprintf(stderr, "furca: %s has the trace: %zu events%s; open it in https://ui.perfetto.dev or chrome://tracing\n", file_name, events,
               forgotten != 0 ? ", the shortest left out" : "");
}

}  // namespace

/// Programs that start others trace each into a file of its own.
bool open_trace(const char* pattern) noexcept {
  char number[24];
  std::snprintf(number, sizeof number, "%ld", static_cast<long>(getpid()));
  std::size_t length = 0;
  while (*pattern != '\0') {
    const bool is_number = pattern[0] == '%' && pattern[1] == 'p';
    const std::size_t more = is_number ? std::strlen(number) : 1;
    if (length + more >= sizeof file_name) {
      warn("FURCA_TRACE ignored: the file's name is too long");
      return false;
    }
    std::memcpy(file_name + length, is_number ? number : pattern, more);
    length += more;
    pattern += is_number ? 2 : 1;
  }
  file = std::fopen(file_name, "we");
  if (file == nullptr) {
    std::fprintf(stderr, "furca: FURCA_TRACE=%s ignored: %s\n", file_name, std::strerror(errno));
    return false;
  }
  began_ticks = ticks();
  began_ns = steady_ticks();
  tracing.store(true, std::memory_order_relaxed);
  return true;
}

void close_trace() noexcept {
  if (file == nullptr) return;
  tracing.store(false, std::memory_order_relaxed);
  write_trace();
  file = nullptr;
}

void abandon_trace() noexcept {
  tracing.store(false, std::memory_order_relaxed);
  file = nullptr;
  this_trace = nullptr;
}

void trace_event(TraceEvent event, std::uint64_t began, std::uint64_t ended, const Site* site) noexcept {
  if (!tracing.load(std::memory_order_relaxed)) return;
  if (ThreadTrace* const trace = trace_of_thread()) trace->add(Slice{began, ended > began ? ended - began : 0, site, event});
}

void trace_steal(std::size_t victim) noexcept {
  if (!tracing.load(std::memory_order_relaxed)) return;
  if (ThreadTrace* const trace = trace_of_thread()) trace->add(Robbery{ticks(), victim});
}

void trace_thread_name(const char* name) noexcept {
  if (!tracing.load(std::memory_order_relaxed)) return;
  if (ThreadTrace* const trace = trace_of_thread()) trace->name(name);
}

}  // namespace furca::detail
