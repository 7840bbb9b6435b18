// The one list behind all concurrent hash containers.
#pragma once

#include "common.h"
#include "hash_node.h"
#include "nodes.h"
#include "segments.h"
#include "std_hashes.h"

#include <furca/detail/base/instructions.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace tbb::detail {

/// No locks: nothing is taken out while others are inside.
struct NoStripes {
  static constexpr std::size_t kNumber = 1;
  void swap(NoStripes&) noexcept {}
};

/// A split-ordered list (Shalev and Shavit, J. ACM 2006): all elements in one list, in the order of
/// their hashes, so that twice as many buckets need only beginnings in the middle of others. No
/// element ever moves. Adding is a compare-and-swap of the link before; looking takes no lock.
///
/// Checked by: tests/compat/containers_test.cpp ("unordered: threads add, look and go through"), by
/// ThreadSanitizer
///
/// With stripes the elements of a bucket are their stripe's, whose lock is held for whatever is
/// done there. They lie side by side in the list, between two buckets' beginnings that stay. So
/// there are as many buckets as stripes, or more, and those of all stripes are begun first.
template <class NodeType, class Allocator, class Stripes = NoStripes>
class HashList {
  using Slot = std::atomic<HashLink*>;
  using Slots = Rebound<Allocator, Slot>;
  using Links = Rebound<Allocator, HashLink>;

 public:
  using Node = NodeType;
  template <class V>
  using Range = NodeRange<HashList, V>;
  static constexpr std::size_t kLeast = std::max<std::size_t>(8, Stripes::kNumber);
  using Value = std::remove_reference_t<decltype(std::declval<Node&>().value())>;

  explicit HashList(const Allocator& allocator) : allocator_(allocator) {}
  HashList(const HashList&) = delete;
  HashList& operator=(const HashList&) = delete;
  ~HashList() { clear(); }

  Allocator& allocator() noexcept { return allocator_; }
  const Allocator& allocator() const noexcept { return allocator_; }
  std::size_t size() const noexcept { return size_.load(std::memory_order_relaxed); }
  std::size_t bucket_count() const noexcept { return buckets_.load(std::memory_order_relaxed); }

  /// From a hash, whose low bits may all be alike.
  static std::size_t order_of(std::size_t hash) noexcept {
    return hash * static_cast<std::size_t>(0x9E3779B97F4A7C15U) | 1U;
  }
  std::size_t bucket_of(std::size_t order) const noexcept {
    return reversed(order) & (bucket_count() - 1);
  }
  static std::size_t stripe_of(std::size_t order) noexcept {
    return reversed(order) & (Stripes::kNumber - 1);
  }

  /// The first element for which is_it(value) is true, or null.
  template <class IsIt>
  Node* find(std::size_t order, const IsIt& is_it) const {
    HashLink* at = const_cast<HashLink*>(begun(bucket_of(order)));
    while (at != nullptr && at->order < order) at = at->after();
    for (; at != nullptr && at->order == order; at = at->after())
      if (is_it(value(at))) return static_cast<Node*>(at);
    return nullptr;
  }

  /// Adds a node, behind those of which is_it(value) is true. If there is one, and not several may
  /// be, returns that. Throws std::bad_alloc.
  template <bool several, class IsIt>
  Node* add(Node* node, std::size_t order, const IsIt& is_it) {
    node->order = order;
    HashLink* before = bucket(bucket_of(order));
    for (bool among = false;;) {
      HashLink* at = before->after();
      for (; at != nullptr && at->order <= order; before = at, at = at->after()) {
        if (at->order < order) continue;
        const bool same = is_it(value(at));
        if (same && !several) return static_cast<Node*>(at);
        if (among && !same) break;
        among = same;
      }
      node->next.store(at, std::memory_order_relaxed);
      // [hash.L1] pairs with L2: who finds the node finds what is in it
      if (before->next.compare_exchange_strong(at, node, std::memory_order_release,
                                               std::memory_order_relaxed))
        break;
    }
    const std::size_t count = size_.fetch_add(1, std::memory_order_relaxed) + 1;
    std::size_t buckets = bucket_count();
    if (static_cast<float>(count) > static_cast<float>(buckets) * allowed_load())
      buckets_.compare_exchange_strong(buckets, buckets * 2, std::memory_order_relaxed);
    return node;
  }

