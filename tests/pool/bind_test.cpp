// Started threads that stay on one processor each.
#include <furca/furca.hpp>

#include "support/forked.hpp"
#include "support/observe.hpp"
#include "support/subprocess.hpp"
#include "support/temporary_directory.hpp"
#include "system/linux/files.hpp"
#include "system/placement.hpp"
#include "system/processors.hpp"
#include "system/thread.hpp"

#include <filesystem>
#include <fstream>

#if defined(__linux__)
#include <sched.h>
#endif

using namespace furca::test;
using furca::detail::affinity_mask;
using furca::detail::kNoProcessor;
using furca::detail::near_each_other;
using furca::detail::Processor;
using furca::detail::restrict_to;

namespace {

using Processors = std::vector<Processor>;

/// A temporary directory that plays /sys/devices/system/cpu.
class FakeMachine {
 public:
  /// A file of one processor.
  void write(Processor processor, const std::string& file, const std::string& line) const {
    const std::filesystem::path path = directory(processor) / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << line << '\n';
  }

  /// One with two levels of caches, of which the second is the last. `threads` and `sharers`: lists
  /// as the kernel writes them.
  void add(Processor processor, const std::string& threads, const std::string& sharers,
           int node) const {
    write(processor, "topology/core_cpus_list", threads);
    write(processor, "cache/index0/level", "1");
    write(processor, "cache/index0/shared_cpu_list", threads);
    write(processor, "cache/index1/level", "3");
    write(processor, "cache/index1/shared_cpu_list", sharers);
    std::filesystem::create_directory(directory(processor) / ("node" + std::to_string(node)));
  }

  Processors order(Processors processors) const {
    return near_each_other(std::move(processors), root_.path().string());
  }

 private:
  std::filesystem::path directory(Processor processor) const {
    return root_.path() / ("cpu" + std::to_string(processor));
  }

  TemporaryDirectory root_;
};

Processors first(int count) {
  Processors processors(static_cast<std::size_t>(count));
  std::iota(processors.begin(), processors.end(), 0);
  return processors;
}

/// Each thread's affinity mask: the caller's, and then by their numbers those of the started
/// threads.
std::vector<Processors> masks_of(furca::ThreadPool& pool) {
  return pool.broadcast([] { return affinity_mask(); });
}

/// On a thread of its own, whose affinity mask may be changed.
template <class F>
void on_another_thread(F f) {
  std::thread(f).join();
}

/// On all but the caller's.
template <class F>
void on_started_threads(furca::ThreadPool& pool, F f) {
  pool.broadcast([&, caller = std::this_thread::get_id()] {
    if (std::this_thread::get_id() != caller) f();
  });
}

/// What the global pool's started threads may run on.
const ChildProcess global_pool{
    "the global pool, bound", [] {
      for (const Processors& mask : furca::broadcast([] { return affinity_mask(); }))
        std::printf("%zu ", mask.size());
      return 0;
    }};

Ending with(std::optional<std::string> bind) {
  return global_pool.run(
      {.environment = {{"FURCA_BIND", std::move(bind)}, {"FURCA_NUM_THREADS", "3"}}});
}

}  // namespace

// --- which processors are near each other --------------------------------------------------------

TEST_CASE("hardware threads of the same core come last, memory nodes and caches stay together") {
  // two nodes, two caches in each, two cores with each cache; hardware threads are numbered n and n
  // + 8, and nodes alternate
  const FakeMachine machine;
  for (int core = 0; core < 8; ++core) {
    const int node = core % 2;
    const int cache = core % 4;  // shared with the core four further on
    const std::string threads = std::to_string(core) + "," + std::to_string(core + 8);
    const std::string sharers = std::to_string(cache) + "," + std::to_string(cache + 4) + "," +
                                std::to_string(cache + 8) + "," + std::to_string(cache + 12);
    machine.add(core, threads, sharers, node);
    machine.add(core + 8, threads, sharers, node);
  }
  CHECK(machine.order(first(16)) ==
        Processors{0, 4, 2, 6, 1, 5, 3, 7, 8, 12, 10, 14, 9, 13, 11, 15});
  // 8 and 7 are the first of their cores that there are
  CHECK(machine.order({15, 9, 8, 7, 1}) == Processors{8, 1, 7, 9, 15});
  CHECK(machine.order({5}) == Processors{5});
  CHECK(machine.order({}).empty());
}

TEST_CASE("hardware threads of a core with numbers that follow each other") {
  const FakeMachine machine;
  for (int processor = 0; processor < 8; ++processor) {
    const int core = processor / 2 * 2;
    machine.add(processor, std::to_string(core) + "-" + std::to_string(core + 1),
                processor < 4 ? "0-3" : "4-7", 0);
  }
  CHECK(machine.order(first(8)) == Processors{0, 2, 4, 6, 1, 3, 5, 7});
}

