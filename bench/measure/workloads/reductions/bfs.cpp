// Breadth-first search, level by level, in an R-MAT graph: a few levels of very different length,
// in which most vertices have next to no neighbours and some have thousands.
#include "../../contenders.hpp"
#include "../support.hpp"
#include "rmat.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>

namespace bench {
namespace {

using Distance = std::uint32_t;

constexpr Distance kUnreached = std::numeric_limits<Distance>::max();
constexpr std::size_t kSearches = 4;

/// Collects what one iteration finds, so that it takes room in the common list once for many
/// vertices.
class Found {
 public:
  Found(Vertex* list, std::atomic<std::size_t>& length) : list_(list), length_(length) {}
  Found(const Found&) = delete;
  Found& operator=(const Found&) = delete;
  ~Found() { flush(); }

  void add(Vertex v) {
    if (count_ == kept_.size()) flush();
    kept_[count_++] = v;
  }

 private:
  void flush() {
    if (count_ > 0)
      std::copy_n(kept_.begin(), count_,
                  list_ + length_.fetch_add(count_, std::memory_order_relaxed));
    count_ = 0;
  }

  Vertex* list_;
  std::atomic<std::size_t>& length_;
  std::array<Vertex, 64> kept_;
  std::size_t count_ = 0;
};

class BreadthFirst {
 public:
  static constexpr const char* kName = "bfs";
  static constexpr const char* kSummary =
      "4 breadth-first searches in an R-MAT graph of n vertices and 8 n edges: short, uneven loops";
  static constexpr Group kGroup = Group::reductions;
  static constexpr Operations kUses = kLoop;
  static std::vector<std::size_t> sizes(Effort effort) {
    return {by_effort(effort, std::size_t{1} << 13U, std::size_t{1} << 17U, std::size_t{1} << 18U)};
  }

  explicit BreadthFirst(const Input& input)
      : graph_(input.size), frontier_(input.size), next_(input.size) {
    for (std::vector<Distance>& distances : distances_) distances.resize(input.size);
  }

  std::uint64_t serial() {
    return search_all([this](Vertex root, std::vector<Distance>& distances) {
      std::size_t reached = 0;
      frontier_[reached++] = root;
      for (std::size_t visited = 0; visited < reached; ++visited) {
        const Vertex v = frontier_[visited];
        for (std::uint32_t k = graph_.first[v]; k < graph_.first[v + 1]; ++k) {
          const Vertex w = graph_.neighbours[k];
          if (distances[w] != kUnreached) continue;
          distances[w] = distances[v] + 1;
          frontier_[reached++] = w;
        }
      }
      return reached;
    });
  }

  template <class Runtime>
  std::uint64_t parallel() {
    return search_all([this](Vertex root, std::vector<Distance>& distances) {
      std::size_t reached = 0;
      frontier_[0] = root;
      std::size_t width = 1;
      for (Distance distance = 1; width > 0; ++distance) {
        reached += width;
        std::atomic<std::size_t> next_width = 0;
        Runtime::loop(width, [this, distance, to = distances.data(), &next_width](std::size_t i) {
          Found found(next_.data(), next_width);
          const Vertex v = frontier_[i];
          for (std::uint32_t k = graph_.first[v]; k < graph_.first[v + 1]; ++k) {
            const Vertex w = graph_.neighbours[k];
            if (claim(to[w], distance)) found.add(w);
          }
        });
        frontier_.swap(next_);
        width = next_width.load(std::memory_order_relaxed);
      }
      return reached;
    });
  }

  std::uint64_t settle(std::uint64_t) const {
    std::uint64_t hash = 0;
    for (const std::vector<Distance>& distances : distances_) {
      for (const Distance distance : distances) hash = mix(hash ^ distance);
    }
    return hash;
  }

 private:
  /// Of all that find a vertex in the same level, one claims it.
  static bool claim(Distance& to, Distance distance) {
    const std::atomic_ref<Distance> shared(to);
    Distance seen = shared.load(std::memory_order_relaxed);
    return seen == kUnreached &&
           shared.compare_exchange_strong(seen, distance, std::memory_order_relaxed);
  }

  /// Calls search(root, distances) for several roots that have neighbours; it says how many
  /// vertices it reached.
  template <class Search>
  std::uint64_t search_all(Search search) {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < kSearches; ++i) {
      const Vertex root = graph_.neighbours[i * (graph_.neighbours.size() / kSearches)];
      std::fill(distances_[i].begin(), distances_[i].end(), kUnreached);
      distances_[i][root] = 0;
      hash = mix(hash ^ search(root, distances_[i]));
    }
    return hash;
  }

  Graph graph_;
  std::vector<Vertex> frontier_;
  std::vector<Vertex> next_;
  std::array<std::vector<Distance>, kSearches> distances_;
};

const Registration<BreadthFirst> kRegistration;

}  // namespace
}  // namespace bench
