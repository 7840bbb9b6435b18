// The code of algorithms.md.
#include "../expect.hpp"

#include <furca/algorithms.hpp>
#include <furca/join.hpp>
#include <furca/scope.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

struct Edge {
  std::size_t from = 0;
  std::size_t to = 0;
};

struct Record {
  std::string name;
  double weight;
};

struct Vertex {
  std::vector<int> neighbours;
};

std::vector<std::size_t> map_and_collect(const std::vector<Record>& records) {
  return furca::map(records, [](const Record& r) { return r.name.size(); });
}

std::vector<Record> filter_and_collect(const std::vector<Record>& records) {
  return furca::filter(records, [](double weight) { return weight > 1; }, &Record::weight);
}

std::vector<int> flat_map(const std::vector<Vertex>& vertices) {
  return furca::collect<int>(vertices, [](const Vertex& v, std::vector<int>& out) {
    for (int w : v.neighbours)
      if (w >= 0) out.push_back(w);
  });
}

void zip_three(const std::vector<double>& x, const std::vector<double>& y, std::vector<double>& z) {
  furca::parallel_for(furca::zip(x, y, z), [](auto t) {
    auto& [a, b, c] = t;
    c = a + b;
  });
}

void with_numbers(std::vector<std::size_t>& ids) {
  furca::parallel_for(furca::enumerate(ids), [](auto each) { each.second = each.first; });
}

std::vector<double> peaks(const std::vector<double>& x) {
  return furca::map(furca::chunks(x, 1'024),
                    [](std::span<const double> c) { return *std::ranges::max_element(c); });
}

bool has_negative(const std::vector<double>& x) {
  return furca::any_of(x, [](double each) { return each < 0; });
}

const Record& lightest(const std::vector<Record>& records) {
  return *furca::min_element(records, {}, &Record::weight);
}

std::vector<std::size_t> offsets_of(const std::vector<Vertex>& vertices) {
  std::vector<std::size_t> offsets(vertices.size() + 1);
  offsets.back() =
      furca::exclusive_scan(vertices, offsets, std::size_t{0}, std::plus<>{}, [](const Vertex& v) {
        return v.neighbours.size();
      }).total;
  return offsets;
}

furca::Rows<int> graph_of(const std::vector<Vertex>& vertices) {
  return furca::collect_rows<int>(vertices, [](const Vertex& v, std::vector<int>& out) {
    out.insert(out.end(), v.neighbours.begin(), v.neighbours.end());
  });
}

void blur(std::size_t rows, std::size_t columns, const std::vector<float>& in,
          std::vector<float>& out) {
  furca::parallel_for(furca::tiles(rows, columns), [&](const furca::Tile& t) {
    for (std::size_t i = t.row_begin; i < t.row_end; ++i)
      for (std::size_t j = std::max<std::size_t>(t.column_begin, 1);
           j < std::min(t.column_end, columns - 1); ++j)
        out[i * columns + j] =
            (in[i * columns + j - 1] + in[i * columns + j] + in[i * columns + j + 1]) / 3;
  });
}

void without_repeats(std::vector<int>& ids) {
  furca::sort(ids);
  const auto rest = furca::unique(ids);
  ids.erase(rest.begin(), rest.end());
}

void by_weight(std::vector<Record>& records) {
  furca::sort(records, std::ranges::greater{}, &Record::weight);
}

void by_several_keys(std::vector<Record>& records) {
  // std::tie of strings copies none
  furca::sort(records, {}, [](const Record& r) { return std::tuple(r.name.size(), -r.weight); });
}

void by_column(std::vector<int>& days, std::vector<double>& prices) {
  // each price goes where its day goes; as many as the shorter one has
  furca::sort_by_key(days, prices);
}

auto most_frequent(const std::vector<std::string>& words, std::size_t number) {
  auto counts = furca::count_by(words);  // each word once, with its number
  const auto end = counts.begin() + static_cast<std::ptrdiff_t>(std::min(number, counts.size()));
  furca::partial_sort(counts, end, std::ranges::greater{},
                      [](const auto& count) { return count.second; });
  counts.erase(end, counts.end());
  return counts;
}

std::vector<int> merged(std::span<const std::vector<int>> lists) {
  if (lists.size() < 2) return lists.empty() ? std::vector<int>() : lists.front();
  const auto [left, right] = furca::join([=] { return merged(lists.first(lists.size() / 2)); },
                                         [=] { return merged(lists.subspan(lists.size() / 2)); });
  std::vector<int> all(left.size() + right.size());
  furca::merge(left, right, all);
  return all;
}

std::vector<std::pair<std::string, double>> total_of_each(const std::vector<Record>& records) {
  return furca::reduce_by(records, &Record::name, &Record::weight);
}

std::vector<double> heaviest_of_each(const std::vector<Record>& records) {
  const auto groups = furca::group_by(records, &Record::name, &Record::weight);
  return furca::map(groups.rows, [](std::span<const double> weights) {
    return *std::ranges::max_element(weights);
  });
}

furca::Rows<std::size_t> neighbours(const std::vector<Edge>& edges, std::size_t vertices) {
  return furca::group_by_index(edges, vertices, &Edge::from, &Edge::to);
}

void visit(int n, std::atomic<int>& visited, furca::Scope& s) {
  ++visited;
  for (int below = n / 2; below > 0; below /= 2) s.spawn([&, below] { visit(below, visited, s); });
}

int as_it_grows(int n) {
  std::atomic<int> visited{0};
  furca::scope([&](furca::Scope& s) { visit(n, visited, s); });
  return visited;
}

}  // namespace

