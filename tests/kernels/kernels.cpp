// What kernels_test.py compiles and reads.
#include "../../bench/kernels/bodies.hpp"

std::vector<kernels::Kernel> all_kernels() { return kernels::Everything::kernels(); }

void one_of_the_crowd(unsigned number, kernels::Data& data, kernels::Size n) {
  kernels::Everything::in_the_crowd(number, data, n);
}
