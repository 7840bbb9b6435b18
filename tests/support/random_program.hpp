// Random programs: trees of furca's calls that are made from a number. What one comes to depends on
// this number alone, and can be found out serially, too.
#pragma once

#include "trials.hpp"

#include <furca/algorithms.hpp>
#include <furca/furca.hpp>

namespace furca::test {

/// What a part of a random program throws.
struct Thrown {
  std::uint64_t value;
};

/// The number of the i-th part of a program.
inline std::uint64_t part(std::uint64_t program, std::uint64_t i) {
  return Random(program + 0x632be59bd9b4e019U * (i + 1)).next();
}

inline std::uint64_t fold(std::uint64_t so_far, std::uint64_t value) {
  return (so_far ^ value) * 0x100000001b3U;
}

inline std::uint64_t fold_all(const std::vector<std::uint64_t>& values) {
  std::uint64_t all = 0;
  for (const std::uint64_t value : values) all = fold(all, value);
  return all;
}

/// Some take a nanosecond, a few some microseconds.
inline std::uint64_t leaf(std::uint64_t program) {
  std::uint64_t value = program;
  for (std::uint64_t turns = program % 64 == 0 ? 2'000 : program % 8; turns > 0; --turns)
    value = fold(value, turns);
  return value;
}

inline std::uint64_t value(std::uint64_t program, int depth, bool serial);

/// The values of n parts, whichever way they are run.
template <class Run>
std::uint64_t of_parts(std::uint64_t program, std::size_t n, int depth, bool serial, Run run) {
  std::vector<std::uint64_t> values(n);
  const auto body = [&](std::size_t i) { values[i] = value(part(program, i), depth - 1, serial); };
  if (serial) {
    for (std::size_t i = 0; i < n; ++i) body(i);
  } else {
    run(n, body);
  }
  return fold_all(values);
}

inline std::uint64_t of_join(std::uint64_t program, int depth, bool serial) {
  const auto arm = [=](std::uint64_t i) {
    return [=] { return value(part(program, i), depth - 1, serial); };
  };
  if (serial) {
    // one statement each: arguments have no order, and an arm may throw
    std::uint64_t all = arm(0)();
    all = fold(all, arm(1)());
    return fold(all, arm(2)());
  }
  auto [a, b, c] = furca::join(arm(0), arm(1), arm(2));
  return fold(fold(a, b), c);
}

/// Of parts that throw, the first one's exception; its value is the program's.
inline std::uint64_t of_exceptions(std::uint64_t program, std::size_t n, int depth, bool serial) {
  try {
    return of_parts(program, n, depth, serial, [=](std::size_t count, const auto& body) {
      furca::parallel_for(std::size_t{0}, count, [&](std::size_t i) { body(i); });
    });
  } catch (const Thrown& thrown) {
    return thrown.value;
  }
}

inline std::uint64_t of_reduction(std::uint64_t program, std::size_t n, int depth, bool serial) {
  const auto map = [=](std::size_t i) { return value(part(program, i), depth - 1, serial); };
  if (!serial)
    return furca::parallel_reduce(std::size_t{0}, n, std::uint64_t{0}, map, std::plus<>{});
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += map(i);
  return sum;
}

/// A long one, of short iterations, with a value for each thread.
inline std::uint64_t of_numbers(std::uint64_t program, std::size_t n, bool serial) {
  std::uint64_t sum = 0;
  if (serial) {
    for (std::size_t i = 0; i < n; ++i) sum += leaf(program + i);
    return sum;
  }
  furca::PerWorker<std::uint64_t> sums;
  furca::parallel_for(std::size_t{0}, n, [&](std::size_t i) { sums.local() += leaf(program + i); });
  for (const std::uint64_t one : sums) sum += one;
  return sum;
}

/// Numbers are made, those of a kind kept, added up, and one of them looked for.
inline std::uint64_t of_algorithms(std::uint64_t program, std::size_t n, bool serial) {
  const auto number = [=](std::size_t i) { return leaf(program + i) % 1'000; };
  const auto odd = [](std::uint64_t x) { return x % 2 == 1; };
  std::vector<std::uint64_t> numbers;
  std::vector<std::uint64_t> kept;
  std::uint64_t found = 0;
  if (serial) {
    for (std::size_t i = 0; i < n; ++i) numbers.push_back(number(i));
    for (const std::uint64_t each : numbers)
      if (odd(each)) kept.push_back(each + (kept.empty() ? 0 : kept.back()));
    while (found < kept.size() && kept[found] < 40'000) ++found;
  } else {
    numbers = furca::tabulate(n, number);
    kept = furca::collect<std::uint64_t>(numbers,
                                         [&](std::uint64_t each, std::vector<std::uint64_t>& out) {
                                           if (odd(each)) out.push_back(each);
                                         });
    furca::inclusive_scan(kept, kept, std::plus<>{});
    found = static_cast<std::uint64_t>(
        furca::find_if(kept, [](std::uint64_t sum) { return sum >= 40'000; }) - kept.begin());
  }
  return fold(fold_all(kept), found);
}

/// What the program comes to. Throws Thrown, as serial execution would.
inline std::uint64_t value(std::uint64_t program, int depth, bool serial) {
  Random random(program);
  if (depth == 0) {
    if (random.below(256) == 0) throw Thrown{program};
    return leaf(program);
  }
  const std::size_t few = 1 + random.below(6);
  const std::size_t many = 1 + random.below(std::uint64_t{1} << (4 + random.below(9)));
  const std::uint64_t grain = 1 + random.below(4);
  switch (random.below(9)) {
    case 0:
      return of_join(program, depth, serial);
    case 1:
      return of_join(program, depth, serial);
    case 2:
      return of_parts(program, few, depth, serial, [=](std::size_t n, const auto& body) {
        furca::parallel_for(std::size_t{0}, n, body, {.grain = grain});
      });
    case 3:
      return of_parts(program, few, depth, serial, [](std::size_t n, const auto& body) {
        furca::scope([&](furca::Scope& tasks) {
          for (std::size_t i = 0; i < n; ++i) tasks.spawn([&body, i] { body(i); });
        });
      });
    case 4:
      return of_parts(program, few, depth, serial, [](std::size_t n, const auto& body) {
        furca::scope_fifo([&](furca::ScopeFifo& tasks) {
          for (std::size_t i = 0; i < n; ++i) tasks.spawn([&body, i] { body(i); });
        });
      });
    case 5:
      return of_exceptions(program, few, depth, serial);
    case 6:
      return of_reduction(program, few, depth, serial);
    case 7:
      return of_numbers(program, many, serial);
    default:
      return of_algorithms(program, many, serial);
  }
}

/// As value(), of which an exception is a part.
inline std::uint64_t outcome(std::uint64_t program, int depth, bool serial) {
  try {
    return value(program, depth, serial);
  } catch (const Thrown& thrown) {
    return ~thrown.value;
  }
}

}  // namespace furca::test
