// Names of threads, the bounds of their stacks, and how urgent they are. Not run yet.
#include "../thread_facts.hpp"

#include "../thread.hpp"

#include <pthread.h>
#include <pthread/qos.h>

namespace furca::detail {

// By its class the system chooses between the processors that are fast and those that are not. Some
// thread waits for what a pool's threads do, as a user waits for an answer.
void introduce_thread(const std::string& name) noexcept {
  pthread_setname_np(name.c_str());
  pthread_set_qos_class_self_np(QOS_CLASS_USER_INITIATED, 0);
}

/// The default is 512 KiB: a large frame steps over the page behind it.
std::size_t least_stack_size() noexcept { return std::size_t{8} << 20U; }

std::pair<const void*, std::size_t> Thread::stack() noexcept {
  const pthread_t self = pthread_self();
  const std::size_t size = pthread_get_stacksize_np(self);
  return {static_cast<const char*>(pthread_get_stackaddr_np(self)) - size, size};
}

std::size_t Thread::stack_used(const char*, std::size_t) noexcept { return 0; }

}  // namespace furca::detail
