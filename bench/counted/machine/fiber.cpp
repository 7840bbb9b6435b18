#include "fiber.hpp"

#include <new>

#include <sys/mman.h>

#if defined(__x86_64__)
// What a called function keeps, and the stack pointer: 2 ns, where swapcontext() makes a system
// call.
extern "C" void furca_counted_switch(void** from, void* to);
__asm__(
    ".text\n"
    ".type furca_counted_switch, @function\n"
    "furca_counted_switch:\n"
    "  push %rbp\n  push %rbx\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
    "  mov %rsp, (%rdi)\n"
    "  mov %rsi, %rsp\n"
    "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbx\n  pop %rbp\n"
    "  ret\n"
    ".size furca_counted_switch, .-furca_counted_switch\n");
#endif

namespace counted {

Fiber::Fiber(void (*entry)()) {
  constexpr std::size_t kGuard = 4'096;
  void* const memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mprotect(memory, kGuard, PROT_NONE);
  stack_ = memory;
#if defined(__x86_64__)
  void** word = reinterpret_cast<void**>(static_cast<char*>(memory) + kSize - 64);
  *--word = nullptr;  // entry() returns nowhere
  *--word = reinterpret_cast<void*>(entry);
  for (int registers = 0; registers < 6; ++registers) *--word = nullptr;
  top_ = word;
#else
  getcontext(&context_);
  context_.uc_stack.ss_sp = memory;
  context_.uc_stack.ss_size = kSize;
  makecontext(&context_, entry, 0);
#endif
}

Fiber::~Fiber() {
  if (stack_ != nullptr) munmap(stack_, kSize);
}

void Fiber::enter_from(Fiber& from) noexcept {
#if defined(__x86_64__)
  furca_counted_switch(&from.top_, top_);
#else
  swapcontext(&from.context_, &context_);
#endif
}

}  // namespace counted
