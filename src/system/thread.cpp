// POSIX threads; what only Linux has (names, stack bounds of a running thread) has a fallback that
// does without.
#include "thread.hpp"

#include "placement.hpp"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

namespace furca::detail {

namespace {

struct Start {
  Thread::Entry entry;
  void* argument;
  std::string name;
  std::vector<Processor> processors;  // none: it runs where its starter does
};

void set_name(const std::string& name) noexcept {
#if defined(__linux__) && !defined(FURCA_PORTABLE)
  pthread_setname_np(pthread_self(), name.c_str());
#else
  (void)name;
#endif
}

/// The memory that it needs to start is gone before it runs: a forked child has the memory, and not
/// the thread.
void* run_thread(void* memory) {
  auto* const start = static_cast<Start*>(memory);
  set_name(start->name);
  if (!start->processors.empty()) restrict_to(start->processors);
  const Thread::Entry entry = start->entry;
  void* const argument = start->argument;
  delete start;
  entry(argument);
  return nullptr;
}

class Attributes {
 public:
  explicit Attributes(std::size_t stack_size) {
    if (const int error = pthread_attr_init(&attributes_); error != 0)
      throw std::system_error(error, std::generic_category(), "furca: cannot prepare a thread");
    if (stack_size == 0) return;
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t rounded = (stack_size + page - 1) / page * page;
    if (const int error = pthread_attr_setstacksize(&attributes_, rounded); error != 0) {
      pthread_attr_destroy(&attributes_);
      throw std::system_error(error, std::generic_category(),
                              "furca: the system refuses a stack of this size");
    }
  }
  ~Attributes() { pthread_attr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const pthread_attr_t* get() const noexcept { return &attributes_; }

 private:
  pthread_attr_t attributes_{};
};

}  // namespace

Thread::Thread(Entry entry, void* argument, const std::string& name, std::size_t stack_size) {
  constexpr int kTries = 4;
  const Attributes attributes(stack_size);
  auto start = std::make_unique<Start>(Start{entry, argument, name.substr(0, 15), {}});
  // who is bound to one of these starts threads that are not
  if (const auto binding = find_binding()) start->processors = *binding->among;
  int error = EAGAIN;
  for (int tries = 0; tries < kTries && error == EAGAIN; ++tries) {
    if (tries > 0) sched_yield();
    error = pthread_create(&handle_, attributes.get(), run_thread, start.get());
  }
  if (error != 0)
    throw std::system_error(error, std::generic_category(),
                            "furca: cannot start thread " + name +
                                " (fewer threads, or a higher limit, see ulimit -u)");
  start.release();  // run_thread's now
}

void Thread::join() noexcept { pthread_join(handle_, nullptr); }

void Thread::detach() noexcept { pthread_detach(handle_); }

std::size_t Thread::least_stack_size() noexcept {
#if defined(_SC_THREAD_STACK_MIN)
  const long least = sysconf(_SC_THREAD_STACK_MIN);
  if (least > 0) return static_cast<std::size_t>(least);
#endif
  return 16384;
}

std::pair<const void*, std::size_t> Thread::stack() noexcept {
#if defined(__linux__) && !defined(FURCA_PORTABLE)
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {nullptr, 0};
  void* lowest = nullptr;
  std::size_t size = 0;
  const int error = pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  if (error == 0) return {lowest, size};
#endif
  return {nullptr, 0};
}

/// A stack's pages come into memory when they are first touched, and stay there: no paint, no cost
/// to the thread. (Where huge pages are given to all programs, in steps of those.)
std::size_t Thread::stack_used(const char* lowest, std::size_t size) noexcept {
#if defined(__linux__) && !defined(FURCA_PORTABLE)
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const char* const end = lowest + size;
  const char* at = lowest + (page - reinterpret_cast<std::uintptr_t>(lowest) % page) % page;
  unsigned char present[1024];
  while (at < end) {
    const std::size_t pages =
        std::min((static_cast<std::size_t>(end - at) + page - 1) / page, sizeof present);
    if (mincore(const_cast<char*>(at), pages * page, present) != 0) return 0;
    for (std::size_t i = 0; i < pages; ++i)
      if ((present[i] & 1U) != 0) return static_cast<std::size_t>(end - at) - i * page;
    at += pages * page;
  }
#else
  (void)lowest;
  (void)size;
#endif
  return 0;
}

const void* Thread::middle_of_stack() noexcept {
  // the main thread's is read from a file
  constinit static thread_local const void* known = nullptr;
  if (known == nullptr) {
    const auto [lowest, size] = stack();
    if (lowest != nullptr) known = static_cast<const char*>(lowest) + size / 2;
  }
  return known;
}

/// Not the address of a local variable: sanitizers keep those elsewhere.
bool Thread::past_middle_of_stack() noexcept {
  const void* const middle = middle_of_stack();
  return middle != nullptr && __builtin_frame_address(0) < middle;
}

}  // namespace furca::detail
