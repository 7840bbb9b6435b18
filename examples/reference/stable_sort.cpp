// Stable sorting, in use.
#include "../expect.hpp"

#include <furca/stable_sort.hpp>

#include <string>
#include <vector>

namespace {

struct Person {
  std::string name;
  int age;
};

void sort_people() {
  std::vector<Person> people = {{"Ada", 36}, {"Ben", 20}, {"Cleo", 36}, {"Dan", 20}};
  //! [stable_sort]
  furca::stable_sort(people, {}, &Person::age);  // those of the same age stay in their order
  //! [stable_sort]
  examples::expect(people[0].name == "Ben" && people[1].name == "Dan" && people[2].name == "Ada",
                   "by age");
}

}  // namespace

int main() {
  sort_people();
  return examples::unexpected;
}
