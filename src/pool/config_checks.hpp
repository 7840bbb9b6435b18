// A pool's check of its Config: whoever asks for what cannot be gets std::invalid_argument.
#pragma once

#include <furca/thread_pool.hpp>

#include "../measuring/backoff.hpp"

#include <cstddef>
#include <optional>

namespace furca::detail {

/// The number of threads that compute, the caller among them.
std::size_t checked_size(const Config& config);

std::optional<Backoff> checked_backoff(const Config& config);

void check_stack_size(const Config& config);
void check_queue_capacity(const Config& config);

}  // namespace furca::detail
