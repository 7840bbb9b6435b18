// Packing and partitioning, in use.
#include "../expect.hpp"

#include <furca/pack.hpp>

#include <vector>

namespace {

struct Record {
  int number;
  double weight;
};

void keep_some() {
  const std::vector<Record> records = {{1, 0.5}, {2, 3}, {3, 2}, {4, 0.1}};
  //! [filter]
  const std::vector<Record> heavy =
      furca::filter(records, [](double weight) { return weight > 1; }, &Record::weight);
  //! [filter]
  examples::expect(heavy.size() == 2 && heavy[0].number == 2 && heavy[1].number == 3,
                   "the heavy ones, in their order");
  std::vector<Record> out(records.size());
  //! [copy_if]
  const auto end =
      furca::copy_if(records, out, [](const Record& record) { return record.weight < 1; }).out;
  //! [copy_if]
  examples::expect(end - out.begin() == 2 && out[1].number == 4, "the light ones");
}

void erase_some() {
  std::vector<int> ids = {3, 3, 4, 7, 7, 7, 9};
  //! [unique]
  const auto repeated = furca::unique(ids);
  ids.erase(repeated.begin(), repeated.end());
  //! [unique]
  examples::expect(ids == std::vector<int>{3, 4, 7, 9}, "each once");
  //! [remove_if]
  const auto odd = furca::remove_if(ids, [](int id) { return id % 2 == 1; });
  ids.erase(odd.begin(), odd.end());
  //! [remove_if]
  examples::expect(ids == std::vector<int>{4}, "the even ones");
}

void divide() {
  std::vector<int> numbers = {5, 2, 8, 1, 4};
  const auto is_small = [](int number) { return number < 5; };
  //! [partition]
  const auto large = furca::partition(numbers, is_small);
  //! [partition]
  examples::expect(large.size() == 2, "two are not small");
  numbers = {5, 2, 8, 1, 4};
  //! [stable_partition]
  const auto rest = furca::stable_partition(numbers, is_small);
  //! [stable_partition]
  examples::expect(numbers == std::vector<int>{2, 1, 4, 5, 8} && *rest.begin() == 5,
                   "in their order");
}

}  // namespace

int main() {
  keep_some();
  erase_some();
  divide();
  return examples::unexpected;
}
