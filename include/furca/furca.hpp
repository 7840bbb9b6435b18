// All public headers.
#pragma once

#include <furca/async.hpp>
#include <furca/broadcast.hpp>
#include <furca/chunks.hpp>
#include <furca/deque.hpp>
#include <furca/injector.hpp>
#include <furca/join.hpp>
#include <furca/options.hpp>
#include <furca/parallel_for.hpp>
#include <furca/parallel_reduce.hpp>
#include <furca/per_worker.hpp>
#include <furca/progress.hpp>
#include <furca/run_queue.hpp>
#include <furca/scope.hpp>
#include <furca/spawn.hpp>
#include <furca/stats.hpp>
#include <furca/thread_limit.hpp>
#include <furca/thread_pool.hpp>
#include <furca/version.hpp>

/// Fork-join data parallelism. furca::detail is internal and may change at any time.
namespace furca {}