int main() {
  using examples::expect;
  const std::vector<Record> records = {{"iron", 7.9}, {"cork", 0.2}, {"water", 1}, {"gold", 19.3}};
  expect(map_and_collect(records) == std::vector<std::size_t>{4, 4, 5, 4}, "lengths of names");
  expect(filter_and_collect(records).size() == 2, "what sinks");
  expect(lightest(records).name == "cork", "the lightest");

  const std::vector<Vertex> vertices = {{{1, -1, 2}}, {{}}, {{0}}};
  expect(flat_map(vertices) == std::vector<int>{1, 2, 0}, "neighbours that exist");
  expect(offsets_of(vertices) == std::vector<std::size_t>{0, 3, 3, 4}, "where rows begin");
  const furca::Rows<int> graph = graph_of(vertices);
  expect(graph.size() == 3 && graph[0].size() == 3 && graph[2][0] == 0, "a graph by rows");

  std::vector<double> x(3'000, 1);
  std::vector<double> z(x.size());
  zip_three(x, x, z);
  expect(furca::count(z, 2.0) == 3'000, "sums");
  x[2'000] = 5;
  expect(peaks(x) == std::vector<double>{1, 5, 1}, "a peak for each chunk");
  expect(!has_negative(x), "none is negative");
  std::vector<std::size_t> ids(1'000);
  with_numbers(ids);
  expect(ids[999] == 999, "numbers");
  const std::vector<float> in(40 * 30, 3);
  std::vector<float> out(in.size());
  blur(40, 30, in, out);
  expect(out[31] == 3 && out[30] == 0, "all but the margins");
  std::vector<int> several = {3, 1, 2, 3, 1, 3};
  without_repeats(several);
  expect(several == std::vector<int>{1, 2, 3}, "each once");
  std::vector<Record> some = records;
  by_weight(some);
  expect(some[0].name == "gold" && some[3].name == "cork", "the heaviest first");
  by_several_keys(some);
  expect(some[0].name == "gold" && some[2].name == "cork" && some[3].name == "water",
         "the shortest first, and of these the heaviest");
  std::vector<int> days = {2, 1};
  std::vector<double> prices = {20, 10};
  by_column(days, prices);
  expect(prices == std::vector<double>{10, 20}, "prices in the order of days");
  const std::vector<std::string> words = {"to", "be", "or", "not", "to", "be", "to"};
  const std::vector<std::pair<std::string, std::size_t>> twice = {{"to", 3}, {"be", 2}};
  expect(most_frequent(words, 2) == twice && most_frequent(words, 9).size() == 4,
         "the most frequent");
  const std::vector<std::vector<int>> lists = {{2, 5}, {}, {1, 2, 9}};
  expect(merged(lists) == std::vector<int>{1, 2, 2, 5, 9} && merged({}).empty(), "merged");
  const std::vector<Record> bars = {{"iron", 2}, {"gold", 1}, {"iron", 3}};
  expect(
      total_of_each(bars) == std::vector<std::pair<std::string, double>>{{"gold", 1}, {"iron", 5}},
      "the total of each");
  expect(heaviest_of_each(bars) == std::vector<double>{1, 3}, "the heaviest of each");
  expect(neighbours({{2, 0}, {0, 1}, {2, 1}}, 3).offsets == std::vector<std::size_t>{0, 1, 1, 3},
         "where each row begins");
  expect(as_it_grows(8) == 8, "work that finds more work");
  return examples::unexpected;
}
