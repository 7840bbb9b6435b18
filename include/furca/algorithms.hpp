// All headers of algorithms, and the sequences that they run over.
#pragma once

#include <furca/collect.hpp>
#include <furca/extremes.hpp>
#include <furca/group.hpp>
#include <furca/merge.hpp>
#include <furca/pack.hpp>
#include <furca/parallel_for.hpp>
#include <furca/parallel_reduce.hpp>
#include <furca/permute.hpp>
#include <furca/scan.hpp>
#include <furca/search.hpp>
#include <furca/sets.hpp>
#include <furca/sort.hpp>
#include <furca/stable_sort.hpp>
#include <furca/views.hpp>
#include <furca/write.hpp>
