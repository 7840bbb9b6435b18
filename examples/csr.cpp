// A graph in compressed sparse rows, made of a text with an edge "u v" on each line, as graph
// collections have them.
//
// Lines are read in pieces: `collect`. A vertex's neighbours lie side by side, behind those of the
// vertices before it: `exclusive_scan` over the degrees says where, and each edge takes the next
// free place there. The order in a row is that of the schedule until the row is sorted;
// `collect_rows` does that and leaves out what is there twice, and edges from a vertex to itself.
//
// Work O(b + n + m log d), for b bytes, n vertices, m edges and a largest degree of d. Span O(b / p
// + d log d), for p threads: a row is never split.
#include "arguments.hpp"
#include "text_pieces.hpp"
#include "timing.hpp"

#include <furca/algorithms.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iterator>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Vertex = std::uint32_t;
using Graph = furca::Rows<Vertex>;
constexpr Vertex kMostVertices = 100'000'000;

struct Edge {
  Vertex from;
  Vertex to;
  auto operator<=>(const Edge&) const = default;
};

/// Few vertices with many edges, many with few.
std::string generated(std::size_t edges) {
  std::mt19937_64 random(1735);
  std::uniform_real_distribution<double> share(0, 1);
  const auto vertices = static_cast<double>(edges / 4 + 1);
  const auto vertex = [&] {
    return std::to_string(static_cast<Vertex>(vertices * std::pow(share(random), 3)));
  };
  std::string text = "# from to\n";
  for (std::size_t k = 0; k < edges; ++k) text += vertex() + ' ' + vertex() + '\n';
  return text;
}

/// "u v", and whatever is behind it. Throws std::runtime_error for anything else.
Edge parsed(std::string_view line) {
  Edge edge{};
  const char* const end = line.data() + line.size();
  const auto [behind, error] = std::from_chars(line.data(), end, edge.from);
  const char* const second =
      std::find_if(behind, end, [](char c) { return c != ' ' && c != '\t'; });
  const auto [rest, other_error] = std::from_chars(second, end, edge.to);
  if (error != std::errc() || other_error != std::errc() || second == behind ||
      std::max(edge.from, edge.to) >= kMostVertices)
    throw std::runtime_error("not two numbers of vertices: '" + std::string(line) + "'");
  return edge;
}

void append_edges(std::string_view text, examples::Piece piece, std::vector<Edge>& out) {
  examples::for_each_line(text, piece, [&out](std::string_view line) {
    if (!line.empty() && !line.starts_with('#')) out.push_back(parsed(line));
  });
}

std::size_t vertices_of(const std::vector<Edge>& edges) {
  if (edges.empty()) return 0;
  const auto higher = [](const Edge& edge) { return std::max(edge.from, edge.to); };
  return std::size_t{higher(*furca::max_element(edges, {}, higher))} + 1;
}

Graph graph_in_parallel(std::string_view text, std::size_t piece) {
  const auto edges = furca::collect<Edge>(
      examples::pieces(text.size(), piece),
      [text](examples::Piece each, std::vector<Edge>& out) { append_edges(text, each, out); });
  std::vector<std::size_t> degrees(vertices_of(edges));
  const auto next = [](std::size_t& count) {
    return std::atomic_ref(count).fetch_add(1, std::memory_order_relaxed);
  };
  furca::parallel_for(edges, [&](const Edge& edge) { next(degrees[edge.from]); });
  std::vector<std::size_t> ends(degrees.size());  // of what is in a row: its beginning, for now
  furca::exclusive_scan(degrees, ends, std::size_t{0});
  std::vector<Vertex> targets(edges.size());
  furca::parallel_for(edges, [&](const Edge& edge) { targets[next(ends[edge.from])] = edge.to; });

  const auto row = [&](std::size_t v) {
    return std::span(targets).subspan(ends[v] - degrees[v], degrees[v]);
  };
  return furca::collect_rows<Vertex>(
      furca::enumerate(furca::lazy(degrees.size(), row)),
      [](auto numbered, std::vector<Vertex>& out) {
        const auto [v, neighbours] = numbered;
        std::sort(neighbours.begin(), neighbours.end());
        const auto end = std::unique(neighbours.begin(), neighbours.end());
        std::copy_if(neighbours.begin(), end, std::back_inserter(out),
                     [self = v](Vertex w) { return w != self; });
      });
}

Graph graph_serially(std::string_view text) {
  std::vector<Edge> edges;
  append_edges(text, {0, text.size()}, edges);
  const std::size_t vertices = vertices_of(edges);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::erase_if(edges, [](const Edge& edge) { return edge.from == edge.to; });
  Graph graph{std::vector<std::size_t>(vertices + 1), {}};
  for (const Edge& edge : edges) {
    ++graph.offsets[edge.from + 1];
    graph.values.push_back(edge.to);
  }
  std::partial_sum(graph.offsets.begin(), graph.offsets.end(), graph.offsets.begin());
  return graph;
}

}  // namespace

int main(int argc, char** argv) {
  examples::Arguments arguments(argc, argv,
                                "usage: csr [--piece BYTES] [--edges N] [FILE]\n"
                                "Makes a graph of the edges in FILE, one \"u v\" a line; without "
                                "one, of N generated edges (default 500000).\n"
                                "--piece: how long the pieces of the text are (default 65536).\n");
  const std::size_t piece = arguments.option("--piece", 65'536, 1, 1'000'000'000);
  const std::size_t edges = arguments.option("--edges", 500'000, 0, 100'000'000);
  const std::vector<std::string> files = arguments.rest();
  if (files.size() > 1) arguments.fail("more than one FILE");

  Graph serial;
  Graph parallel;
  double serial_time = 0;
  double parallel_time = 0;
  try {
    const std::string text = files.empty() ? generated(edges) : examples::read_file(files.front());
    parallel_time = examples::seconds([&] { parallel = graph_in_parallel(text, piece); });
    serial_time = examples::seconds([&] { serial = graph_serially(text); });
  } catch (const std::exception& error) {
    arguments.fail(error.what());
  }
  if (serial.offsets != parallel.offsets || serial.values != parallel.values)
    return examples::disagreement("the neighbours of a vertex");

  std::printf("%zu vertices, %zu edges", parallel.size(), parallel.values.size());
  if (!parallel.empty()) {
    const auto largest =
        furca::max_element(parallel, {}, [](std::span<const Vertex> row) { return row.size(); });
    const auto alone =
        furca::count_if(parallel, [](std::span<const Vertex> row) { return row.empty(); });
    std::printf("; vertex %td has the most, %zu; %td have none", largest - parallel.begin(),
                (*largest).size(), alone);
  }
  std::printf("\n");
  examples::print_comparison(serial_time, parallel_time);
  return 0;
}
