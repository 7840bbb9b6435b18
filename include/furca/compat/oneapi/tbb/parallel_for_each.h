// tbb::parallel_for_each on furca: over any range, and over work that grows while it runs.
#pragma once

#include "detail/iterators.h"
#include "detail/loop_call.h"
#include "parallel_for.h"
#include "task_group.h"

#include <furca/scope.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace tbb {

/// What a body gets that may add items to the loop: each is run once, at any time before the loop
/// returns.
template <class Item>
class feeder {
 public:
  void add(const Item& item) { add_one(Item(item)); }
  void add(Item&& item) { add_one(std::move(item)); }

 protected:
  feeder() = default;
  feeder(const feeder&) = delete;
  feeder& operator=(const feeder&) = delete;
  ~feeder() = default;

 private:
  virtual void add_one(Item item) = 0;
};

namespace detail {

template <class Body, class Item>
concept Feeds = std::invocable<const Body&, Item&, feeder<Item>&> ||
                std::invocable<const Body&, Item, feeder<Item>&>;

/// What a feeder of this body takes: what the body says, as in oneTBB, or else the elements' type.
/// @{
template <class Body, class Result, class Element, class Item>
Item fed_item(Result (Body::*)(Element, feeder<Item>&) const);

template <class Body, class Value>
struct FedItem {
  using type = Value;
};
template <class Body, class Value>
  requires requires { detail::fed_item<Body>(&Body::operator()); }
struct FedItem<Body, Value> {
  using type = decltype(detail::fed_item<Body>(&Body::operator()));
};
/// @}

/// What all items of one loop have in common.
template <class Body, class Item>
class EachItem final : public feeder<Item> {
 public:
  EachItem(const LoopCall& call, const Body& body) : call_(call), body_(body) {}

  /// Tasks for added items are spawned there.
  void feed_into(furca::Scope& scope) noexcept { scope_ = &scope; }

  /// An element where it lies, or one that this may take.
  template <class I>
  void run(I&& item) {
    if (!call_.stopped()) call_.joined_chunk([&] { give(std::forward<I>(item)); });
  }

  void spawn(Item item) {
    scope_->spawn([this, own = std::move(item)]() mutable { run(std::move(own)); });
  }

 private:
  void add_one(Item item) override { spawn(std::move(item)); }

  template <class I>
  void give(I&& item) {
    feeder<Item>& adds = *this;
    if constexpr (std::invocable<const Body&, I, feeder<Item>&>) {
      std::invoke(body_, std::forward<I>(item), adds);
    } else if constexpr (std::invocable<const Body&, I>) {
      std::invoke(body_, std::forward<I>(item));
    } else if constexpr (std::invocable<const Body&, I&, feeder<Item>&>) {
      std::invoke(body_, item, adds);
    } else {
      static_assert(std::invocable<const Body&, I&>,
                    "furca: the body of tbb::parallel_for_each is called as body(item) or "
                    "body(item, feeder), and const: feeder is a tbb::feeder<Item>&");
      if constexpr (std::invocable<const Body&, I&>) std::invoke(body_, item);
    }
  }

  const LoopCall& call_;
  const Body& body_;
  furca::Scope* scope_ = nullptr;
};

template <class Iterator, class Each>
void each_of(Iterator first, Iterator last, Each& each, const furca::SourceLocation& where) {
  const auto loop = [&](std::size_t n, const auto& body) {
    furca::parallel_for(std::size_t{0}, n, body, {}, where);
  };
  if constexpr (kRandomAccess<Iterator>) {
    using Difference = typename std::iterator_traits<Iterator>::difference_type;
    loop(static_cast<std::size_t>(last - first),
         [&each, first](std::size_t i) { each.run(*(first + static_cast<Difference>(i))); });
  } else if constexpr (kOfCategory<Iterator, std::forward_iterator_tag>) {
    std::vector<Iterator> places;
    for (; first != last; ++first) places.push_back(first);
    loop(places.size(), [&each, &places](std::size_t i) { each.run(*places[i]); });
  } else {
    for (; first != last; ++first) each.spawn(*first);
  }
}

template <class Iterator, class Body>
void run_for_each(Iterator first, Iterator last, const Body& body, task_group_context* context,
                  const furca::SourceLocation& where) {
  using Traits = std::iterator_traits<Iterator>;
  using Reference = typename Traits::reference;
  using Item = typename FedItem<Body, std::remove_cv_t<typename Traits::value_type>>::type;
  const LoopCall call(context);
  EachItem<Body, Item> each(call, body);
  constexpr bool feeds = std::invocable<const Body&, Reference, feeder<Item>&> || Feeds<Body, Item>;
  if constexpr (feeds || !kOfCategory<Iterator, std::forward_iterator_tag>) {
    furca::scope(
        [&](furca::Scope& scope) {
          each.feed_into(scope);
          detail::each_of(first, last, each, where);
        },
        {}, where);
  } else {
    detail::each_of(first, last, each, where);
  }
}

}  // namespace detail

/// As oneTBB's: calls body(item), or body(item, feeder), for each element. Elements of a list are
/// found one after the other first, those of an input iterator are read on the calling thread and
/// moved into tasks.
/// Exceptions and thread-safety as parallel_for.
/// @{
template <detail::Iterator Iterator, class Body>
void parallel_for_each(Iterator first, Iterator last, const Body& body,
                       const furca::SourceLocation where = furca::SourceLocation::current()) {
  detail::run_for_each(first, last, body, nullptr, where);
}

template <detail::Iterator Iterator, class Body>
void parallel_for_each(Iterator first, Iterator last, const Body& body, task_group_context& context,
                       const furca::SourceLocation where = furca::SourceLocation::current()) {
  detail::run_for_each(first, last, body, &context, where);
}

template <class Range, class Body>
  requires requires(Range& range) { std::begin(range); }
void parallel_for_each(Range&& range, const Body& body,
                       const furca::SourceLocation where = furca::SourceLocation::current()) {
  detail::run_for_each(std::begin(range), std::end(range), body, nullptr, where);
}

template <class Range, class Body>
  requires requires(Range& range) { std::begin(range); }
void parallel_for_each(Range&& range, const Body& body, task_group_context& context,
                       const furca::SourceLocation where = furca::SourceLocation::current()) {
  detail::run_for_each(std::begin(range), std::end(range), body, &context, where);
}
/// @}

}  // namespace tbb
