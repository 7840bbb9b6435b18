// The cache that PerWorker::local() looks at first: where the values lie that the calling thread
// has used last.
#pragma once

#include <furca/detail/base/config.hpp>

namespace furca::detail {

/// A number that nothing else in the process has, or ever had: an address is soon used again. A
/// type of its own, so that the compiler knows that no store of a user's loop changes one.
enum class Serial : std::uint64_t { none };

FURCA_API Serial next_serial() noexcept;  // local_values.cpp

/// Of the tables that this thread has used as the worker that it is now, the last two that it came
/// to. An entry is found by its table's serial number: after the table's end, or its clear(), it is
/// found no more. A thread that becomes another worker clears all (Worker::become).
struct LocalValues {
  struct Entry {
    Serial table{Serial::none};
    void* value{nullptr};
  };

  void add(const Entry& entry) noexcept {
    older = newest;
    newest = entry;
  }

  void clear() noexcept { newest = older = Entry(); }

  Entry newest;
  Entry older;
};

FURCA_API extern constinit thread_local LocalValues local_values;

}  // namespace furca::detail
