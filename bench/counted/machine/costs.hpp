// What a machine's steps cost, and how its cores lie: a file for each kind of machine in machines/.
#pragma once

#include <cstdint>
#include <string>

namespace counted {

/// Picoseconds: sums of whole numbers are the same everywhere.
using Time = std::int64_t;

constexpr Time nanoseconds(double ns) noexcept { return static_cast<Time>(ns * 1'000 + 0.5); }

struct Costs {
  // Cores: number k is in cache k / cores_per_cache; processor k is one of core k % cores.
  int cores_per_cache = 4;
  int cores_per_socket = 64;
  int threads_per_core = 1;
  double slowdown = 1.6;  // of work, while the core's other thread runs
  double body = 1;        // so many times as long as a body says it works

  // A cache line's way, and what needs none.
  Time hit = nanoseconds(1);
  Time near = nanoseconds(24);      // from a core in the same cache
  Time transfer = nanoseconds(94);  // in the same socket
  Time far = nanoseconds(197);      // beyond
  Time follow = nanoseconds(20);    // between two copies of one line
  Time locked = nanoseconds(5);     // an instruction that reads and writes
  Time fence = nanoseconds(8);      // beside the wait for the stores before it
  Time clock = nanoseconds(15);     // to read it
  Time pause = nanoseconds(20);     // of a thread that looks again
  Time yield = nanoseconds(300);    // with nobody else to run
  Time syscall = nanoseconds(300);  // that does nothing

  // The system. One heavy fence at a time takes heavy_base + heavy_each * running threads, and
  // each of those loses an interrupt.
  Time heavy_base = nanoseconds(2'000);
  Time heavy_each = nanoseconds(50);
  Time interrupt = nanoseconds(1'000);
  Time wait_call = nanoseconds(1'500);  // to fall asleep
  Time wake_call = nanoseconds(5'000);  // of the waker, for each thread
  Time wake_up = nanoseconds(30'000);   // from then on until the thread runs
  Time thread_start = nanoseconds(20'000);
  Time slice = nanoseconds(3'000'000);  // of a processor that several threads want
  Time change = nanoseconds(2'000);     // from one of them to another
  // A processor is taken away at such intervals (0: never), and for so long; on average, at random.
  Time taken_every = 0;
  Time taken_for = nanoseconds(50'000);

  // The data of loops' bodies. Bytes, and bytes for each nanosecond.
  double own_cache = 512 << 10;    // of a core
  double shared_cache = 16 << 20;  // of cores_per_cache
  double shared_rate = 25;         // a core reads so much of its shared cache
  double memory_rate = 14;         // of its socket's memory
  double far_rate = 8;             // of another socket's
  double socket_rate = 150;        // and all cores of one socket's memory
};

/// Reads lines "name value" and comments after #. Throws std::runtime_error.
Costs read_costs(const std::string& file);

/// "name=value". Throws std::runtime_error.
void set_cost(Costs& costs, const std::string& assignment);

/// All names with their values, a line each.
std::string list(const Costs& costs);

}  // namespace counted
