#include "lines.hpp"

#include <algorithm>

namespace counted {

namespace {

std::uintptr_t number_of(const void* address) noexcept {
  return reinterpret_cast<std::uintptr_t>(address) / 64;
}

}  // namespace

Lines::Slot& Lines::slot(std::uintptr_t number) noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = (number * 0x9E3779B97F4A7C15U) >> 20U & mask;
  while (slots_[at].line != nullptr && slots_[at].number != number) at = (at + 1) & mask;
  return slots_[at];
}

Lines::Line& Lines::at(const void* address) {
  const std::uintptr_t number = number_of(address);
  Slot& found = slot(number);
  if (found.line != nullptr) return *found.line;
  found = {number, &lines_.emplace_back()};
  Line& line = *found.line;
  if (2 * lines_.size() > slots_.size()) grow();
  return line;
}

void Lines::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  for (const Slot& one : old)
    if (one.line != nullptr) slot(one.number) = one;
}

bool Lines::any(const Line& line, int begin, int end, int except) noexcept {
  for (int word = begin / 64; word * 64 < end; ++word) {
    std::uint64_t bits = line.copies[static_cast<std::size_t>(word)];
    if (except / 64 == word) bits &= ~(std::uint64_t{1} << (except % 64));
    if (begin > word * 64) bits &= ~std::uint64_t{0} << (begin % 64);
    if (end < word * 64 + 64) bits &= (std::uint64_t{1} << (end % 64)) - 1;
    if (bits != 0) return true;
  }
  return false;
}

Time Lines::from_nearest(const Line& line, int core) const noexcept {
  const int cache = core - core % costs_.cores_per_cache;
  if (any(line, cache, std::min(cache + costs_.cores_per_cache, kMostCores), core))
    return costs_.near;
  const int socket = core - core % costs_.cores_per_socket;
  if (any(line, socket, std::min(socket + costs_.cores_per_socket, kMostCores), core))
    return costs_.transfer;
  return any(line, 0, kMostCores, core) ? costs_.far : costs_.near;
}

/// All other copies go: as far as the farthest.
Time Lines::from_all(const Line& line, int core) const noexcept {
  const int cache = core - core % costs_.cores_per_cache;
  const int socket = core - core % costs_.cores_per_socket;
  const int cache_end = std::min(cache + costs_.cores_per_cache, kMostCores);
  const int socket_end = std::min(socket + costs_.cores_per_socket, kMostCores);
  if (any(line, 0, socket, core) || any(line, socket_end, kMostCores, core)) return costs_.far;
  if (any(line, socket, cache, core) || any(line, cache_end, socket_end, core))
    return costs_.transfer;
  return any(line, cache, cache_end, core) ? costs_.near : 0;
}

Time Lines::read(const void* address, int core, Time now) {
  Line& line = at(address);
  if (line.has(core)) return now + costs_.hit;
  const Time start = std::max(now, line.free);
  const Time way = from_nearest(line, core);
  line.free = start + std::min(way, costs_.follow);
  line.owner = -1;
  line.add(core);
  return start + way;
}

Time Lines::own(const void* address, int core, Time now) {
  Line& line = at(address);
  if (line.owner == core) return now;
  const Time way = from_all(line, core);
  const Time here = way > 0 ? std::max(now, line.free) + way : now;
  if (way > 0) line.free = here;
  line.give(core);
  return here;
}

void Lines::make(const void* address, int core) { at(address).give(core); }

}  // namespace counted