  /// With stripes, before anything is added: begins them all. Throws std::bad_alloc.
  void begin_stripes() {
    if (begun_exactly(Stripes::kNumber - 1) != nullptr) return;
    stripes.beginning.lock(true);
    try {
      stripes.make();
      for (std::size_t number = 1; number < Stripes::kNumber; ++number) bucket(number);
    } catch (...) {
      stripes.beginning.unlock(true);
      throw;
    }
    stripes.beginning.unlock(true);
  }

  /// Takes a node out: false, it is not there. For a thread that is alone, in the stripe if there
  /// are any.
  bool take_out(Node* node) noexcept {
    HashLink* before = const_cast<HashLink*>(begun(bucket_of(node->order)));
    if (before == nullptr) return false;
    HashLink* at = before->after();
    for (; at != nullptr && at != node && at->order <= node->order; at = at->after()) before = at;
    if (at != node) return false;
    before->next.store(node->after(), std::memory_order_relaxed);
    size_.fetch_sub(1, std::memory_order_relaxed);
    return true;
  }

  void clear() noexcept {
    HashLink* at = head_.next.exchange(nullptr, std::memory_order_relaxed);
    while (at != nullptr) {
      HashLink* const link = std::exchange(at, at->next.load(std::memory_order_relaxed));
      if (link->has_value()) {
        Node::destroy(allocator_, static_cast<Node*>(link));
      } else {
        free_link(link);
      }
    }
    slots_.free(0, Slots(allocator_));
    size_.store(0, std::memory_order_relaxed);
  }

  /// max_load, unless that asks for more buckets than there can be memory for.
  float allowed_load() const noexcept { return std::max(max_load, 0.0625F); }

  /// Adding an element of this order, as the next thing that is done, does not throw
  /// std::bad_alloc any more. Throws that itself.
  void prepare(std::size_t order) { bucket(bucket_of(order)); }

  /// At least so many buckets.
  void rehash(std::size_t buckets) {
    if (buckets <= bucket_count()) return;
    if (buckets > ~std::size_t{0} / 4) throw std::bad_alloc();
    buckets_.store(std::bit_ceil(buckets), std::memory_order_relaxed);
  }

  void swap(HashList& other) noexcept {
    swap_alone(head_.next, other.head_.next);
    swap_alone(size_, other.size_);
    swap_alone(buckets_, other.buckets_);
    slots_.swap(other.slots_);
    std::swap(max_load, other.max_load);
    stripes.swap(other.stripes);
  }

  Node* first() const noexcept { return Node::from(head_.after()); }
  /// The first element behind a bucket's beginning.
  Node* first(std::size_t bucket_number) const {
    return Node::from(const_cast<HashList*>(this)->bucket(bucket_number));
  }
  /// The bucket that comes after it in the list, or the number of buckets.
  std::size_t next_bucket(std::size_t number) const noexcept {
    std::size_t bit = bucket_count() / 2;
    for (; (number & bit) != 0; bit /= 2) number &= ~bit;
    return bit == 0 ? bucket_count() : number | bit;
  }

  /// The beginning of a bucket in the middle of two elements; or end, there is none.
  Node* middle(Node* begin, Node* end) const {
    const std::size_t to = end != nullptr ? end->order : ~std::size_t{0};
    std::size_t number = bucket_of(begin->order + (to - begin->order) / 2);
    const HashLink* link = nullptr;
    while ((link = begun_exactly(number)) == nullptr) number = above(number);
    Node* const at = Node::from(const_cast<HashLink*>(link));
    const bool divides =
        at != nullptr && at->order > begin->order && at->order < to && begin->following() != end;
    return divides ? at : end;
  }

