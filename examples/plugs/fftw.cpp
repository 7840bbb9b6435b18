// FFTW and furca on one pool.
#include <furca/furca.hpp>
#include <furca/plugs/callbacks.hpp>

#include <fftw3.h>
#include <cstdio>

int main() {
  fftw_init_threads();
  fftw_threads_set_callback(furca::plugs::fftw, nullptr);
  fftw_plan_with_nthreads(static_cast<int>(furca::num_threads()));

  constexpr int side = 512;
  fftw_complex* const x = fftw_alloc_complex(side * side);
  fftw_plan const plan = fftw_plan_dft_2d(side, side, x, x, FFTW_FORWARD, FFTW_ESTIMATE);
  furca::parallel_for(0, side * side, [&](int i) { x[i][0] = x[i][1] = 1.0; });
  fftw_execute(plan);
  std::printf("the sum is %.0f\n", x[0][0]);
  fftw_destroy_plan(plan);
  fftw_free(x);
}
