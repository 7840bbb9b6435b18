// Halide and furca on one pool.
#include <furca/plugs/callbacks.hpp>

#include <Halide.h>
#include <cstdio>

int main() {
  Halide::Func squares;
  Halide::Var x;
  Halide::Var y;
  squares(x, y) = x * x + y;
  squares.parallel(y);

  Halide::Pipeline pipeline(squares);
  pipeline.jit_handlers().custom_do_par_for = furca::plugs::halide;

  const Halide::Buffer<int> result = pipeline.realize({100, 100});
  std::printf("9 * 9 + 4 is %d\n", result(9, 4));
}
