// Where in the source an atomic access stands, what order it asks for there, and how a mutation
// weakens it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace furca::model {

enum class Access : std::uint8_t {
  load,
  store,
  rmw,
  cas,
  fence,
  heavy_fence,
  wait,
  wake,
  plain_read,
  plain_write
};

/// A place in the source, by default the caller's.
struct Site {
  const char* file;
  unsigned line;

  static constexpr Site here(const char* file = __builtin_FILE(),
                             unsigned line = __builtin_LINE()) noexcept {
    return {file, line};
  }

  /// The text of that line, after the label above it if there is one; empty if the source cannot be
  /// read from where the test runs.
  std::string text() const;
  std::string file_name() const;
  /// The same with its folder, which is the same for all who include it: "fork/sleep.hpp" of
  /// "src/pool/../fork/sleep.hpp".
  std::string_view in_folder() const noexcept;
  /// As "chain_deque.hpp:85 [deque.P1]", with the label that stands beside the access.
  std::string name() const;

  friend bool operator==(const Site& a, const Site& b) noexcept {
    return a.line == b.line && (a.file == b.file || a.in_folder() == b.in_folder());
  }
};

/// An access with the orders that the source asks for: `failure` is relaxed for all but CAS.
struct OrderedSite {
  Site site;
  Access access;
  std::memory_order order;
  std::memory_order failure = std::memory_order_relaxed;

  friend bool operator==(const OrderedSite&, const OrderedSite&) noexcept = default;
};

/// One step down at one place: acquire to relaxed, acq_rel to acquire or to release, a sequentially
/// consistent fence to acq_rel, a heavy fence to one that reaches nobody else.
struct Weakening {
  OrderedSite from;
  std::memory_order order;
  std::memory_order failure = std::memory_order_relaxed;

  std::string describe() const;
};

const char* name_of(std::memory_order order);
const char* name_of(Access access);

/// All weakenings of one place; none for relaxed accesses.
std::vector<Weakening> weakenings(const OrderedSite& site);

/// Every ordered place that the explored programs pass is noted here, and one of them may be
/// weakened.
class Sites {
 public:
  /// The orders to use at this place.
  void pass(OrderedSite& at) noexcept {
    if (watching_) [[unlikely]]
      watch(at);
  }

  void note_from_here_on();
  /// The list must outlive it.
  void weaken(const std::vector<Weakening>& all);
  void leave_alone();

  /// What was passed since note_from_here_on().
  std::vector<OrderedSite> noted() const;

 private:
  void watch(OrderedSite& at) noexcept;

  static constexpr std::size_t kMost = 256;
  bool watching_ = false;
  bool noting_ = false;
  const std::vector<Weakening>* weakenings_ = nullptr;
  OrderedSite noted_[kMost] = {};  // no allocation: accesses happen on fibers
  std::size_t count_ = 0;
};

Sites& sites();

}  // namespace furca::model
