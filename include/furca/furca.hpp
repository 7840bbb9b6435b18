// Everything furca offers.
#pragma once

#include <furca/deque.hpp>
#include <furca/join.hpp>
#include <furca/options.hpp>
#include <furca/parallel_for.hpp>
#include <furca/parallel_reduce.hpp>
#include <furca/thread_pool.hpp>
