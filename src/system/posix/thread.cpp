// POSIX threads.
#include "../thread.hpp"

#include "../placement.hpp"
#include "../thread_facts.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <system_error>
#include <vector>

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

namespace furca::detail {

namespace {

struct Start {
  Thread::Entry entry;
  void* argument;
  std::string name;
  std::vector<Processor> processors;  // none: it runs where its starter does
  bool elsewhere = false;             // it begins where its starter does not run
};

/// The memory that it needs to start is gone before it runs: a forked child has the memory, and not
/// the thread.
void* run_thread(void* memory) {
  auto* const start = static_cast<Start*>(memory);
  introduce_thread(start->name);
  if (start->elsewhere) take_back();
  if (!start->processors.empty()) restrict_to(start->processors);
  const Thread::Entry entry = start->entry;
  void* const argument = start->argument;
  delete start;
  entry(argument);
  return nullptr;
}

/// The stack of a thread if none is asked for: the least, but no more than the first thread may
/// have; or the system's own.
std::size_t default_stack_size(const pthread_attr_t& attributes) noexcept {
  std::size_t own = 0;
  if (pthread_attr_getstacksize(&attributes, &own) != 0) own = 0;
  rlimit first{};
  if (getrlimit(RLIMIT_STACK, &first) != 0) first.rlim_cur = RLIM_INFINITY;
  const auto wanted = std::min<rlim_t>(first.rlim_cur, least_stack_size());
  return std::max(own, static_cast<std::size_t>(wanted));
}

class Attributes {
 public:
  explicit Attributes(std::size_t stack_size) {
    if (const int error = pthread_attr_init(&attributes_); error != 0)
      throw std::system_error(error, std::generic_category(), "furca: cannot prepare a thread");
    if (stack_size == 0) stack_size = default_stack_size(attributes_);
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

  /// The thread begins on its starter's processors but the one that the starter runs on; false if
  /// there is no other, or the system has no such attribute. The system's own choice may be a bad
  /// one, in virtual machines: beside the starter, until it weighs the processors' loads some 15 ms
  /// later. Older versions of glibc leak the stack of a thread for which the system refuses this.
  bool begin_elsewhere() noexcept {
#if defined(__GLIBC__) && __GLIBC__ * 100 + __GLIBC_MINOR__ >= 234
    const ProcessorMask others = other_processors();
    return others != ProcessorMask{} &&
           pthread_attr_setaffinity_np(&attributes_, sizeof others,
                                       reinterpret_cast<const cpu_set_t*>(others.data())) == 0;
#else
    return false;
#endif
  }

 private:
  pthread_attr_t attributes_{};
};

static_assert(sizeof(pthread_t) <= sizeof(std::uintptr_t));

pthread_t thread_of(std::uintptr_t handle) noexcept {
  pthread_t thread{};
  std::memcpy(&thread, &handle, sizeof thread);
  return thread;
}

}  // namespace

Thread::Thread(Entry entry, void* argument, const std::string& name, std::size_t stack_size) {
  constexpr int kTries = 4;
  Attributes attributes(stack_size);
  auto start = std::make_unique<Start>(
      Start{entry, argument, name.substr(0, 15), {}, attributes.begin_elsewhere()});
  // who is bound to one of these starts threads that are not
  if (const auto binding = find_binding()) start->processors = *binding->among;
  pthread_t thread{};
  const auto create = [&](const Attributes& how) {
    int error = EAGAIN;
    for (int tries = 0; tries < kTries && error == EAGAIN; ++tries) {
      if (tries > 0) sched_yield();
      error = pthread_create(&thread, how.get(), run_thread, start.get());
    }
    return error;
  };
  int error = create(attributes);
  if (error != 0 && start->elsewhere) {  // or the system lets nobody say where
    start->elsewhere = false;
    error = create(Attributes(stack_size));
  }
  if (error != 0)
    throw std::system_error(error, std::generic_category(),
                            "furca: cannot start thread " + name +
                                " (fewer threads, or a higher limit, see ulimit -u)");
  start.release();  // run_thread's now
  std::memcpy(&handle_, &thread, sizeof thread);
}

void Thread::join() noexcept { pthread_join(thread_of(handle_), nullptr); }

void Thread::detach() noexcept { pthread_detach(thread_of(handle_)); }

std::size_t Thread::least_stack_size() noexcept {
#if defined(_SC_THREAD_STACK_MIN)
  const long least = sysconf(_SC_THREAD_STACK_MIN);
  if (least > 0) return static_cast<std::size_t>(least);
#endif
  return 16384;
}

}  // namespace furca::detail
