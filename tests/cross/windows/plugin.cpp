// A DLL with furca inside, on the static library.
#include <furca/parallel_reduce.hpp>
#include <furca/spawn.hpp>

#include <functional>

/// 10'000, by the global pool's threads; one of them runs a detached task.
extern "C" __declspec(dllexport) int compute() {
  furca::spawn([] {});
  return furca::parallel_reduce(0, 10'000, 0, [](int) { return 1; }, std::plus<>{});
}