 private:
  static std::size_t reversed(std::size_t bits) noexcept {
    std::uint64_t b = bits;
    b = (b >> 1U & 0x5555555555555555U) | (b & 0x5555555555555555U) << 1U;
    b = (b >> 2U & 0x3333333333333333U) | (b & 0x3333333333333333U) << 2U;
    b = (b >> 4U & 0x0F0F0F0F0F0F0F0FU) | (b & 0x0F0F0F0F0F0F0F0FU) << 4U;
    return static_cast<std::size_t>(furca::detail::swap_bytes(b) >> (64 - 8 * sizeof(std::size_t)));
  }
  static std::size_t above(std::size_t number) noexcept { return number - std::bit_floor(number); }
  static const Value& value(HashLink* link) noexcept { return static_cast<Node*>(link)->value(); }

  /// The beginning of a bucket, or null.
  const HashLink* begun_exactly(std::size_t number) const noexcept {
    if (number == 0) return &head_;
    const unsigned k = SlotTable::of(number);
    const Slot* const slots = slots_.if_any(k);
    if (slots == nullptr) return nullptr;
    return slots[number - SlotTable::base(k)].load(std::memory_order_acquire);  // [hash.B2]
  }
  /// The nearest beginning that there is before a bucket, in its stripe; or null.
  const HashLink* begun(std::size_t number) const noexcept {
    for (;; number = above(number)) {
      const HashLink* const link = begun_exactly(number);
      if (link != nullptr || number < Stripes::kNumber) return link;
    }
  }

  /// A bucket's beginning, which is made if there is none.
  HashLink* bucket(std::size_t number) {
    if (number == 0) return &head_;
    const unsigned k = SlotTable::of(number);
    Slot* const slots = slots_.make(k, Slots(allocator_), [k](Slot* memory) {
      for (std::size_t i = 0; i < SlotTable::size(k); ++i) ::new (memory + i) Slot(nullptr);
    });
    Slot& slot = slots[number - SlotTable::base(k)];
    HashLink* link = slot.load(std::memory_order_acquire);  // [hash.B2]
    if (link != nullptr) return link;
    link = add_link(number, bucket(above(number)));
    slot.store(link, std::memory_order_release);  // [hash.B1] pairs with B2: who goes on there
    return link;                                  // finds its order
  }

  HashLink* add_link(std::size_t number, HashLink* before) {
    Links links(allocator_);
    HashLink* const link = std::allocator_traits<Links>::allocate(links, 1);
    ::new (static_cast<void*>(link)) HashLink(reversed(number));
    for (;;) {
      HashLink* at = before->after();
      for (; at != nullptr && at->order < link->order; at = at->after()) before = at;
      if (at != nullptr && at->order == link->order) {
        free_link(link);
        return at;
      }
      link->next.store(at, std::memory_order_relaxed);
      if (before->next.compare_exchange_strong(at, link, std::memory_order_release,
                                               std::memory_order_relaxed))  // [hash.L1]
        return link;
    }
  }

  void free_link(HashLink* link) noexcept {
    Links links(allocator_);
    std::allocator_traits<Links>::deallocate(links, link, 1);
  }

  using SlotTable = Segments<Slot, Slots, 3>;

  FURCA_NO_UNIQUE_ADDRESS Allocator allocator_;

 public:
  FURCA_NO_UNIQUE_ADDRESS mutable Stripes stripes;
  float max_load = 4;  // elements of a bucket, before there are twice as many

 private:
  std::atomic<std::size_t> buckets_{kLeast};
  HashLink head_;
  SlotTable slots_;
  // Who adds or erases writes the size: its line is none of what all read.
  [[maybe_unused]] std::byte apart_[furca::detail::kCacheLine];
  std::atomic<std::size_t> size_{0};
};

}  // namespace tbb::detail
