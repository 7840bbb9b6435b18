// scope and scope_fifo, in use.
#include "../expect.hpp"

#include <furca/scope.hpp>

#include <atomic>
#include <utility>
#include <vector>

namespace {

struct Node {
  int weight = 1;
  std::vector<Node> children = {};
};

//! [Scope]
void weigh(const Node& node, std::atomic<int>& sum, furca::Scope& tasks) {
  sum += node.weight;
  for (const Node& child : node.children) tasks.spawn([&] { weigh(child, sum, tasks); });
}
//! [Scope]

//! [Spawnable]
/// Starts a task and counts it.
template <furca::Spawnable F>
void start(furca::Scope& tasks, int& started, F&& f) {
  ++started;
  tasks.spawn(std::forward<F>(f));
}
//! [Spawnable]

void newest_first() {
  const Node tree = {1, {{2, {{4}, {8}}}, {16}}};
  //! [scope]
  std::atomic<int> sum{0};
  // all tasks are done when it returns
  furca::scope([&](furca::Scope& tasks) { weigh(tree, sum, tasks); });
  //! [scope]
  examples::expect(sum == 31, "every node was visited");
}

void oldest_first() {
  //! [ScopeFifo]
  std::atomic<int> served{0};
  const auto serve = [&](int customers, furca::ScopeFifo& queue) {
    for (int i = 0; i < customers; ++i) queue.spawn([&served] { ++served; });
  };
  //! [ScopeFifo]

  //! [scope_fifo]
  const int asked = furca::scope_fifo([&](furca::ScopeFifo& queue) {
    serve(10, queue);  // first come, first served
    return 10;
  });
  //! [scope_fifo]
  examples::expect(served == asked, "everybody was served");
}

}  // namespace

int main() {
  newest_first();
  oldest_first();
  int started = 0;
  furca::scope([&](furca::Scope& tasks) { start(tasks, started, [] {}); });
  examples::expect(started == 1, "one task was started");
  return examples::unexpected;
}
