#include "data.hpp"

#include <algorithm>
#include <span>

namespace counted {

namespace {

Time at_rate(std::size_t bytes, double rate) noexcept {
  return nanoseconds(static_cast<double>(bytes) / std::max(rate, 1e-3));
}

}  // namespace

bool Data::find_or_take(std::deque<Cache>& caches, int number, double bytes, std::uintptr_t block,
                        std::uint32_t version) {
  constexpr std::size_t kWays = 8;
  const auto sets = std::max<std::size_t>(1, static_cast<std::size_t>(bytes) / kBlock / kWays);
  if (caches.size() <= static_cast<std::size_t>(number))
    caches.resize(static_cast<std::size_t>(number) + 1);
  Cache& cache = caches[static_cast<std::size_t>(number)];
  if (cache.empty()) cache.resize(sets * kWays);
  const std::span<Copy> set(&cache[block % sets * kWays], kWays);
  auto found =
      std::find_if(set.begin(), set.end(), [&](const Copy& c) { return c.block == block; });
  const bool has = found != set.end() && found->version == version;
  if (found == set.end())
    found = std::min_element(set.begin(), set.end(),
                             [](const Copy& a, const Copy& b) { return a.used < b.used; });
  *found = {block, version, ++uses_};
  return has;
}

Time Data::use(const void* address, std::size_t bytes, Use use, int core, Time now) {
  const std::uintptr_t number = reinterpret_cast<std::uintptr_t>(address) / kBlock;
  const int socket = core / costs_.cores_per_socket;
  Block& block = blocks_.try_emplace(number, Block{.home = socket}).first->second;
  const std::uint32_t before = block.version;
  if (use == Use::write && block.writer != core) {
    block.writer = core;
    ++block.version;
  }
  // asks for what there was, and then has what is written now
  const int cache = core / costs_.cores_per_cache;
  const bool own = find_or_take(own_, core, costs_.own_cache, number, before);
  const bool shared = find_or_take(shared_, cache, costs_.shared_cache, number, before);
  if (block.version != before) {
    find_or_take(own_, core, costs_.own_cache, number, block.version);
    find_or_take(shared_, cache, costs_.shared_cache, number, block.version);
  }
  if (own) return now;
  if (shared) return now + at_rate(bytes, costs_.shared_rate);
  const auto home = static_cast<std::size_t>(block.home);
  if (memory_free_.size() <= home) memory_free_.resize(home + 1);
  memory_free_[home] = std::max(now, memory_free_[home]) + at_rate(bytes, costs_.socket_rate);
  const double rate = block.home == socket ? costs_.memory_rate : costs_.far_rate;
  return std::max(now + at_rate(bytes, rate), memory_free_[home]);
}

}  // namespace counted
