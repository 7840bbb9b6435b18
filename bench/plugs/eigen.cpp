// Eigen's tensors on its own threads and on furca's.
#include "timing.hpp"

#include <furca/plugs/eigen.hpp>

#include <memory>

#define EIGEN_USE_THREADS
#include <unsupported/Eigen/CXX11/Tensor>

int main(int, char** argv) {
  std::unique_ptr<Eigen::ThreadPoolInterface> threads;
  if (on_furca(argv))
    threads = std::make_unique<furca::plugs::EigenPool>();
  else
    threads = std::make_unique<Eigen::ThreadPool>(2);
  Eigen::ThreadPoolDevice device(threads.get(), 2);
  const Eigen::array<Eigen::IndexPair<int>, 1> inner = {Eigen::IndexPair<int>(1, 0)};
  using Matrix = Eigen::Tensor<float, 2>;
  for (const int side : {128, 512}) {
    Matrix a(side, side);
    Matrix b(side, side);
    Matrix c(side, side);
    a.setRandom();
    b.setRandom();
    time_of(side == 128 ? "product 128" : "product 512",
            [&] { c.device(device) = a.contract(b, inner); });
    time_of(side == 128 ? "exp 128" : "exp 512", [&] { c.device(device) = a.exp() + b; });
    Eigen::Tensor<float, 0> sum;
    time_of(side == 128 ? "sum 128" : "sum 512", [&] { sum.device(device) = a.sum(); });
  }
}
