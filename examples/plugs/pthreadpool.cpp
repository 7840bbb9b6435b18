// pthreadpool and furca on one pool.
#include <furca/furca.hpp>
#include <furca/plugs/pthreadpool.hpp>

#include <pthreadpool.h>
#include <cstdio>
#include <vector>

int main() {
  pthreadpool_executor furca_executor{furca::plugs::borrowed_threads, furca::plugs::borrow};
  pthreadpool_t threads = pthreadpool_create_v2(&furca_executor, nullptr, 0);

  std::vector<int> squares(1000);
  pthreadpool_parallelize_1d(
      threads,
      [](void* context, std::size_t i) { static_cast<int*>(context)[i] = static_cast<int>(i * i); },
      squares.data(), squares.size(), 0);
  std::printf("31 * 31 is %d\n", squares[31]);
  pthreadpool_destroy(threads);
}
