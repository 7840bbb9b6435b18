// join, in use.
#include "../expect.hpp"

#include <furca/join.hpp>

#include <stdexcept>
#include <string>

namespace {

//! [join]
long fibonacci(long n) {
  if (n < 2) return n;
  auto [a, b] = furca::join([=] { return fibonacci(n - 1); }, [=] { return fibonacci(n - 2); });
  return a + b;
}
//! [join]

//! [JoinArm]
template <furca::JoinArm First, furca::JoinArm Second>
void both_or_one_by_one(bool both, First first, Second second) {
  if (both) {
    furca::join(first, second);
  } else {
    first();
    second();
  }
}
//! [JoinArm]

/// Arms of different kinds, and one that throws.
void more_of_join() {
  int count = 0;
  auto [word, number] =
      furca::join([] { return std::string("three arms"); }, [&] { count = 1; }, [] { return 2.5; });
  examples::expect(word == "three arms" && number == 2.5 && count == 1,
                   "the arm that returns nothing drops out");

  try {
    furca::join([] { throw std::runtime_error("first"); },
                [] { throw std::runtime_error("second"); });
    examples::expect(false, "an exception leaves the join");
  } catch (const std::runtime_error& error) {
    examples::expect(std::string(error.what()) == "first",
                     "it is the one that serial execution would have thrown");
  }
}

}  // namespace

int main() {
  examples::expect(fibonacci(20) == 6765, "fibonacci(20) is 6765");
  more_of_join();
  int sum = 0;
  both_or_one_by_one(false, [&] { sum += 1; }, [&] { sum += 2; });
  examples::expect(sum == 3, "both arms have run");
  return examples::unexpected;
}
