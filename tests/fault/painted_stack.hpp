// How deep a thread's stack was ever used: painted first, looked at later.
#pragma once

#include "support/standard.hpp"

#include <system_error>

#include <pthread.h>

namespace furca::test {

/// The stack of the thread that makes it, painted from its far end to where it is used now. The
/// same thread asks.
class PaintedStack {
 public:
  [[gnu::noinline]] PaintedStack() {
    pthread_attr_t attributes;
    const int error = pthread_getattr_np(pthread_self(), &attributes);
    if (error != 0) throw std::system_error(error, std::generic_category(), "pthread_getattr_np");
    void* lowest = nullptr;
    std::size_t size = 0;
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    lowest_ = static_cast<Word*>(lowest);
    paint();
  }

  /// Bytes from the frame that made this to the deepest word that was written since.
  std::size_t used() const noexcept {
    const Word* word = lowest_;
    while (word < here_ && *word == kPaint) ++word;
    return static_cast<std::size_t>(here_ - word) * sizeof *word;
  }

 private:
  using Word = volatile std::uint64_t;
  static constexpr std::uint64_t kPaint = 0xFACADEFACADEFACA;
  // words that are left as they are: this function's own frame
  static constexpr std::ptrdiff_t kInUse = 128;

  /// Not by memset, whose frame it would overwrite.
  [[gnu::noinline]] void paint() noexcept {
    here_ = static_cast<Word*>(__builtin_frame_address(0));
    for (Word* word = lowest_; word < here_ - kInUse; ++word) *word = kPaint;
  }

  Word* lowest_ = nullptr;
  Word* here_ = nullptr;
};

}  // namespace furca::test