TEST_CASE(
    "the last level of a cache counts, whatever its index, and an older kernel's name of a core's "
    "list") {
  const FakeMachine machine;
  for (int processor = 0; processor < 4; ++processor) {
    machine.write(processor, "topology/thread_siblings_list", processor % 2 == 0 ? "0,2" : "1,3");
    machine.write(processor, "cache/index0/level", "2");
    machine.write(processor, "cache/index0/shared_cpu_list", processor % 2 == 0 ? "0,2" : "1,3");
    machine.write(processor, "cache/index1/level", "1");
    machine.write(processor, "cache/index1/shared_cpu_list", std::to_string(processor));
  }
  CHECK(machine.order(first(4)) == Processors{0, 1, 2, 3});
}

TEST_CASE("where the system tells nothing the order is that of the numbers") {
  const FakeMachine machine;
  CHECK(machine.order({3, 1, 2, 0}) == first(4));
  machine.write(2, "topology/core_cpus_list", "no list");
  machine.write(2, "cache/index0/level", "");
  CHECK(machine.order({3, 1, 2, 0}) == first(4));
  CHECK(near_each_other({1, 0}, "/nowhere") == first(2));
}

// --- threads -------------------------------------------------------------------------------------

TEST_CASE(
    "each started thread is bound to one processor, the next ones to others; the caller is left "
    "alone") {
  if (built_portable()) return;
  const Processors mine = affinity_mask();
  REQUIRE(!mine.empty());
  const Processors order = near_each_other(mine);
  for (const std::size_t threads : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{5},
                                    mine.size(), 2 * mine.size() + 1}) {
    CAPTURE(threads);
    furca::ThreadPool pool({.threads = threads, .bind = true});
    const std::vector<Processors> masks = masks_of(pool);
    REQUIRE(masks.size() == threads);
    CHECK(masks.front() == mine);
    for (std::size_t thread = 1; thread < threads; ++thread)
      CHECK(masks[thread] == Processors{order[thread % order.size()]});
    CHECK(affinity_mask() == mine);
  }
  furca::ThreadPool free({.threads = 3});
  for (const Processors& mask : masks_of(free)) CHECK(mask == mine);
}

