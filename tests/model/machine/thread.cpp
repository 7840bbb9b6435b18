// In the place of src/system/thread.cpp: started threads are the model's.
#include "system/thread.hpp"

#include "model/checker/atomics.hpp"

#include <cstring>
#include <functional>

namespace furca::detail {

namespace {

static_assert(sizeof(pthread_t) >= sizeof(std::size_t));

std::size_t index_of(const pthread_t& handle) noexcept {
  std::size_t index = 0;
  std::memcpy(&index, &handle, sizeof index);
  return index;
}

}  // namespace

Thread::Thread(Entry entry, void* argument, const std::string&, std::size_t) {
  const std::size_t index = model::spawn(new std::function<void()>([=] { entry(argument); }));
  std::memcpy(&handle_, &index, sizeof index);
}

void Thread::join() noexcept { model::join(index_of(handle_)); }
void Thread::detach() noexcept { model::fail("nothing here detaches a thread"); }
std::size_t Thread::least_stack_size() noexcept { return 0; }
std::pair<const void*, std::size_t> Thread::stack() noexcept { return {nullptr, 0}; }
std::size_t Thread::stack_used(const char*, std::size_t) noexcept { return 0; }
const void* Thread::middle_of_stack() noexcept { return nullptr; }
bool Thread::past_middle_of_stack() noexcept { return false; }

}  // namespace furca::detail
