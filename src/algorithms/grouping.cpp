// What grouping does with elements and keys of any type.
#include <furca/detail/base/large_memory.hpp>
#include <furca/detail/grouping/grouping.hpp>
#include <furca/detail/grouping/key_numbers.hpp>
#include <furca/detail/grouping/scattered.hpp>
#include <furca/per_worker.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

namespace furca::detail {

std::size_t parts_for(std::size_t elements, std::size_t bytes) noexcept {
  constexpr std::size_t kElements = 16'384;
  constexpr std::size_t kBytes = 262'144;
  constexpr std::size_t kMost = 512;
  return std::clamp<std::size_t>(std::bit_ceil(elements / std::min(kElements, kBytes / bytes)), 1,
                                 kMost);
}

std::size_t parts_for_likely_keys(std::size_t keys, std::size_t elements,
                                  std::size_t bytes) noexcept {
  constexpr std::size_t kBytes = 131'072;
  const std::size_t parts = std::bit_ceil(keys * std::max<std::size_t>(16, bytes) / kBytes);
  return std::min(std::max<std::size_t>(64, parts), parts_for(elements, bytes));
}

void rethrow_first(const std::vector<Thrown>& thrown) {
  const Thrown* first = nullptr;
  for (const Thrown& one : thrown) {
    if (one.what != nullptr && (first == nullptr || one.at < first->at)) {
      first = std::addressof(one);
    }
  }
  if (first != nullptr) std::rethrow_exception(first->what);
}

/// A copy has no buffer: each thread's begins so.
struct ScatteredBlocks::Kept {
  Kept() noexcept = default;
  Kept(const Kept&) noexcept {}
  Kept& operator=(const Kept&) = delete;
  ~Kept() = default;

  Buffer buffer;
  void* other = nullptr;
};
struct ScatteredBlocks::KeptByThreads : PerWorker<Kept> {};

ScatteredBlocks::ScatteredBlocks(std::size_t n, std::size_t length, std::size_t bytes)
    : length_(std::min(length, n)),
      bytes_(bytes),
      all_(memory(n)),
      blocks_(n == 0 ? 0 : (n + length - 1) / length),
      threads_(n == 0 ? nullptr : new KeptByThreads) {}

ScatteredBlocks::~ScatteredBlocks() = default;

ScatteredBlocks::Buffer ScatteredBlocks::memory(std::size_t n) const {
  if (n == 0) return {};
  if (n > ~std::size_t{0} / 2 / bytes_) throw std::bad_alloc();
  Buffer own(new Line[(n * bytes_ + sizeof(Line) - 1) / sizeof(Line)]);
  if (n * bytes_ >= kLargeMemory) prepare_large_memory(own.get(), n * bytes_);
  return own;
}

std::size_t ScatteredBlocks::size() const noexcept {
  std::size_t all = 0;
  for (const Block& block : blocks_) all += block.size;
  return all;
}

std::size_t ScatteredBlocks::size_of_part(std::size_t part) const noexcept {
  std::size_t all = 0;
  for (const Block& block : blocks_) {
    all += block.size == 0 ? 0 : block.ends[part + 1] - block.ends[part];
  }
  return all;
}

ScatteredBlocks::Buffer ScatteredBlocks::buffer() {
  Buffer own = std::move(threads_->local().buffer);
  return own.get() == nullptr ? memory(length_) : std::move(own);
}

void*& ScatteredBlocks::kept() { return threads_->local().other; }

std::uint32_t* ScatteredBlocks::begin(std::size_t b, std::size_t n, std::size_t parts) {
  blocks_[b] = {n, std::vector<std::uint32_t>(parts + 1)};
  return blocks_[b].ends.data() + 1;
}

void ScatteredBlocks::add_up(std::uint32_t* counts, std::size_t parts) noexcept {
  std::exclusive_scan(counts, counts + parts, counts, std::uint32_t{0});
}

void ScatteredBlocks::give_back(Buffer buffer) { threads_->local().buffer = std::move(buffer); }

bool ValueParts::spread_evenly(const std::vector<std::uint64_t>& some, std::size_t parts) {
  const auto [least, most] = std::minmax_element(some.begin(), some.end());
  least_ = *least;
  last_ = parts - 1;
  shift_ = std::max(0, static_cast<int>(std::bit_width(*most - *least)) - std::countr_zero(parts));
  std::vector<std::size_t> counts(parts);
  for (const std::uint64_t one : some) ++counts[static_cast<std::size_t>((one - least_) >> shift_)];
  return *std::max_element(counts.begin(), counts.end()) <= 16 + 8 * some.size() / parts;
}

void Counting::make_empty(std::size_t keys) {
  counts_.assign(keys, 0);
  to_ = counts_.data();
}

void Counting::arrange(const std::vector<std::uint32_t>& order) {
  detail::arrange(counts_, order);
  to_ = counts_.data();
}

}  // namespace furca::detail
