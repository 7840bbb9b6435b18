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
 public:
  Owner() noexcept = default;
  explicit Owner(T* object) noexcept : object_(object) {}
  Owner(Owner&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Owner& operator=(Owner&& other) noexcept {
    delete std::exchange(object_, std::exchange(other.object_, nullptr));
    return *this;
  }
  ~Owner() { delete object_; }

  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }

 private:
  T* object_ = nullptr;
};

template <class T>
class Owner<T[]> {
 public:
  Owner() noexcept = default;
  explicit Owner(T* objects) noexcept : objects_(objects) {}
  Owner(Owner&& other) noexcept : objects_(std::exchange(other.objects_, nullptr)) {}
  Owner& operator=(Owner&& other) noexcept {
    delete[] std::exchange(objects_, std::exchange(other.objects_, nullptr));
    return *this;
  }
  ~Owner() { delete[] objects_; }

  T* get() const noexcept { return objects_; }
  T& operator[](std::size_t i) const noexcept { return objects_[i]; }

 private:
  T* objects_ = nullptr;
};

}  // namespace furca::detail
