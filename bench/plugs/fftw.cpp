// FFTW on its own threads and on furca's.
#include "timing.hpp"

#include <furca/plugs/callbacks.hpp>

#include <fftw3.h>
#include <string>

int main(int, char** argv) {
  fftw_init_threads();
  if (on_furca(argv)) fftw_threads_set_callback(furca::plugs::fftw, nullptr);
  for (const int side : {64, 256, 1024}) {
    fftw_plan_with_nthreads(2);
    fftw_complex* const x = fftw_alloc_complex(static_cast<std::size_t>(side) * side);
    fftw_plan const plan = fftw_plan_dft_2d(side, side, x, x, FFTW_FORWARD, FFTW_ESTIMATE);
    for (int i = 0; i < side * side; ++i) x[i][0] = x[i][1] = 0;
    time_of(("2-d " + std::to_string(side)).c_str(), [&] { fftw_execute(plan); });
    fftw_destroy_plan(plan);
    fftw_free(x);
  }
}
