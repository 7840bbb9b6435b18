#include "allocations.hpp"

namespace bench {
namespace {

const ProbeRegistration kRegistration(allocation_probes("furca", &allocations_per_join<Furca>, &allocations_per_loop<Furca>,
                                                        &allocations_per_reduce<Furca>));

}  // namespace
}  // namespace bench
