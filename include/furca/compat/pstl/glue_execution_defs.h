// What libstdc++'s <execution> includes first. Its parallel algorithms call oneTBB's inner names,
// which the look-alike does not have: with it they are furca's, by <furca/execution.hpp>.
// Checked by: tests/compat/execution_test.cpp
#pragma once
#pragma GCC system_header  // for include_next

#ifdef _PSTL_PAR_BACKEND_TBB
#include <furca/execution.hpp>
#endif
#include_next <pstl/glue_execution_defs.h>
