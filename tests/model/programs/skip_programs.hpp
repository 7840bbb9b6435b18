// Programs that run the shipped list of the oneTBB look-alike's ordered containers.
#pragma once

#include "../checker/atomics.hpp"
#include "../checker/program.hpp"

#include <furca/compat/oneapi/tbb/detail/containers/skip_list.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace furca::model {

/// A list of two levels, whose elements are numbers.
template <bool several>
class TwoLevels {
 public:
  ~TwoLevels() {
    for (Node* const node : left_) Node::destroy(memory_, node);
  }

  /// Adds an element that is on so many levels: true, it was new.
  bool add(int number, std::size_t height) {
    Machine::height = height;
    Node* const node = Node::make(memory_, number);
    const auto [at, added] = list_.add(node);
    check(number_at(at) == number && added == (at == node), "another one was added");
    if (!added) left_.push_back(node);
    return added;
  }

  bool has(int number) const { return list_.find(number) != nullptr; }

  /// How many there are, which are in order.
  int count() const {
    int number = 0;
    int before = 0;
    for (Node* at = list_.first(); at != nullptr; at = at->following(), ++number) {
      check(several ? before <= number_at(at) : before < number_at(at), "not in order");
      before = number_at(at);
    }
    return number;
  }

 private:
  struct Machine {
    template <class T>
    using Atomic = model::Atomic<T>;
    static constexpr std::size_t kLevels = 2;
    static inline std::size_t height = 0;  // of the next one
    static std::size_t random_height() noexcept { return height; }
  };
  using Item = Plain<int>;
  struct Less {
    bool operator()(const Item& a, const Item& b) const { return a.get() < b.get(); }
    bool operator()(const Item& a, int b) const { return a.get() < b; }
    bool operator()(int a, const Item& b) const { return a < b.get(); }
  };
  using Memory = std::allocator<Item>;
  using List = tbb::detail::SkipList<Item, Item, Less, Memory, several, Machine>;
  using Node = typename List::Node;

  static int number_at(Node* node) { return node->value().get(); }

  Memory memory_;
  List list_{Less(), memory_};
  std::vector<Node*> left_;  // that were not added
};

inline std::vector<Program> skip_programs() {
  return {
      {"skip list: who finds an element finds what is in it and behind it",
       [] {
         TwoLevels<false> list;
         list.add(3, 1);
         together([&] { list.add(1, 2); },
                  [&] {
                    check(list.has(3), "behind an element that is not linked yet");
                    list.has(1);
                    check(list.count() >= 1, "gone");
                  });
         check(list.has(1) && list.has(3) && list.count() == 2, "lost");
       }},
      {"skip list: two threads add in one place",
       [] {
         TwoLevels<false> list;
         together([&] { check(list.add(1, 2), "not added"); },
                  [&] { check(list.add(2, 2), "not added"); });
         check(list.has(1) && list.has(2) && list.count() == 2, "lost");
       }},
      {"skip list: of two equal elements a set has one",
       [] {
         TwoLevels<false> list;
         int added = 0;
         together([&] { added += list.add(1, 2) ? 1 : 0; },
                  [&] { added += list.add(1, 1) ? 1 : 0; });
         check(added == 1 && list.count() == 1, "both, or none");
       }},
      {"skip list: a multiset has both of two equal elements",
       [] {
         TwoLevels<true> list;
         together([&] { list.add(1, 2); },
                  [&] {
                    list.add(1, 2);
                    check(list.has(1), "not there for who has added it");
                  });
         check(list.count() == 2, "lost");
       }},
  };
}

}  // namespace furca::model
