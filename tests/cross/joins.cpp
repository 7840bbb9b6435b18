#include <cstdint>
#include <furca/join.hpp>
using Number = std::uint64_t;
using furca::join;
extern "C" {
// the end of a recursion is the first path
Number fib(Number n) {
  if (n < 2) return n;
  const auto [a, b] = join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}
Number fib_of_two_words(Number n, Number more) {
  if (n < 2) return n + more;
  const auto [a, b] = join([n, more] { return fib_of_two_words(n - 1, more); },
                           [n, more] { return fib_of_two_words(n - 2, more); });
  return a + b;
}
Number fib_of_four(Number n) {
  if (n < 4) return n;
  const auto [a, b, c, d] =
      join([n] { return fib_of_four(n - 1); }, [n] { return fib_of_four(n - 2); },
           [n] { return fib_of_four(n - 3); }, [n] { return fib_of_four(n - 4); });
  return a + b + c + d;
}
Number fib_by_reference(Number n) {
  if (n < 2) return n;
  Number a, b;
  join([&] { a = fib_by_reference(n - 1); }, [&] { b = fib_by_reference(n - 2); });
  return a + b;
}
}
