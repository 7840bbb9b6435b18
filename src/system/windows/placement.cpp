#include "../placement.hpp"

#include "groups.hpp"

namespace furca::detail {

namespace {

constinit thread_local Binding binding_here{};  // among nothing: not bound

GROUP_AFFINITY mask_of(Processor processor) noexcept {
  GROUP_AFFINITY mask{};
  mask.Group = static_cast<WORD>(processor / kGroupSize);
  mask.Mask = KAFFINITY{1} << (processor % kGroupSize);
  return mask;
}

}  // namespace

Processor current_processor() noexcept {
  PROCESSOR_NUMBER number;
  GetCurrentProcessorNumberEx(&number);
  return processor_of(number.Group, number.Number);
}

/// Of ranks that are started side by side none is known to be bound.
ProcessorMask processor_mask() noexcept { return {}; }

/// Windows has no attribute that says where a thread begins.
ProcessorMask other_processors() noexcept { return {}; }
void take_back() noexcept {}

/// To those of the first one's group: a thread for which somebody chooses runs in one group.
bool restrict_to(std::span<const Processor> processors) noexcept {
  if (processors.empty() || processors[0] < 0) return false;
  GROUP_AFFINITY mask = mask_of(processors[0]);
  for (const Processor processor : processors)
    if (processor / kGroupSize == processors[0] / kGroupSize) mask.Mask |= mask_of(processor).Mask;
  return SetThreadGroupAffinity(GetCurrentThread(), &mask, nullptr) != 0;
}

bool bind(const Binding& binding) noexcept {
  if (!restrict_to({&binding.to, 1})) return false;
  binding_here = binding;
  return true;
}

std::optional<Binding> find_binding() noexcept {
  if (binding_here.among == nullptr) return std::nullopt;
  const GROUP_AFFINITY then = mask_of(binding_here.to);
  GROUP_AFFINITY now{};
  const bool same = GetThreadGroupAffinity(GetCurrentThread(), &now) != 0 &&
                    now.Group == then.Group && now.Mask == then.Mask;
  return same ? std::optional(binding_here) : std::nullopt;
}

/// There are no forked children.
void unbind() noexcept {}

/// The system wakes a thread on a processor that is idle.
bool Affinity::keep_off(Processor) noexcept { return false; }
void Affinity::let_back() noexcept {}

}  // namespace furca::detail
