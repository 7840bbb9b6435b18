#undef _FORTIFY_SOURCE  // its longjmp allows no jump to another stack
#include "fiber.hpp"

#include "view.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>

#include <setjmp.h>
#include <ucontext.h>

namespace furca::model::fibers {

namespace {

// makecontext makes each stack once; after that all switches are _setjmp and _longjmp, which make
// no system call.
constexpr std::size_t kStackSize = std::size_t{256} << 10U;
constexpr std::size_t kArenaSize = std::size_t{4} << 20U;

struct Fiber {
  std::unique_ptr<std::byte[]> stack = std::make_unique<std::byte[]>(kStackSize);
  ucontext_t context{};
  jmp_buf begin{};  // at the bottom of the stack
  jmp_buf here{};   // where it was left
  bool fresh = true;
};

struct Fibers {
  std::array<Fiber, kMaxThreads> all;
  ucontext_t maker{};
  jmp_buf host{};
  void (*entry)(std::size_t) = nullptr;
  std::unique_ptr<std::byte[]> arena = std::make_unique<std::byte[]>(kArenaSize);
};

Fibers* fibers = nullptr;
std::size_t making = 0;
std::uintptr_t arena_begin = 0;
std::size_t arena_used = 0;
bool running = false;

void bottom_of_stack() {
  const std::size_t index = making;
  if (_setjmp(fibers->all[index].begin) == 0)
    swapcontext(&fibers->all[index].context, &fibers->maker);
  fibers->entry(index);  // from here on only jumps come back
  std::abort();
}

void make() {
  fibers = new Fibers;
  arena_begin = reinterpret_cast<std::uintptr_t>(fibers->arena.get());
  for (making = 0; making < kMaxThreads; ++making) {
    Fiber& fiber = fibers->all[making];
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = kStackSize;
    makecontext(&fiber.context, bottom_of_stack, 0);
    swapcontext(&fibers->maker, &fiber.context);
  }
}

[[noreturn]] void jump(std::size_t to) {
  Fiber& fiber = fibers->all[to];
  if (fiber.fresh) {
    fiber.fresh = false;
    _longjmp(fiber.begin, 1);
  }
  _longjmp(fiber.here, 1);
}

void* from_arena(std::size_t size, std::size_t alignment) {
  const std::size_t skipped = (alignment - (arena_begin + arena_used) % alignment) % alignment;
  if (arena_used + skipped + size > kArenaSize) {
    std::fputs("model: the arena is full; the program allocates too much\n", stderr);
    std::abort();
  }
  arena_used += skipped + size;
  return reinterpret_cast<void*>(arena_begin + arena_used - size);
}

}  // namespace

void run(std::size_t first, void (*entry)(std::size_t)) {
  if (fibers == nullptr) make();
  fibers->entry = entry;
  for (Fiber& fiber : fibers->all) fiber.fresh = true;
  arena_used = 0;
  if (_setjmp(fibers->host) == 0) {
    running = true;
    jump(first);
  }
  running = false;
}

void switch_to(std::size_t from, std::size_t to) {
  if (_setjmp(fibers->all[from].here) == 0) jump(to);
}

void abandon_for(std::size_t to) { jump(to); }

void leave() { _longjmp(fibers->host, 1); }

bool on_fiber() { return running; }

}  // namespace furca::model::fibers

namespace {

void* allocate(std::size_t size, std::size_t alignment) {
  namespace fibers = furca::model::fibers;
  if (fibers::running) return fibers::from_arena(size, alignment);
  void* memory = nullptr;
  if (alignment <= alignof(std::max_align_t)) {
    memory = std::malloc(size > 0 ? size : 1);
  } else if (posix_memalign(&memory, alignment, size) != 0) {
    memory = nullptr;
  }
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void release(void* memory) noexcept {
  namespace fibers = furca::model::fibers;
  if (reinterpret_cast<std::uintptr_t>(memory) - fibers::arena_begin >= fibers::kArenaSize)
    std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