TEST_CASE("bound threads compute, sleep and are woken, and stay where they are") {
  if (built_portable()) return;
  furca::ThreadPool pool({.threads = 4, .bind = true});
  const std::vector<Processors> before = masks_of(pool);
  for (int round = 0; round < 20; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const long sum = pool.install([] {
      return furca::parallel_reduce(0, 100'000, 0L, [](int i) { return long{i}; }, std::plus<>{});
    });
    CHECK(sum == 4'999'950'000);
  }
  CHECK(masks_of(pool) == before);
}

TEST_CASE("only processors that the maker of the pool may use; a hook has the last word") {
  if (built_portable()) return;
  on_another_thread([] {
    const Processor last = affinity_mask().back();
    const Processor other = affinity_mask().front();
    REQUIRE(restrict_to({{last}}));
    furca::ThreadPool pool({.threads = 3, .bind = true});
    CHECK(masks_of(pool) == std::vector<Processors>(3, {last}));
    furca::ThreadPool hooked({.threads = 2,
                              .start_hook = [other](std::size_t) { restrict_to({{other}}); },
                              .bind = true});
    CHECK(masks_of(hooked).back() == Processors{other});
  });
}

/// The default number of threads is found out once per process, here by a started thread of a bound
/// pool.
const ChildProcess first_asked_when_bound{"a bound thread asks first how many threads there are",
                                          [] {
                                            furca::ThreadPool pool({.threads = 2, .bind = true});
                                            pool.broadcast([] { furca::ThreadPool inner; });
                                            std::printf("%zu", furca::num_threads());
                                            return 0;
                                          }};

/// The same, by a thread of the program's that a bound one starts, and that has its mask.
const ChildProcess first_asked_by_a_thread_of_a_bound_one{
    "a thread of a bound one asks first how many threads there are", [] {
      furca::ThreadPool pool({.threads = 2, .bind = true});
      pool.broadcast([] { std::thread([] { furca::parallel_for(0, 10, [](int) {}); }).join(); });
      std::printf("%zu", furca::num_threads());
      return 0;
    }};

TEST_CASE("what a bound thread asks first does not make the global pool smaller") {
  if (built_portable()) return;
  for (const ChildProcess* const asked :
       {&first_asked_when_bound, &first_asked_by_a_thread_of_a_bound_one}) {
    const Ending ending = asked->run({.environment = {{"FURCA_NUM_THREADS", std::nullopt}}});
    INFO(ending);
    CHECK(ending.cleanly(0));
    CHECK(ending.output == std::to_string(furca::detail::usable_processors()));
  }
}

TEST_CASE("the task thread of a bound pool of one leaves the first processor to the caller") {
  if (built_portable()) return;
  const Processors order = near_each_other(affinity_mask());
  for (const bool inside : {false, true}) {
    furca::ThreadPool pool({.threads = 1, .bind = true});
    Processors there;
    std::atomic<bool> ran{false};
    const auto spawn = [&] {
      pool.spawn([&] {
        there = affinity_mask();
        ran = true;
      });
    };
    inside ? pool.install(spawn) : spawn();
    // not by wait_idle(), in which this thread may run it
    eventually([&ran] { return ran.load(); });
    CHECK(there == Processors{order[1 % order.size()]});
  }
}

TEST_CASE(
    "pools that a bound thread makes have the processors that it could have been bound to, and the "
    "one that it has first") {
  if (built_portable() || affinity_mask().size() < 2) return;
  const Processors mine = affinity_mask();
  const Processors order = near_each_other(mine);
  furca::ThreadPool pool({.threads = 2, .bind = true});
  on_started_threads(pool, [&] {
    const Processors here = affinity_mask();
    CHECK(here == Processors{order[1]});
    CHECK(furca::detail::processors_in_affinity_mask() == mine.size());
    furca::ThreadPool free({.threads = 3});
    CHECK(masks_of(free) == std::vector<Processors>{here, mine, mine});
    furca::ThreadPool bound({.threads = 2, .bind = true});
    CHECK(masks_of(bound) == std::vector<Processors>{here, Processors{order[2 % order.size()]}});
    CHECK(affinity_mask() == here);
  });
}

TEST_CASE("who changes a bound thread's mask has the last word for the pools that it makes, too") {
  if (built_portable() || affinity_mask().size() < 2) return;
  const Processor other = near_each_other(affinity_mask()).front();
  // bound to the second one
  furca::ThreadPool pool(
      {.threads = 2, .start_hook = [other](std::size_t) { restrict_to({{other}}); }, .bind = true});
  on_started_threads(pool, [&] {
    CHECK(furca::detail::processors_in_affinity_mask() == 1);
    furca::ThreadPool inner({.threads = 2});
    CHECK(masks_of(inner) == std::vector<Processors>(2, {other}));
  });
}

TEST_CASE(
    "the task thread of a pool of one may run anywhere, though the thread that needs it first is "
    "bound") {
  if (built_portable() || affinity_mask().size() < 2) return;
  const Processors mine = affinity_mask();
  furca::ThreadPool bound({.threads = 2, .bind = true});
  furca::ThreadPool one({.threads = 1});
  Processors there;
  std::atomic<bool> ran{false};
  on_started_threads(bound, [&] {
    one.spawn([&] {
      there = affinity_mask();
      ran = true;
    });
  });
  eventually([&ran] { return ran.load(); });
  CHECK(there == mine);
}

#if defined(__linux__)
TEST_CASE("a child that a bound thread forks has all processors again") {
  if (built_portable() || affinity_mask().size() < 2) return;
  const Processors mine = affinity_mask();
  furca::ThreadPool pool({.threads = 2, .bind = true});
  on_started_threads(pool, [&] {
    CHECK(furca::detail::find_binding().has_value());
    const ForkedEnd end = in_forked_child([&] {
      // no memory from the heap: a thread that is gone may have held its locks
      std::array<cpu_set_t, 8> mask;
      return sched_getaffinity(0, sizeof mask, mask.data()) == 0 &&
                     static_cast<std::size_t>(CPU_COUNT_S(sizeof mask, mask.data())) ==
                         mine.size() &&
                     !furca::detail::find_binding()
                 ? 0
                 : 1;
    });
    CHECK(end.exit_code == 0);
  });
}
#endif

TEST_CASE("the smallest stack that the system allows is enough, bound or not") {
  for (const bool bind : {false, true}) {
    furca::ThreadPool pool(
        {.threads = 2, .stack_size = furca::detail::Thread::least_stack_size(), .bind = bind});
    CHECK(pool.broadcast([] { return 1; }) == std::vector<int>(2, 1));
  }
}

TEST_CASE("a processor that cannot be: the mask stays as it is") {
  on_another_thread([] {
    const Processors before = affinity_mask();
    CHECK_FALSE(restrict_to({}));
    for (const Processor processor : {kNoProcessor, -5, 60'000, 65'536, 1'000'000}) {
      CAPTURE(processor);
      CHECK_FALSE(restrict_to({{processor}}));
      CHECK(affinity_mask() == before);
    }
  });
}

TEST_CASE("FURCA_BIND=1 binds the global pool, and says so") {
  if (built_portable()) return;
  const std::string all = std::to_string(affinity_mask().size());
  for (const auto& free : {with(std::nullopt), with("0"), with("")}) {
    INFO(free);
    CHECK(free.cleanly(0));
    CHECK(free.output == all + " " + all + " " + all + " ");
  }
  const Ending bound = with("1");
  INFO(bound);
  CHECK(bound.cleanly(0));
  CHECK(bound.output == all + " 1 1 ");

  const Ending wrong = with("yes");
  INFO(wrong);
  CHECK(wrong.output == all + " " + all + " " + all + " ");
  CHECK(wrong.errors == "furca: FURCA_BIND=yes ignored: it can be 0 or 1\n");

  const Ending told =
      global_pool.run({.environment = {{"FURCA_BIND", "1"}, {"FURCA_DISPLAY", "1"}}});
  INFO(told);
  CHECK(told.errors.find("fence, started threads bound to a processor each\n") !=
        std::string::npos);
}
