// Trees of files as Linux has them for machines of several kinds.
#include "topology.hpp"

#include "../../../tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using bench::Border;
using bench::numbers_of_threads;
using bench::read_topology;
using bench::Topology;

namespace {

/// A temporary directory that plays /sys/devices/system.
class FakeSystem {
 public:
  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << '\n';
  }

  void remove(const std::string& file) const { std::filesystem::remove_all(root_ / file); }

  std::string path() const { return root_.string(); }

 private:
  furca::test::TemporaryDirectory directory_;
  const std::filesystem::path& root_ = directory_.path();
};

std::string span_of(unsigned first, unsigned count) {
  return std::to_string(first) + "-" + std::to_string(first + count - 1);
}

std::vector<int> first_processors(unsigned count) {
  std::vector<int> all;
  for (unsigned i = 0; i < count; ++i) all.push_back(static_cast<int>(i));
  return all;
}

/// As kernels number them: first one hardware thread of every core, then the second ones. All
/// counts are of cores.
void make_machine(const FakeSystem& system, unsigned cores, unsigned threads_of_core,
                  unsigned per_cache, unsigned per_node, unsigned per_socket) {
  for (unsigned cpu = 0; cpu < cores * threads_of_core; ++cpu) {
    const unsigned core = cpu % cores;
    const std::string at = "cpu/cpu" + std::to_string(cpu) + "/";
    const auto all_of = [&](unsigned first, unsigned count) {
      return threads_of_core == 1 ? span_of(first, count)
                                  : span_of(first, count) + "," + span_of(first + cores, count);
    };
    system.write(at + "topology/core_cpus_list",
                 threads_of_core == 1 ? std::to_string(core)
                                      : std::to_string(core) + "," + std::to_string(core + cores));
    system.write(at + "topology/physical_package_id", std::to_string(core / per_socket));
    system.write(at + "cache/index0/level", "1");
    system.write(at + "cache/index0/shared_cpu_list", std::to_string(core));
    system.write(at + "cache/index3/level", "3");
    system.write(at + "cache/index3/shared_cpu_list",
                 all_of(core / per_cache * per_cache, per_cache));
  }
  for (unsigned node = 0; node < cores / per_node; ++node) {
    const std::string second =
        threads_of_core == 1 ? "" : "," + span_of(cores + node * per_node, per_node);
    system.write("node/node" + std::to_string(node) + "/cpulist",
                 span_of(node * per_node, per_node) + second);
  }
}

std::string text_of(const std::vector<Border>& borders) {
  std::string text;
  for (const Border& border : borders)
    text += std::to_string(border.threads) + ": " + border.meaning + "\n";
  return text;
}

}  // namespace

TEST_CASE(
    "two sockets of 32 cores, eight to a cache, sixteen to a memory node, two hardware threads "
    "each") {
  const FakeSystem system;
  make_machine(system, 64, 2, 8, 16, 32);
  const Topology found = read_topology(system.path(), first_processors(128));
  CHECK(found.processors == 128);
  CHECK(found.cores == 64);
  CHECK(found.caches == 8);
  CHECK(found.nodes == 4);
  CHECK(found.sockets == 2);
  CHECK(text_of(found.borders) ==
        "8: the cores of one last-level cache\n"
        "16: the cores of one memory node\n"
        "32: the cores of one socket\n"
        "64: all cores; beyond, two threads share a core\n"
        "128: all processors; beyond, threads take turns\n");
  CHECK(numbers_of_threads(found, 128) == std::vector<unsigned>{1, 2, 4, 8, 16, 32, 64, 128});
}

TEST_CASE("borders that no doubling meets are measured too; several at one number are one") {
  const FakeSystem system;
  make_machine(system, 48, 1, 6, 24, 24);
  const Topology found = read_topology(system.path(), first_processors(48));
  CHECK(text_of(found.borders) ==
        "6: the cores of one last-level cache\n"
        "24: the cores of one memory node, the cores of one socket\n"
        "48: all cores; beyond, threads take turns\n");
  CHECK(numbers_of_threads(found, 48) == std::vector<unsigned>{1, 2, 4, 6, 8, 16, 24, 32, 48});
  CHECK(numbers_of_threads(found, 100) ==
        std::vector<unsigned>{1, 2, 4, 6, 8, 16, 24, 32, 48, 64, 100});
  CHECK(numbers_of_threads(found, 1) == std::vector<unsigned>{1});
}

TEST_CASE("only the processors that the program may run on count") {
  const FakeSystem system;
  make_machine(system, 16, 2, 8, 16, 16);
  const Topology both_threads = read_topology(system.path(), {0, 1, 2, 16, 17, 18});
  CHECK(both_threads.cores == 3);
  CHECK(both_threads.caches == 1);
  CHECK(text_of(both_threads.borders) ==
        "3: all cores; beyond, two threads share a core\n"
        "6: all processors; beyond, threads take turns\n");
  const Topology unequal = read_topology(system.path(), {0, 1, 2, 8});
  CHECK(unequal.caches == 2);
  CHECK(text_of(unequal.borders) ==
        "3: the cores of one last-level cache\n4: all cores; beyond, threads take turns\n");
}

TEST_CASE("a quota is a border, rounded up, if it is less than the processors") {
  const FakeSystem system;
  make_machine(system, 4, 1, 4, 4, 4);
  CHECK(text_of(read_topology(system.path(), first_processors(4), 1.5).borders) ==
        "2: the quota; beyond, threads wait for their share\n4: all cores; beyond, threads take "
        "turns\n");
  CHECK(read_topology(system.path(), first_processors(4), 4.0).borders.size() == 1);
  CHECK(read_topology(system.path(), first_processors(4), 0.25).borders.front().threads == 1);
}

TEST_CASE("older kernels, and what is missing or garbled") {
  const FakeSystem system;
  make_machine(system, 4, 1, 2, 4, 2);
  for (const char* const cpu : {"0", "1", "2", "3"}) {
    const std::string topology = std::string("cpu/cpu") + cpu + "/topology/";
    system.remove(topology + "core_cpus_list");
    system.write(topology + "thread_siblings_list", cpu);
  }
  CHECK(read_topology(system.path(), first_processors(4)).cores == 4);

  system.remove("cpu/cpu3/cache");
  system.remove("node");
  const Topology partly = read_topology(system.path(), first_processors(4));
  CHECK(partly.caches == 0);
  CHECK(partly.nodes == 0);
  CHECK(text_of(partly.borders) ==
        "2: the cores of one socket\n4: all cores; beyond, threads take turns\n");

  system.write("node/node0/cpulist", "x,-,3-1,,");
  CHECK(read_topology(system.path(), first_processors(4)).nodes == 0);
  const Topology nothing = read_topology(system.path() + "/nowhere", first_processors(4));
  CHECK(nothing.cores == 0);
  CHECK(text_of(nothing.borders) == "4: all processors; beyond, threads take turns\n");
  CHECK(read_topology(system.path(), {}).borders.empty());
}
