// Eigen's tensors and furca on one pool.
#include <furca/furca.hpp>
#include <furca/plugs/eigen.hpp>

#include <cstdio>

#define EIGEN_USE_THREADS
#include <unsupported/Eigen/CXX11/Tensor>

int main() {
  furca::plugs::EigenPool threads;
  Eigen::ThreadPoolDevice device(&threads, threads.NumThreads());

  furca::parallel_for(1, 4, [&](int k) {  // Eigen is parallel in it, too
    Eigen::Tensor<float, 2> a(300, 300);
    a.setConstant(static_cast<float>(k));
    Eigen::Tensor<float, 2> product(300, 300);
    const Eigen::array<Eigen::IndexPair<int>, 1> inner = {Eigen::IndexPair<int>(1, 0)};
    product.device(device) = a.contract(a, inner);
    std::printf("300 x %d x %d is %.0f\n", k, k, product(0, 0));
  });
}
