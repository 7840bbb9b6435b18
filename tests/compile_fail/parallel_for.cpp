// Wrong calls of parallel_for.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/parallel_for.hpp>
#include <furca/progress.hpp>
#include <furca/views.hpp>

#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

void right(std::vector<int>& v) {
  furca::parallel_for(0, 10, [](int) {});
  furca::parallel_for(v, [](int&) {}, {.grain = 64});
}

void wrong(std::vector<int>& v, const std::vector<int>& constant, std::vector<bool>& bits,
           std::vector<std::unique_ptr<int>>& fixed, std::vector<std::string>& words,
           std::list<int>& list, std::map<int, int>& map, furca::StopToken token,
           furca::Progress& progress) {
  // furca: write parallel_for(first, last, [&](int i) { ... }) for integers
  furca::parallel_for([](int) {}, 0, 10);
  // furca: write parallel_for(first, last,
  furca::parallel_for(0, 10, [](int& i) { ++i; });
  // furca: write parallel_for(first, last,
  furca::parallel_for(0, 10, [] {});
  // furca: write parallel_for(first, last,
  furca::parallel_for(0, 10, [](double* x) { *x = 0; });
  // furca: write parallel_for(first, last,
  furca::parallel_for(0, 10, [] {}, {.grain = 4});
  // furca: write parallel_for(first, last,
  furca::parallel_for(0, 10, [](std::string) {}, {});
  // options stand behind: {.grain = 64,
  furca::parallel_for(0, 10, [](int) {}, {.chunk = 64});
  // a ThreadLimit or a ThreadPool sets the number of threads
  furca::parallel_for(v, [](int) {}, {.grain = 64, .threads = 2});
  // .progress = &progress
  furca::parallel_for(0, 10, [](int) {}, {.progress = progress});
  // options stand behind: {.grain = 64,
  furca::parallel_for(0, 10, [](int) {}, 64);
  // options stand behind: {.grain = 64,
  furca::parallel_for(v, [](int&) {}, 64);
  // options stand behind: {.grain = 64,
  furca::parallel_for(0, 10, [](int) {}, token);
  // parallel_for(v, [&](auto& element) { ... }) for elements
  furca::parallel_for(words, [](int) {});
  // const auto& if const
  furca::parallel_for(constant, [](int& number) { number = 0; });
  // parallel_for(v, [&](auto& element)
  furca::parallel_for(fixed, [](std::unique_ptr<int> p) { p.reset(); });
  // auto if computed as those of zip
  furca::parallel_for(furca::zip(v, v),
                      [](std::tuple<int&, int&>& pair) { std::get<0>(pair) = 1; });
  // furca: elements of a std::vector<bool> share bytes
  furca::parallel_for(bits, [](auto bit) { bit = true; });
  // furca: write parallel_for(first, last, [&](int i) { ... }) for integers
  furca::parallel_for(0.0, 1.0, [](double) {});
  // furca: write parallel_for(first, last, [&](int i) { ... }) for integers
  furca::parallel_for(false, true, [](bool) {});
  // std::span(first, last) for a part
  furca::parallel_for(v.begin(), v.end(), [](int&) {});
  // std::span(first, last) for a part
  furca::parallel_for(v.data(), v.size(), [](int&) {});
  // v is one range, as a std::vector
  furca::parallel_for(list, [](int&) {});
  // v is one range, as a std::vector
  furca::parallel_for(map, [](auto&) {});
  // furca: write parallel_for(first, last,
  furca::parallel_for(10, [](int) {});
  // furca: a loop counts by one: for every step-th index write
  furca::parallel_for(0, 10, 2, [](int) {});
}
