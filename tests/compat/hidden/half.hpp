// What each of two shared objects has, compiled with hidden visibility: the oneTBB look-alike from
// inside of it.
#pragma once

#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <cstddef>
#include <functional>
#include <memory>

struct Half {
  bool (*cancelling)();
  bool (*asks)(const tbb::task_group_context& context);
  void (*cancel)(tbb::task_group_context& context);
  void (*in_group)(tbb::task_group_context* context, const std::function<void()>& f);
  void (*in_isolation)(const std::function<void()>& f);
  std::unique_ptr<tbb::task_group> (*group)();
  int& (*value)(tbb::enumerable_thread_specific<int>& values);
  std::size_t (*stack_size)();
};

extern "C" [[gnu::visibility("default")]] const Half& first_half();
extern "C" [[gnu::visibility("default")]] const Half& second_half();
