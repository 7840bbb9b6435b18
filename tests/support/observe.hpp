// What tests of pools and processes look at and wait for: threads as the system sees them,
// meetings.
#pragma once

#include <furca/furca.hpp>

#include "standard.hpp"
#include "system/thread.hpp"
#include "watchdog.hpp"

#include <filesystem>
#include <fstream>

#if defined(_WIN32)
#include "system/windows/windows.hpp"

#include <tlhelp32.h>
#endif

namespace furca::test {

/// Waits for something that the system will get round to. The watchdog decides when it never will.
template <class Condition>
void eventually(Condition condition) {
  while (!condition()) std::this_thread::yield();
}

inline bool contains(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

/// Where a number of threads must be at the same time.
class Meeting {
 public:
  explicit Meeting(std::size_t members) noexcept : members_(members) {}

  void attend() noexcept {
    arrived_.fetch_add(1);
    eventually([this] { return complete(); });
  }
  bool complete() const noexcept { return arrived_.load() >= members_; }

 private:
  const std::size_t members_;
  std::atomic<std::size_t> arrived_{0};
};

/// Calls arm(0) .. arm(count - 1) in a tree of joins, each call an arm of its own.
template <class Arm>
void join_all(std::size_t count, Arm arm, std::size_t first = 0) {
  if (count == 1) {
    arm(first);
  } else {
    furca::join([=] { join_all(count / 2, arm, first); },
                [=] { join_all(count - count / 2, arm, first + count / 2); });
  }
}

/// The library under test was built with -Dportable=true: no thread names, no stack bounds, no
/// affinity mask, no membarrier.
inline bool built_portable() { return furca::detail::Thread::middle_of_stack() == nullptr; }

using ThreadIds = std::set<std::string>;

/// The threads of this process.
inline ThreadIds thread_ids() {
  // With the first thread there may come a helper of a sanitizer's, which is nobody's business
  // here: let it be there already.
  static const bool settled = (std::thread([] {}).join(), true);
  (void)settled;
  ThreadIds ids;
#if defined(_WIN32)
  const HANDLE all = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
  THREADENTRY32 one{};
  one.dwSize = sizeof one;
  for (BOOL more = Thread32First(all, &one); more != 0; more = Thread32Next(all, &one))
    if (one.th32OwnerProcessID == GetCurrentProcessId())
      ids.insert(std::to_string(one.th32ThreadID));
  CloseHandle(all);
#else
  std::error_code gone;
  for (std::filesystem::directory_iterator task("/proc/self/task", gone), end; !gone && task != end;
       task.increment(gone))
    ids.insert(task->path().filename().string());
#endif
  return ids;
}

/// The threads that there are now and were not in `before`.
inline ThreadIds threads_since(const ThreadIds& before) {
  const ThreadIds now = thread_ids();
  ThreadIds started;
  std::set_difference(now.begin(), now.end(), before.begin(), before.end(),
                      std::inserter(started, started.end()));
  return started;
}

/// A joined thread's entry disappears a moment after the join.
inline void wait_until_gone(const ThreadIds& before) {
  eventually([&before] { return threads_since(before).empty(); });
}

inline std::string read_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

inline std::string thread_name(const std::string& id) {
  return read_line("/proc/self/task/" + id + "/comm");
}

/// A field of a thread's status, such as SigBlk; empty if the thread has ended.
inline std::string thread_status(const std::string& id, const std::string& field) {
  std::ifstream file("/proc/self/task/" + id + "/status");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(field + ":")) continue;
    const std::size_t value = line.find_first_not_of(" \t", field.size() + 1);
    return value == std::string::npos ? "" : line.substr(value);
  }
  return "";
}

inline bool is_asleep(const std::string& id) { return thread_status(id, "State").starts_with("S"); }

inline unsigned long voluntary_switches(const ThreadIds& ids) {
  unsigned long switches = 0;
  for (const std::string& id : ids)
    switches += std::strtoul(thread_status(id, "voluntary_ctxt_switches").c_str(), nullptr, 10);
  return switches;
}

inline long fib(long n) {
  if (n < 2) return n;
  const auto [a, b] = furca::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

/// A few hundred nanoseconds of work that no compiler removes.
inline void busy() noexcept {
  for (int i = 0; i < 300; ++i) {
    volatile int sink = i;
    (void)sink;
  }
}

/// About ten nanoseconds.
inline void wait_a_moment() noexcept {
  for (int i = 0; i < 10; ++i) {
    volatile int sink = i;
    (void)sink;
  }
}

/// Does furca do its work here? Joins, a loop and a reduction, long enough to be shared out.
inline bool computes() {
  std::atomic<long> sum{0};
  furca::parallel_for(0L, 256L, [&sum](long i) {
    busy();
    sum += i;
  });
  const double squares = furca::parallel_reduce(
      0, 256, 0.0,
      [](int i) {
        busy();
        return static_cast<double>(i) * i;
      },
      std::plus<>{});
  return sum == 255L * 128 && squares == 5559680.0 && fib(12) == 144;
}

}  // namespace furca::test
