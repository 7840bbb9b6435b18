// A list walked by join(the rest, this node's 2 ms): all parallelism hangs on one thread that forks
// in time. A runtime that runs arms inline once a few are forked leaves the other threads without
// work.
#include "../../contenders.hpp"
#include "../support.hpp"

namespace bench {
namespace {

struct Node {
  std::uint64_t seed;
  std::uint64_t spins;
  const Node* next;
};

std::uint64_t visit(const Node& node) { return busy_work(node.seed, node.spins); }

template <class Runtime>
std::uint64_t walk(const Node* node) {
  if (node == nullptr) return 0;
  const auto [rest, here] =
      Runtime::join([node] { return walk<Runtime>(node->next); }, [node] { return visit(*node); });
  return mix(rest) ^ here;
}

class Chain {
 public:
  static constexpr const char* kName = "chain";
  static constexpr const char* kSummary =
      "a list of n nodes walked by join(rest, 2 ms of work): one thread has to fork for all";
  static constexpr Group kGroup = Group::forks;
  static constexpr Operations kUses = kJoin;
  static std::vector<std::size_t> sizes(Effort effort) { return {by_effort(effort, 20, 100, 200)}; }

  explicit Chain(const Input& input) : nodes_(input.size) {
    const Node* next = nullptr;
    for (std::size_t i = nodes_.size(); i-- > 0; next = &nodes_[i])
      nodes_[i] = {mix(i), 2 * input.spins_per_ms, next};
  }

  std::uint64_t serial() const {
    std::uint64_t result = 0;
    for (std::size_t i = nodes_.size(); i-- > 0;) result = mix(result) ^ visit(nodes_[i]);
    return result;
  }

  template <class Runtime>
  std::uint64_t parallel() const {
    return walk<Runtime>(nodes_.data());
  }

 private:
  std::vector<Node> nodes_;
};

const Registration<Chain> kRegistration;

}  // namespace
}  // namespace bench
