// In the place of src/system/thread.cpp: started threads are the model's.
#include "system/thread.hpp"

#include "model/checker/atomics.hpp"

#include <functional>

namespace furca::detail {

Thread::Thread(Entry entry, void* argument, const std::string&, std::size_t) {
  handle_ = model::spawn(new std::function<void()>([=] { entry(argument); }));
}

void Thread::join() noexcept { model::join(handle_); }
void Thread::detach() noexcept { model::fail("nothing here detaches a thread"); }
std::size_t Thread::least_stack_size() noexcept { return 0; }
std::pair<const void*, std::size_t> Thread::stack() noexcept { return {nullptr, 0}; }
std::size_t Thread::stack_used(const char*, std::size_t) noexcept { return 0; }
const void* Thread::middle_of_stack() noexcept { return nullptr; }
bool Thread::past_middle_of_stack() noexcept { return false; }

}  // namespace furca::detail
