// map, tabulate, collect, collect_rows, flatten, in use.
#include "../expect.hpp"

#include <furca/collect.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

//! [Mapping]
/// The names of all elements, as f tells them.
template <class T, class F>
  requires furca::Mapping<F, const T&>
auto names(const std::vector<T>& elements, F f) {
  return furca::map(elements, f);
}
//! [Mapping]

//! [MappedValue]
template <class T, class F>
using Names = std::vector<furca::MappedValue<F, const T&>>;
//! [MappedValue]

//! [Appending]
/// What f finds in all files.
template <class Result, class File, class F>
  requires furca::Appending<F, const File&, Result>
std::vector<Result> search(const std::vector<File>& files, F f) {
  return furca::collect<Result>(files, f);
}
//! [Appending]

void new_containers() {
  const std::vector<std::string> words = {"fork", "and", "join"};
  //! [map]
  const std::vector<std::size_t> lengths =
      furca::map(words, [](const std::string& word) { return word.size(); });
  //! [map]
  examples::expect(lengths == std::vector<std::size_t>{4, 3, 4}, "the length of each word");
  const auto first = [](const std::string& word) { return word[0]; };
  static_assert(std::is_same_v<Names<std::string, decltype(first)>, std::vector<char>>);
  examples::expect(names(words, first) == std::vector<char>{'f', 'a', 'j'}, "the first letters");
  //! [tabulate]
  const std::vector<double> halves =
      furca::tabulate(1000, [](std::size_t i) { return 0.5 * static_cast<double>(i); });
  //! [tabulate]
  examples::expect(halves[999] == 499.5, "half of each number");
  //! [Vector]
  // nobody writes zeros first
  const furca::Vector<double> squares =
      furca::map<furca::Vector>(halves, [](double x) { return x * x; });
  //! [Vector]
  examples::expect(squares[10] == 25, "the squares");
  //! [UninitializedAllocator]
  std::vector<float, furca::UninitializedAllocator<float>> scratch(1'000'000);  // without values
  //! [UninitializedAllocator]
  examples::expect(scratch.size() == 1'000'000, "room for a million");
  // By hand, as a container does it.
  using Allocator = furca::UninitializedAllocator<float>;
  static_assert(Allocator::is_always_equal::value && std::is_same_v<Allocator::value_type, float>);
  static_assert(Allocator::propagate_on_container_move_assignment::value);
  Allocator allocator;
  float* const number = allocator.allocate(1);
  allocator.construct(number, 1.5F);
  examples::expect(*number == 1.5F, "a number with a value");
  allocator.deallocate(number, 1);
}

struct Vertex {
  std::vector<int> neighbours;
};

void any_number_each() {
  const std::vector<Vertex> vertices = {{{1, 2}}, {{0}}, {{}}, {{0, 1, 2}}};
  //! [collect]
  const std::vector<int> larger =
      furca::collect<int>(vertices, [](const Vertex& vertex, std::vector<int>& out) {
        for (const int neighbour : vertex.neighbours)
          if (neighbour > 0) out.push_back(neighbour);
      });
  //! [collect]
  examples::expect(larger == std::vector<int>{1, 2, 1, 2}, "in the order of the vertices");
  //! [collect_rows]
  const auto graph =
      furca::collect_rows<int>(vertices, [](const Vertex& vertex, std::vector<int>& out) {
        out.insert(out.end(), vertex.neighbours.begin(), vertex.neighbours.end());
      });
  const std::span<const int> of_last = graph[3];
  //! [collect_rows]
  examples::expect(of_last.size() == 3 && graph[2].empty(), "a row for each vertex");
  examples::expect(graph.offsets[3] == 3 && graph.values.size() == 6,
                   "where the last row begins, and all values");
  //! [Rows]
  const furca::Rows<int>& rows = graph;
  const std::vector<std::size_t> degrees =
      furca::map(rows, [](std::span<const int> row) { return row.size(); });
  //! [Rows]
  examples::expect(degrees == std::vector<std::size_t>{2, 1, 0, 3}, "the length of each row");
  examples::expect(search<int>(
                       std::vector<int>{3, 4},
                       [](int file, std::vector<int>& out) {
                         out.push_back(file);
                       }).size() == 2,
                   "one in each file");
}

void one_of_many() {
  std::vector<std::vector<std::string>> pages = {{"a", "b"}, {}, {"c"}};
  //! [flatten]
  // moved, since the pages are given away
  const std::vector<std::string> lines = furca::flatten(std::move(pages));
  //! [flatten]
  examples::expect(lines == std::vector<std::string>{"a", "b", "c"}, "all lines");
}

}  // namespace

int main() {
  new_containers();
  any_number_each();
  one_of_many();
  return examples::unexpected;
}
