// Threads run where the system has them.
#include "../placement.hpp"

namespace furca::detail {

Processor current_processor() noexcept { return kNoProcessor; }
ProcessorMask processor_mask() noexcept { return {}; }
bool restrict_to(std::span<const Processor>) noexcept { return false; }
ProcessorMask other_processors() noexcept { return {}; }
void take_back() noexcept {}
bool bind(const Binding&) noexcept { return false; }
std::optional<Binding> find_binding() noexcept { return std::nullopt; }
void unbind() noexcept {}
bool Affinity::keep_off(Processor) noexcept { return false; }
void Affinity::let_back() noexcept {}

}  // namespace furca::detail
