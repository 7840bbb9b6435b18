// Programs that run the shipped injector: producers, consumers, and the same checks. Every item is
// taken once, seen whole, and after those that its producer pushed before.
#pragma once

#include "../checker/atomics.hpp"
#include "../checker/program.hpp"

#include <furca/injector.hpp>

#include <vector>

namespace furca::model {

/// A pointer to an item that knows of races: a T* to those who read and write it.
struct InjectedItem;
class RacyLink {
 public:
  RacyLink& operator=(InjectedItem* item) {
    link_.set(item);
    return *this;
  }
  operator InjectedItem*() const { return link_.get(); }  // NOLINT: as a pointer does

 private:
  Plain<InjectedItem*> link_{nullptr};
};

struct InjectedItem {
  RacyLink next;
  Plain<int> payload{0};
  int producer = 0;
  int number = 0;
  bool taken = false;
};

class InjectorScene {
 public:
  void push(int producer) {
    InjectedItem& item = made(producer);
    injector_.push(item);
  }
  void push_two(int producer) {
    InjectedItem& oldest = made(producer);
    InjectedItem& newest = made(producer);
    newest.next = &oldest;
    injector_.push_chain(newest, oldest);
  }

  /// True: there was one. Each consumer sees the items of a producer in their order.
  bool pop(int (&last)[2]) {
    InjectedItem* const item = injector_.pop();
    if (item != nullptr) took(*item, last);
    return item != nullptr;
  }
  /// Two at a time, if there are two.
  void pop_two(int (&last)[2]) {
    for (InjectedItem* item = injector_.pop_chain(2); item != nullptr; item = item->next)
      took(*item, last);
  }
  void consume_two() {
    int last[2] = {-1, -1};
    pop_two(last);
  }
  void consume(int times) {
    int last[2] = {-1, -1};
    for (; times > 0; --times) pop(last);
  }

  void finish() {
    int last[2] = {-1, -1};
    while (pop(last)) {
    }
    check(injector_.empty(), "an empty injector that is not");
    for (int producer = 0; producer < 2; ++producer)
      for (int i = 0; i < made_[producer]; ++i)
        check(items_[producer][i].taken, "an item was lost");
  }

 private:
  static void took(InjectedItem& item, int (&last)[2]) {
    check(!item.taken, "an item was taken twice");
    item.taken = true;
    check(item.payload.get() == 1, "an item without its payload");
    check(item.number > last[item.producer],
          "an item was taken before one that its producer pushed earlier");
    last[item.producer] = item.number;
  }

  InjectedItem& made(int producer) {
    InjectedItem& item = items_[producer][made_[producer]];
    item.producer = producer;
    item.number = made_[producer]++;
    item.payload.set(1);
    return item;
  }

  Injector<InjectedItem, ModelAtomics<true>> injector_;
  InjectedItem items_[2][4];
  int made_[2] = {0, 0};
};

inline std::vector<Program> injector_programs() {
  return {
      {"injector: a producer and a consumer",
       [] {
         InjectorScene scene;
         together([&] { scene.push(0), scene.push(0); }, [&] { scene.consume(2); });
         scene.finish();
       }},
      {"injector: two consumers",
       [] {
         InjectorScene scene;
         scene.push_two(0);
         together([&] { scene.consume(1); }, [&] { scene.consume(1); });
         scene.finish();
       }},
      {"injector: a push while a consumer reverses",
       [] {
         InjectorScene scene;
         scene.push_two(0);
         together([&] { scene.push(0); }, [&] { scene.consume(3); });
         scene.finish();
       }},
      {"injector: two producers, one with a chain",
       [] {
         InjectorScene scene;
         together([&] { scene.push(0); }, [&] { scene.push_two(1); });
         scene.finish();
       }},
      {"injector: one takes two, beside a producer and another",
       [] {
         InjectorScene scene;
         scene.push_two(0);
         together([&] { scene.push(0); }, [&] { scene.consume_two(); }, [&] { scene.consume(1); });
         scene.finish();
       }},
      {"injector: a producer and two consumers",
       [] {
         InjectorScene scene;
         scene.push(0);
         together([&] { scene.push(0); }, [&] { scene.consume(2); }, [&] { scene.consume(1); });
         scene.finish();
       }},
  };
}

}  // namespace furca::model
