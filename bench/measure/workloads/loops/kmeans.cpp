// Clusters by Lloyd's algorithm (S. Lloyd, Least squares quantization in PCM, 1982): ten rounds, in
// each a reduction that gives every point to the nearest of 16 centres and adds up the points of
// each. Coordinates are whole numbers, so that the sums and with them the centres are the same in
// any order.
#include "../../contenders.hpp"
#include "../support.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace bench {
namespace {

constexpr int kRounds = 10;
constexpr std::size_t kClusters = 16;
constexpr std::size_t kDimensions = 4;

using Point = std::array<std::int32_t, kDimensions>;
using Centres = std::array<Point, kClusters>;

struct Cluster {
  std::array<std::int64_t, kDimensions> sum;
  std::int64_t size;
};
using Clusters = std::array<Cluster, kClusters>;

void assign(Clusters& clusters, const Centres& centres, const Point& point) {
  std::size_t nearest = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::size_t k = 0; k < kClusters; ++k) {
    std::int64_t square = 0;
    for (std::size_t d = 0; d < kDimensions; ++d) {
      const std::int64_t difference = point[d] - centres[k][d];
      square += difference * difference;
    }
    if (square < least) {
      least = square;
      nearest = k;
    }
  }
  for (std::size_t d = 0; d < kDimensions; ++d) clusters[nearest].sum[d] += point[d];
  ++clusters[nearest].size;
}

Clusters merge(Clusters into, const Clusters& from) {
  for (std::size_t k = 0; k < kClusters; ++k) {
    for (std::size_t d = 0; d < kDimensions; ++d) into[k].sum[d] += from[k].sum[d];
    into[k].size += from[k].size;
  }
  return into;
}

class KMeans {
 public:
  static constexpr const char* kName = "kmeans";
  static constexpr const char* kSummary =
      "10 rounds of Lloyd's algorithm, n points, 16 clusters: reductions to an array of sums";
  static constexpr Group kGroup = Group::loops;
  static constexpr Operations kUses = kReduce;
  static std::vector<std::size_t> sizes(Effort effort) {
    return {by_effort(effort, std::size_t{1} << 13U, std::size_t{1} << 17U, std::size_t{1} << 18U)};
  }

  explicit KMeans(const Input& input) : points_(input.size) {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      for (std::size_t d = 0; d < kDimensions; ++d)
        points_[i][d] = static_cast<std::int32_t>(mix(i * kDimensions + d) % 65536);
    }
  }

  std::uint64_t serial() const {
    return cluster([this](const Centres& centres) {
      Clusters clusters{};
      for (const Point& point : points_) assign(clusters, centres, point);
      return clusters;
    });
  }

  template <class Runtime>
  std::uint64_t parallel() const {
    return cluster([this](const Centres& centres) {
      const auto assign_point = [points = points_.data(), &centres](Clusters& clusters,
                                                                    std::size_t i) {
        assign(clusters, centres, points[i]);
      };
      return Runtime::reduce(points_.size(), Clusters{}, assign_point, merge);
    });
  }

 private:
  template <class Assign>
  std::uint64_t cluster(Assign assign_all) const {
    Centres centres;
    std::copy_n(points_.begin(), kClusters, centres.begin());
    std::uint64_t hash = 0;
    for (int round = 0; round < kRounds; ++round) {
      const Clusters clusters = assign_all(centres);
      for (std::size_t k = 0; k < kClusters; ++k) {
        for (std::size_t d = 0; d < kDimensions && clusters[k].size > 0; ++d) {
          centres[k][d] = static_cast<std::int32_t>(clusters[k].sum[d] / clusters[k].size);
          hash = mix(hash ^ static_cast<std::uint64_t>(centres[k][d]));
        }
      }
    }
    return hash;
  }

  std::vector<Point> points_;
};

const Registration<KMeans> kRegistration;

}  // namespace
}  // namespace bench
