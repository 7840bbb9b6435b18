#include "../processors.hpp"

#include "groups.hpp"

#include <algorithm>
#include <bit>
#include <compare>

namespace furca::detail {

namespace {

/// Calls each(group, mask) for each group of which the process may use a processor.
///
/// A process that somebody has restricted has a mask, in one group. Any other has all processors of
/// its groups. Since Windows 11 those are all groups, and the system spreads threads over them;
/// before that a process begins with one group, and has others only if it asks.
template <class F>
void for_each_group(F each) noexcept {
  DWORD_PTR own = 0;
  DWORD_PTR all = 0;
  USHORT groups[64];
  USHORT count = 64;
  if (!GetProcessGroupAffinity(GetCurrentProcess(), &count, groups)) count = 0;
  // both are 0 where threads are in several groups
  if (!GetProcessAffinityMask(GetCurrentProcess(), &own, &all)) own = all = 0;
  if (own != all || count == 0) return each(count > 0 ? groups[0] : USHORT{0}, KAFFINITY{own});
  for (USHORT i = 0; i < count; ++i) {
    const DWORD active = GetActiveProcessorCount(groups[i]);
    if (active > 0) each(groups[i], ~KAFFINITY{0} >> (kGroupSize - std::min<DWORD>(active, 64)));
  }
}

/// Where a processor is. Cores, caches and nodes are named by a number of their own.
struct Position {
  int turn = 0;  // how many hardware threads of its core come before it
  int node = 0;
  int cache = 0;
  int core = 0;
  Processor processor = 0;
  auto operator<=>(const Position&) const = default;
};

/// What the system tells, one thing after the other.
class Topology {
 public:
  Topology() {
    DWORD bytes = 0;
    GetLogicalProcessorInformationEx(RelationAll, nullptr, &bytes);
    memory_.resize(bytes);
    if (bytes == 0 || !GetLogicalProcessorInformationEx(RelationAll, first(), &bytes))
      memory_.clear();
  }

  /// Calls f(thing) for each.
  template <class F>
  void for_each(F f) {
    for (std::size_t at = 0; at < memory_.size();) {
      const auto* const thing =
          reinterpret_cast<const SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX*>(memory_.data() + at);
      if (thing->Size == 0) return;
      f(*thing);
      at += thing->Size;
    }
  }

 private:
  SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX* first() noexcept {
    return reinterpret_cast<SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX*>(memory_.data());
  }

  std::vector<char> memory_;
};

/// Calls place(position, turn) for those of the positions that are in the mask.
template <class F>
void for_those_in(const GROUP_AFFINITY& mask, std::vector<Position>& positions, F place) {
  for (int number = 0, turn = 0; number < kGroupSize; ++number) {
    if (!has(mask.Mask, number)) continue;
    for (Position& position : positions)
      if (position.processor == processor_of(mask.Group, number)) place(position, turn++);
  }
}

void fill_in(std::vector<Position>& positions) {
  int things = 0;
  int highest = 0;
  Topology().for_each([&](const SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX& thing) {
    ++things;
    if (thing.Relationship == RelationProcessorCore) {
      for_those_in(thing.Processor.GroupMask[0], positions, [&](Position& position, int turn) {
        position.core = things;
        position.turn = turn;
      });
    } else if (thing.Relationship == RelationNumaNode) {
      for_those_in(thing.NumaNode.GroupMask, positions, [&](Position& position, int) {
        position.node = static_cast<int>(thing.NumaNode.NodeNumber);
      });
    } else if (thing.Relationship == RelationCache && thing.Cache.Level >= highest) {
      highest = thing.Cache.Level;
      for_those_in(thing.Cache.GroupMask, positions,
                   [&](Position& position, int) { position.cache = things; });
    }
  });
}

}  // namespace

std::size_t count_affinity_mask() noexcept {
  int count = 0;
  for_each_group([&](USHORT, KAFFINITY mask) { count += std::popcount(std::uint64_t{mask}); });
  return static_cast<std::size_t>(count);
}

std::vector<Processor> affinity_mask() {
  std::vector<Processor> processors;
  processors.reserve(count_affinity_mask());
  for_each_group([&](USHORT group, KAFFINITY mask) {
    for (int number = 0; number < kGroupSize; ++number)
      if (has(mask, number)) processors.push_back(processor_of(group, number));
  });
  std::sort(processors.begin(), processors.end());
  return processors;
}

std::vector<Processor> near_each_other(std::vector<Processor> processors) {
  std::vector<Position> positions(processors.size());
  for (std::size_t i = 0; i < processors.size(); ++i) positions[i].processor = processors[i];
  fill_in(positions);
  std::sort(positions.begin(), positions.end());
  std::transform(positions.begin(), positions.end(), processors.begin(),
                 [](const Position& position) { return position.processor; });
  return processors;
}

/// That of the job that the process is in, as a container's is.
std::optional<double> quota_of_process() noexcept {
  constexpr DWORD kLimited =
      JOB_OBJECT_CPU_RATE_CONTROL_ENABLE | JOB_OBJECT_CPU_RATE_CONTROL_HARD_CAP;
  JOBOBJECT_CPU_RATE_CONTROL_INFORMATION rate{};
  if (!QueryInformationJobObject(nullptr, JobObjectCpuRateControlInformation, &rate, sizeof rate,
                                 nullptr) ||
      (rate.ControlFlags & kLimited) != kLimited)
    return std::nullopt;
  constexpr double kAll = 10'000;  // a hundredth of a per cent of all processors' time
  return rate.CpuRate / kAll * GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
}

}  // namespace furca::detail
