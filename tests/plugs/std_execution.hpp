// A double of C++26's senders, for standard libraries that have none yet: beman.execution's under
// their names.
#pragma once

#include <beman/execution.hpp>

#undef INCLUDED_BEMAN_EXECUTION  // for furca these senders are the standard library's
#define __cpp_lib_senders 202606L

namespace std {
using beman::execution::get_stop_token;
using beman::execution::inplace_stop_token;
using beman::execution::stop_token_of_t;
using beman::execution::unstoppable_token;
namespace execution {
using namespace beman::execution;
namespace parallel_scheduler_replacement = beman::execution::parallel_scheduler_replacement;
}  // namespace execution
}  // namespace std
