// Sorting, in use.
#include "../expect.hpp"

#include <furca/sort.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

namespace {

struct Planet {
  std::string name;
  double mass;  // of the Earth's
  int moons;
};

void sort_planets() {
  std::vector<Planet> planets = {{"Earth", 1, 1},
                                 {"Jupiter", 318, 95},
                                 {"Mars", 0.1, 2},
                                 {"Venus", 0.8, 0},
                                 {"Mercury", 0.06, 0}};
  //! [sort]
  // the lightest first
  furca::sort(planets, {}, &Planet::mass);
  // the heaviest first
  furca::sort(planets, std::ranges::greater{}, &Planet::mass);
  // by several keys
  furca::sort(planets, {}, [](const Planet& p) { return std::tie(p.moons, p.name); });
  //! [sort]
  examples::expect(
      planets[0].name == "Mercury" && planets[1].name == "Venus" && planets[4].name == "Jupiter",
      "by moons, then by name");
}

void sort_columns() {
  //! [sort_by_key]
  std::vector<int> days = {3, 1, 2};
  std::vector<std::string> notes = {"third", "first", "second"};
  furca::sort_by_key(days, notes);
  //! [sort_by_key]
  examples::expect(notes == std::vector<std::string>{"first", "second", "third"},
                   "notes in the order of days");
}

void sort_less() {
  std::vector<double> times = {5, 1, 4, 2, 3};
  //! [nth_element]
  const auto middle = times.begin() + times.size() / 2;
  furca::nth_element(times, middle);
  const double median = *middle;
  //! [nth_element]
  examples::expect(median == 3, "the median");
  //! [partial_sort]
  furca::partial_sort(times, times.begin() + 2);
  //! [partial_sort]
  examples::expect(times[0] == 1 && times[1] == 2, "the two fastest");
}

}  // namespace

int main() {
  sort_planets();
  sort_columns();
  sort_less();
  return examples::unexpected;
}
