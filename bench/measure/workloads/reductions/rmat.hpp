// Graphs whose degrees are as unequal as those of social networks: R-MAT (D. Chakrabarti, Y. Zhan,
// C. Faloutsos, R-MAT: a recursive model for graph mining, 2004) with the probabilities of
// Graph500, .57, .19, .19 and .05.
#pragma once

#include "../../busy_work.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

using Vertex = std::uint32_t;

struct Edge {
  Vertex from, to;
};

/// Descends into a quadrant of the adjacency matrix for each bit of the vertices' numbers.
inline Edge rmat_edge(std::uint64_t seed, unsigned bits) {
  constexpr unsigned kA = 37'356, kB = 12'452, kC = 12'452;  // .57, .19 and .19 of 2^16
  Vertex from = 0;
  Vertex to = 0;
  std::uint64_t noise = 0;
  for (unsigned bit = 0; bit < bits; ++bit, noise >>= 16U) {
    if (bit % 4 == 0) noise = mix(noise + seed * 16 + bit);
    const auto draw = static_cast<unsigned>(noise & 0xFFFFU);
    const unsigned lower = draw >= kA + kB;
    const unsigned right = lower != 0 ? draw >= kA + kB + kC : draw >= kA;
    from = 2 * from + lower;
    to = 2 * to + right;
  }
  // Low numbers would have most of the edges: a bijection scatters them.
  const Vertex mask = (Vertex{1} << bits) - 1;
  return {from * 0x9E3779B1U & mask, to * 0x9E3779B1U & mask};
}

/// Undirected, in compressed sparse rows: the neighbours of v are neighbours[first[v]] up to
/// neighbours[first[v + 1]].
struct Graph {
  static constexpr std::size_t kEdgeFactor = 8;

  /// `vertices` is a power of two.
  explicit Graph(std::size_t vertices)
      : first(vertices + 2), neighbours(2 * kEdgeFactor * vertices) {
    std::vector<Edge> edges(kEdgeFactor * vertices);
    const auto bits = static_cast<unsigned>(std::bit_width(vertices) - 1);
    for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = rmat_edge(i, bits);
    for (const Edge& edge : edges) {
      ++first[edge.from + 2];
      ++first[edge.to + 2];
    }
    for (std::size_t v = 2; v < first.size(); ++v) first[v] += first[v - 1];
    // Placing an edge moves first[v + 1] from where v's neighbours begin to where they end.
    for (const Edge& edge : edges) {
      neighbours[first[edge.from + 1]++] = edge.to;
      neighbours[first[edge.to + 1]++] = edge.from;
    }
  }

  std::vector<std::uint32_t> first;
  std::vector<Vertex> neighbours;
};

}  // namespace bench
