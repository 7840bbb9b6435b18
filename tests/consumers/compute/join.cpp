// A program that needs forks and joins, and takes no more than that.
#include <furca/join.hpp>

static long fib(long n) {
  if (n < 2) return n;
  const auto [left, right] = furca::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return left + right;
}

int main() { return fib(15) == 610 ? 0 : 1; }
