// Calls as std::invoke makes them, beside std::invoke.
#include <furca/detail/base/invoke.hpp>

#include "support/standard.hpp"

namespace {

struct Base {
  int number = 1;
  int plain(int more) { return number + more; }
  int constant(int more) const noexcept { return number + 10 * more; }
  int of_lvalue() & { return 3; }
  int of_rvalue() && { return 4; }
  int& reference() noexcept { return number; }
  std::unique_ptr<int> moved(std::unique_ptr<int> p) { return p; }
};

struct Derived : Base {
  int more = 2;
};

/// Base, and a pointer to another Base: the object itself is meant.
struct Both : Base {
  Base* other = nullptr;
  Base& operator*() const { return *other; }
};

struct Call {
  int operator()(int i) & { return i; }
  int operator()(int i) const& { return 10 * i; }
  int operator()(int i) && { return 100 * i; }
};

/// The same value, of the same type.
template <class F, class... Args>
bool same(F&& f, Args&&... args) {
  using Result = std::invoke_result_t<F, Args...>;
  static_assert(std::is_same_v<decltype(furca::detail::invoke(std::forward<F>(f),
                                                              std::forward<Args>(args)...)),
                               Result>);
  if constexpr (std::is_reference_v<Result>) {
    auto&& one = furca::detail::invoke(std::forward<F>(f), std::forward<Args>(args)...);
    auto&& other = std::invoke(std::forward<F>(f), std::forward<Args>(args)...);
    return &one == &other;
  } else {
    return furca::detail::invoke(std::forward<F>(f), std::forward<Args>(args)...) ==
           std::invoke(std::forward<F>(f), std::forward<Args>(args)...);
  }
}

/// A member of every kind of object that can have it.
template <class Object, class Member, class... Args>
bool same_for_all(Member member, Args... args) {
  Object object;
  const auto unique = std::make_unique<Object>();
  const auto shared = std::make_shared<Object>();
  std::reference_wrapper<Object> wrapper(object);
  const auto const_wrapper = std::ref(object);
  const Member const_member = member;
  return same(member, object, args...) && same(const_member, object, args...) &&
         same(std::move(member), object, args...) && same(member, &object, args...) &&
         same(member, unique, args...) && same(member, shared, args...) &&
         same(member, wrapper, args...) && same(member, const_wrapper, args...) &&
         same(member, std::ref(object), args...);
}

constexpr int twice(int i) { return 2 * i; }
int twice_noexcept(int i) noexcept { return 2 * i; }
static_assert(furca::detail::invoke(twice, 2) == 4 &&
              furca::detail::invoke(&Base::number, Base()) == 1);

}  // namespace

TEST_CASE("members of an object, of a derived one, through pointers and reference_wrapper") {
  CHECK(same_for_all<Base>(&Base::number));
  CHECK(same_for_all<Base>(&Base::plain, 5));
  CHECK(same_for_all<Base>(&Base::constant, 5));
  CHECK(same_for_all<Base>(&Base::of_lvalue));
  CHECK(same_for_all<Base>(&Base::reference));
  CHECK(same_for_all<Derived>(&Base::number));
  CHECK(same_for_all<Derived>(&Base::plain, 5));
  CHECK(same_for_all<Derived>(&Base::constant, 5));
  CHECK(same_for_all<Derived>(&Derived::more));
  CHECK(same_for_all<const Base>(&Base::number));
  CHECK(same_for_all<const Derived>(&Base::constant, 5));
}

TEST_CASE("rvalues stay rvalues, and const objects const") {
  Base object;
  const Base constant;
  CHECK(same(&Base::number, std::move(object)));
  CHECK(same(&Base::number, constant));
  CHECK(same(&Base::number, std::cref(object)));
  CHECK(same(&Base::constant, constant, 7));
  CHECK(same(&Base::of_rvalue, Base()));
  CHECK(same(&Base::constant, Base(), 7));
  CHECK(*furca::detail::invoke(&Base::moved, object, std::make_unique<int>(9)) == 9);
}

TEST_CASE("of what is an object and a pointer to another one the object is meant") {
  Base other;
  other.number = 50;
  Both both;
  both.other = &other;
  CHECK(same(&Base::number, both));
  CHECK(same(&Base::plain, both, 1));
  CHECK(furca::detail::invoke(&Base::number, both) == 1);
  CHECK(furca::detail::invoke(&Base::plain, both, 1) == 2);
}

TEST_CASE("functions and function objects, by the value category of each") {
  Call call;
  const Call constant;
  CHECK(same(call, 1));
  CHECK(same(constant, 1));
  CHECK(same(std::move(call), 1));
  CHECK(same(Call(), 1));
  CHECK(same(twice, 3));
  CHECK(same(&twice, 3));
  CHECK(same(twice_noexcept, 3));
  const std::function<int(int)> erased = twice;
  CHECK(same(erased, 3));
  CHECK(same(std::ref(call), 3));
  CHECK(same(std::plus<>(), 1, 2));
}
