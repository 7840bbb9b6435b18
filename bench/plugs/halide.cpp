// Halide's pipelines on its own threads (HL_NUM_THREADS) and on furca's.
#include "timing.hpp"

#include <furca/plugs/callbacks.hpp>

#include <Halide.h>
#include <cstdint>

int main(int, char** argv) {
  using Halide::cast;
  Halide::Var x;
  Halide::Var y;
  Halide::ImageParam in(Halide::UInt(16), 2);
  Halide::Func across;
  Halide::Func blur;
  across(x, y) = (in(x, y) + in(x + 1, y) + in(x + 2, y)) / 3;
  blur(x, y) = (across(x, y) + across(x, y + 1) + across(x, y + 2)) / 3;
  blur.vectorize(x, 8).parallel(y);
  across.compute_at(blur, y).vectorize(x, 8);
  Halide::Pipeline pipeline(blur);
  if (on_furca(argv)) pipeline.jit_handlers().custom_do_par_for = furca::plugs::halide;
  pipeline.compile_jit();
  for (const int side : {128, 1024}) {
    Halide::Buffer<std::uint16_t> from(side + 8, side + 2);
    from.fill(7);
    in.set(from);
    Halide::Buffer<std::uint16_t> to(side, side);
    time_of(side == 128 ? "blur 128" : "blur 1024", [&] { pipeline.realize(to); });
  }
}
