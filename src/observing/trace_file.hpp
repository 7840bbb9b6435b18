// The file of a trace: Chrome's Trace Event Format, which ui.perfetto.dev opens.
#pragma once

#include "trace.hpp"

#include <cstdio>
#include <span>

namespace furca::detail {

/// Something that lasted.
struct Slice {
  std::uint64_t began;  // in ticks
  std::uint64_t length;
  const Site* site;  // null: of no call
  Decision decision;
  TraceEvent event;
};

/// A steal, which has no length.
struct TracedSteal {
  std::uint64_t at;
  std::uint64_t victim;
};

/// The events that a thread has left.
struct ThreadEvents {
  std::size_t number;
  const char* name;  // empty: it has none
  std::span<const Slice> slices;
  std::span<const TracedSteal> steals;
  std::uint64_t forgotten;  // how many more there were
};

/// Opened before the first event, written at the end: begin(), all threads, end(). It knows nothing
/// of threads that may still run.
class TraceFile {
 public:
  /// %p in its name becomes the number of the process: programs that start others trace each into a
  /// file of its own. False: that failed, and the user was told.
  bool open(const char* pattern) noexcept;

  bool is_open() const noexcept { return file_ != nullptr; }

  void begin() noexcept;
  void write(const ThreadEvents& thread) noexcept;
  /// Closes it, and tells the user.
  void end() noexcept;

  /// In a forked child: it is the parent's.
  void abandon() noexcept { file_ = nullptr; }

 private:
  void print_slice(const Slice& slice, std::size_t thread) noexcept;
  double microseconds(std::uint64_t at) const noexcept;

  std::FILE* file_ = nullptr;
  char name_[4096] = "";
  std::uint64_t began_ticks_ = 0;
  std::uint64_t began_ns_ = 0;
  double per_microsecond_ = 1;
  std::size_t events_ = 0;
  std::uint64_t forgotten_ = 0;
};

}  // namespace furca::detail
