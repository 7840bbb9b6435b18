// Eigen's tensors on its own threads and on furca's.
#include "timing.hpp"

#include <furca/plugs/eigen.hpp>

#include <cstddef>
#include <memory>
#include <string>

#define EIGEN_USE_THREADS
#include <unsupported/Eigen/CXX11/Tensor>

int main(int, char** argv) {
  // Eigen's caller, who may compute or sleep, is one more than its own pool has; of furca's it is
  // one. So first pools of one size, then as many threads in all.
  struct Pools {
    const char* name;
    int own;
    std::size_t furca;
  };
  for (const auto& [name, own, all] :
       {Pools{"", 2, 2}, {", 2 in all", 1, 2}, {", 3 in all", 2, 3}}) {
    furca::ThreadPool pool({.threads = all});
    std::unique_ptr<Eigen::ThreadPoolInterface> threads;
    if (on_furca(argv))
      threads = std::make_unique<furca::plugs::EigenPool>(&pool);
    else
      threads = std::make_unique<Eigen::ThreadPool>(own);
    Eigen::ThreadPoolDevice device(threads.get(), 2);
    const Eigen::array<Eigen::IndexPair<int>, 1> inner = {Eigen::IndexPair<int>(1, 0)};
    using Matrix = Eigen::Tensor<float, 2>;
    for (const int side : {128, 512}) {
      const std::string row = ' ' + std::to_string(side) + name;
      Matrix a(side, side);
      Matrix b(side, side);
      Matrix c(side, side);
      a.setRandom();
      b.setRandom();
      time_of(("product" + row).c_str(), [&] { c.device(device) = a.contract(b, inner); });
      time_of(("exp" + row).c_str(), [&] { c.device(device) = a.exp() + b; });
      Eigen::Tensor<float, 0> sum;
      time_of(("sum" + row).c_str(), [&] { sum.device(device) = a.sum(); });
    }
  }
}
