// A recursion that forks in each call, without cut-off, and the ways to write its arms: what they
// compute is assigned to variables of the function, as somebody writes it who comes from
// parallel_invoke, or returned; the argument is captured by value or by reference. arms
// fib|three|four WAY short|full; prints seconds.
#include <furca/furca.hpp>

#include "timed.hpp"

#include <cstdint>
#include <cstring>

namespace {

// Two arms.

std::uint64_t plain_fib(std::uint64_t n) { return n < 2 ? n : plain_fib(n - 1) + plain_fib(n - 2); }

std::uint64_t assigned_fib(std::uint64_t n) {
  if (n < 2) return n;
  std::uint64_t a, b;
  furca::join([&] { a = assigned_fib(n - 1); }, [&] { b = assigned_fib(n - 2); });
  return a + b;
}

std::uint64_t mixed_fib(std::uint64_t n) {
  if (n < 2) return n;
  std::uint64_t a, b;
  furca::join([n, &a] { a = mixed_fib(n - 1); }, [n, &b] { b = mixed_fib(n - 2); });
  return a + b;
}

std::uint64_t returned_fib(std::uint64_t n) {
  if (n < 2) return n;
  const auto [a, b] =
      furca::join([=] { return returned_fib(n - 1); }, [=] { return returned_fib(n - 2); });
  return a + b;
}

std::uint64_t returned_ref_fib(std::uint64_t n) {
  if (n < 2) return n;
  const auto [a, b] =
      furca::join([&] { return returned_ref_fib(n - 1); }, [&] { return returned_ref_fib(n - 2); });
  return a + b;
}

// Three.

std::uint64_t plain_three(std::uint64_t n) {
  return n < 3 ? n : plain_three(n - 1) + plain_three(n - 2) + plain_three(n - 3);
}

std::uint64_t assigned_three(std::uint64_t n) {
  if (n < 3) return n;
  std::uint64_t a, b, c;
  furca::join([&] { a = assigned_three(n - 1); }, [&] { b = assigned_three(n - 2); },
              [&] { c = assigned_three(n - 3); });
  return a + b + c;
}

std::uint64_t mixed_three(std::uint64_t n) {
  if (n < 3) return n;
  std::uint64_t a, b, c;
  furca::join([n, &a] { a = mixed_three(n - 1); }, [n, &b] { b = mixed_three(n - 2); },
              [n, &c] { c = mixed_three(n - 3); });
  return a + b + c;
}

std::uint64_t returned_three(std::uint64_t n) {
  if (n < 3) return n;
  const auto [a, b, c] =
      furca::join([=] { return returned_three(n - 1); }, [=] { return returned_three(n - 2); },
                  [=] { return returned_three(n - 3); });
  return a + b + c;
}

std::uint64_t returned_ref_three(std::uint64_t n) {
  if (n < 3) return n;
  const auto [a, b, c] = furca::join([&] { return returned_ref_three(n - 1); },
                                     [&] { return returned_ref_three(n - 2); },
                                     [&] { return returned_ref_three(n - 3); });
  return a + b + c;
}

// Four.

std::uint64_t plain_four(std::uint64_t n) {
  return n < 4 ? n : plain_four(n - 1) + plain_four(n - 2) + plain_four(n - 3) + plain_four(n - 4);
}

std::uint64_t assigned_four(std::uint64_t n) {
  if (n < 4) return n;
  std::uint64_t a, b, c, d;
  furca::join([&] { a = assigned_four(n - 1); }, [&] { b = assigned_four(n - 2); },
              [&] { c = assigned_four(n - 3); }, [&] { d = assigned_four(n - 4); });
  return a + b + c + d;
}

std::uint64_t mixed_four(std::uint64_t n) {
  if (n < 4) return n;
  std::uint64_t a, b, c, d;
  furca::join([n, &a] { a = mixed_four(n - 1); }, [n, &b] { b = mixed_four(n - 2); },
              [n, &c] { c = mixed_four(n - 3); }, [n, &d] { d = mixed_four(n - 4); });
  return a + b + c + d;
}

std::uint64_t returned_four(std::uint64_t n) {
  if (n < 4) return n;
  const auto [a, b, c, d] =
      furca::join([=] { return returned_four(n - 1); }, [=] { return returned_four(n - 2); },
                  [=] { return returned_four(n - 3); }, [=] { return returned_four(n - 4); });
  return a + b + c + d;
}

std::uint64_t returned_ref_four(std::uint64_t n) {
  if (n < 4) return n;
  const auto [a, b, c, d] = furca::join(
      [&] { return returned_ref_four(n - 1); }, [&] { return returned_ref_four(n - 2); },
      [&] { return returned_ref_four(n - 3); }, [&] { return returned_ref_four(n - 4); });
  return a + b + c + d;
}

struct Way {
  const char* name;
  std::uint64_t (*function)(std::uint64_t n);
};

struct Recursion {
  const char* name;
  Way ways[5];
  std::uint64_t short_n;
  std::uint64_t full_n;
};

constexpr Recursion kRecursions[] = {
    {"fib",
     {{"plain", plain_fib},
      {"by-reference", assigned_fib},
      {"mixed", mixed_fib},
      {"returned", returned_fib},
      {"returned-by-reference", returned_ref_fib}},
     30,
     38},
    {"three",
     {{"plain", plain_three},
      {"by-reference", assigned_three},
      {"mixed", mixed_three},
      {"returned", returned_three},
      {"returned-by-reference", returned_ref_three}},
     24,
     30},
    {"four",
     {{"plain", plain_four},
      {"by-reference", assigned_four},
      {"mixed", mixed_four},
      {"returned", returned_four},
      {"returned-by-reference", returned_ref_four}},
     23,
     28},
};

}  // namespace

int main(int argc, char** argv) {
  for (const Recursion& recursion : kRecursions) {
    for (const Way& way : recursion.ways) {
      if (argc != 4 || std::strcmp(argv[1], recursion.name) != 0 ||
          std::strcmp(argv[2], way.name) != 0)
        continue;
      const std::uint64_t n =
          std::strcmp(argv[3], "full") == 0 ? recursion.full_n : recursion.short_n;
      const auto run = [&] {
        return bench::print_time(recursion.ways[0].function(n),
                                 [&] { return way.function(bench::unknown(n)); });
      };
      const bool right = &way == recursion.ways ? run() : furca::ThreadPool().install(run);
      return right ? 0 : 1;
    }
  }
  std::fputs(
      "usage: arms fib|three|four plain|by-reference|mixed|returned|returned-by-reference "
      "short|full\n",
      stderr);
  return 2;
}
