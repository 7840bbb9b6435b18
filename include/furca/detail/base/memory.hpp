// The part of <memory> that furca needs: an object's own memory, and functions that make and
// destroy objects.
//
// <memory> has shared pointers and, with g++ 12, streams in it, and takes as long to compile as a
// third of all that a loop needs. Vectors need allocators and the functions; so with libstdc++,
// where this was seen to be so, they are taken from there, and elsewhere from <memory>.
#pragma once

#include <furca/detail/base/config.hpp>

#if defined(__GLIBCXX__)
#include <vector>
#else
#include <memory>
#endif

namespace furca::detail {

/// As std::unique_ptr: an object on the heap, or an array of them, and who destroys it.
template <class T>
class Owner {
  using Object = std::remove_extent_t<T>;

 public:
  Owner() noexcept = default;
  explicit Owner(Object* object) noexcept : object_(object) {}
  Owner(Owner&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Owner& operator=(Owner&& other) noexcept {
    destroy(std::exchange(object_, std::exchange(other.object_, nullptr)));
    return *this;
  }
  ~Owner() { destroy(object_); }

  Object* get() const noexcept { return object_; }
  Object* operator->() const noexcept { return object_; }
  Object& operator*() const noexcept { return *object_; }
  Object& operator[](std::size_t i) const noexcept { return object_[i]; }

 private:
  static void destroy(Object* object) noexcept {
    if constexpr (std::is_array_v<T>) {
      delete[] object;
    } else {
      delete object;
    }
  }

  Object* object_ = nullptr;
};

}  // namespace furca::detail
