// XNNPACK, which computes by pthreadpool, on furca's threads.
#include "everywhere.hpp"

#include <furca/plugs/pthreadpool.hpp>

#include <pthreadpool.h>
#include <xnnpack.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace {

pthreadpool_executor furca_executor{furca::plugs::borrowed_threads, furca::plugs::borrow};

constexpr std::size_t kRows = 300;
constexpr std::size_t kIn = 64;
constexpr std::size_t kOut = 48;
// small whole numbers: sums are exact in any order
float input(std::size_t i) { return static_cast<float>(i % 5); }
float weight(std::size_t i) { return static_cast<float>(i % 3); }

/// A network of one layer, and the threads that it runs on.
class Network {
 public:
  explicit Network(furca::ThreadPool* pool)
      : threads_(pthreadpool_create_v2(&furca_executor, pool, 64)) {
    for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] = weight(i);
    xnn_subgraph_t graph = nullptr;
    bool right = xnn_create_subgraph(2, 0, &graph) == xnn_status_success;
    right = right && define(graph, {kRows, kIn}, nullptr, 0, XNN_VALUE_FLAG_EXTERNAL_INPUT) == 0;
    right = right && define(graph, {kRows, kOut}, nullptr, 1, XNN_VALUE_FLAG_EXTERNAL_OUTPUT) == 1;
    const std::uint32_t filter =
        define(graph, {kOut, kIn}, weights_.data(), XNN_INVALID_VALUE_ID, 0);
    constexpr float kMost = std::numeric_limits<float>::infinity();
    right = right && xnn_define_fully_connected(graph, -kMost, kMost, 0, filter,
                                                XNN_INVALID_VALUE_ID, 1, 0) == xnn_status_success;
    right = right && xnn_create_runtime_v2(graph, threads_, 0, &network_) == xnn_status_success;
    xnn_delete_subgraph(graph);
    REQUIRE(right);
  }
  ~Network() {
    xnn_delete_runtime(network_);
    pthreadpool_destroy(threads_);
  }
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  /// By one thread at a time.
  bool computes() {
    std::vector<float> in(kRows * kIn + XNN_EXTRA_BYTES / sizeof(float));
    for (std::size_t i = 0; i < kRows * kIn; ++i) in[i] = input(i);
    std::vector<float> out(kRows * kOut + XNN_EXTRA_BYTES / sizeof(float));
    const std::array<xnn_external_value, 2> values{{{0, in.data()}, {1, out.data()}}};
    if (xnn_setup_runtime(network_, values.size(), values.data()) != xnn_status_success ||
        xnn_invoke_runtime(network_) != xnn_status_success)
      return false;
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::size_t column = 0; column < kOut; ++column) {
        float sum = 0;
        for (std::size_t k = 0; k < kIn; ++k)
          sum += input(row * kIn + k) * weight(column * kIn + k);
        if (out[row * kOut + column] != sum) return false;
      }
    }
    return true;
  }

 private:
  static std::uint32_t define(xnn_subgraph_t graph, std::array<std::size_t, 2> sides,
                              const float* data, std::uint32_t outside, std::uint32_t flags) {
    std::uint32_t id = XNN_INVALID_VALUE_ID;
    xnn_define_tensor_value(graph, xnn_datatype_fp32, 2, sides.data(), data, outside, flags, &id);
    return id;
  }

  const pthreadpool_t threads_;
  xnn_runtime_t network_ = nullptr;
  std::vector<float> weights_ = std::vector<float>(kOut * kIn + XNN_EXTRA_BYTES);
};

const bool initialized = xnn_initialize(nullptr) == xnn_status_success;

TEST_CASE("networks in furca's loops and joins, on pools of one thread to 64") {
  REQUIRE(initialized);
  furca::parallel_for(0, 100, [](int) {});  // the global pool is there
  for (const std::size_t size : {1, 2, 3, 64}) {
    const std::size_t before = everywhere::threads_now();
    furca::ThreadPool pool({.threads = size});
    {
      std::vector<std::unique_ptr<Network>> networks;
      for (int i = 0; i < 8; ++i) networks.push_back(std::make_unique<Network>(&pool));
      std::atomic<int> right = 0;
      const auto each = [&](std::size_t i) { right += networks[i]->computes() ? 1 : 0; };
      for (int round = 0; round < 10; ++round) each(0);
      furca::parallel_for(std::size_t{0}, networks.size(), each);
      pool.install([&] {
        furca::parallel_for(std::size_t{0}, networks.size(), each);
        furca::join([&] { each(0); }, [&] { each(1); });
      });
      pool.spawn_task([&] { each(0); }).join();
      CHECK(right.load() == 29);
    }
    // a pool of one has a thread for the task
    CHECK(everywhere::threads_within(before + (size > 1 ? size - 1 : 1)));
  }
}

TEST_CASE("networks on the global pool, of two threads at once") {
  const auto often = [] {
    Network network(nullptr);
    std::atomic<int> right = 0;
    for (int i = 0; i < 10; ++i) furca::join([&] { right += network.computes(); }, [] {});
    CHECK(right.load() == 10);
  };
  std::thread other(often);
  often();
  other.join();
}

}  // namespace
