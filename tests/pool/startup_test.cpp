// How the global pool comes up: what the environment says. (When threads cannot be created:
// fault/thread_creation_test.cpp.)
#include <furca/furca.hpp>

#include "support/observe.hpp"
#include "support/subprocess.hpp"
#include "system/processors.hpp"

#include <sched.h>

using namespace furca::test;

namespace {

/// Prints what the tests below want to know of a process that uses the global pool.
const ChildProcess global_pool{
    "the global pool", [] {
      const ThreadIds before = thread_ids();
      const std::size_t promised = furca::num_threads();
      bool right = computes();
      std::atomic<bool> other{false};
      if (promised > 1)
        // on another thread, or never
        furca::join([&] { eventually([&] { return other.load(); }); }, [&] { other = true; });
      const ThreadIds started = threads_since(before);
      // whatever the fence
      for (const std::string& id : started) eventually([&id] { return is_asleep(id); });
      right = right && computes() && furca::num_threads() == promised;
      std::printf("%zu threads, %zu started, %s fence\n", promised, started.size(),
                  furca::detail::StdAtomics::asymmetric() ? "adaptive" : "classic");
      return right ? 0 : 1;
    }};

/// Many threads that make their first calls at the same time.
const ChildProcess at_once{"threads that begin at once", [] {
                             std::atomic<int> missing{16};
                             std::vector<std::jthread> threads;
                             for (int i = missing; i > 0; --i)
                               threads.emplace_back([&missing] {
                                 --missing;
                                 while (missing > 0) std::this_thread::yield();
                                 furca::detail::StdAtomics::asymmetric();
                               });
                             return 0;
                           }};

using Variables = std::vector<std::pair<std::string, std::optional<std::string>>>;

Ending with(Variables environment) {
  return global_pool.run({.environment = std::move(environment)});
}

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

}  // namespace

TEST_CASE("FURCA_NUM_THREADS is the size of the global pool") {
  for (const std::size_t size : {1U, 2U, 3U, 17U}) {
    const Ending ending = with({{"FURCA_NUM_THREADS", std::to_string(size)}});
    INFO(ending);
    CHECK(ending.cleanly(0));
    CHECK(starts_with(ending.output,
                      std::to_string(size) + " threads, " + std::to_string(size - 1) + " started"));
  }
}

TEST_CASE("an unset or empty FURCA_NUM_THREADS means the default, without a word") {
  const Ending unset = with({{"FURCA_NUM_THREADS", std::nullopt}});
  INFO(unset);
  CHECK(unset.cleanly(0));
  CHECK(starts_with(unset.output, std::to_string(furca::num_threads()) + " threads, "));
  const Ending empty = with({{"FURCA_NUM_THREADS", ""}});
  INFO(empty);
  CHECK(empty.cleanly(0));
  CHECK(empty.output == unset.output);
}

TEST_CASE("a FURCA_NUM_THREADS that is no number from 1 to 4096 is reported once and ignored") {
  const std::string expected = with({{"FURCA_NUM_THREADS", std::nullopt}}).output;
  for (const char* value :
       {"0", "-2", "abc", "99999999999999999999", "4097", "2x", " 2", "+2", "1.5", "0x2"}) {
    const Ending ending = with({{"FURCA_NUM_THREADS", value}});
    INFO(ending);
    CHECK(ending.exit_code == 0);
    CHECK(ending.output == expected);
    CHECK(ending.error_lines() == 1);
    CHECK(ending.errors == std::string("furca: FURCA_NUM_THREADS=") + value +
                               " ignored: it must be a whole number from 1 to 4096\n");
  }
}

TEST_CASE("FURCA_FENCE chooses the fence") {
  const Ending unset = with({});
  INFO(unset);
  CHECK(unset.cleanly(0));
  const bool offered = unset.output.find("adaptive") != std::string::npos;

  const Ending classic = with({{"FURCA_FENCE", "classic"}});
  INFO(classic);
  CHECK(classic.cleanly(0));
  CHECK(classic.output == "3 threads, 2 started, classic fence\n");

  const Ending adaptive = with({{"FURCA_FENCE", "adaptive"}});
  INFO(adaptive);
  CHECK(adaptive.exit_code == 0);
  CHECK(adaptive.output == unset.output);
  CHECK(adaptive.error_lines() == (offered ? 0 : 1));
  if (!offered) CHECK(starts_with(adaptive.errors, "furca: FURCA_FENCE=adaptive: "));

  const Ending empty = with({{"FURCA_FENCE", ""}});
  CHECK(empty.cleanly(0));
  CHECK(empty.output == unset.output);

  const Ending nonsense = with({{"FURCA_FENCE", "nonsense"}});
  INFO(nonsense);
  CHECK(nonsense.exit_code == 0);
  CHECK(nonsense.output == unset.output);
  CHECK(nonsense.errors == "furca: FURCA_FENCE=nonsense ignored: it can be classic or adaptive\n");
  for (int i = 0; i < 10; ++i) {
    CHECK(at_once.run({.environment = {{"FURCA_FENCE", "nonsense"}}}).errors == nonsense.errors);
    CHECK(at_once.run({.environment = {{"FURCA_FENCE", "adaptive"}}}).errors == adaptive.errors);
  }
}

TEST_CASE("an affinity mask of one processor means one thread") {
  if (built_portable()) return;
  // The mask goes from this thread to the child and to nobody else.
  cpu_set_t before;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  int processor = 0;
  while (!CPU_ISSET(processor, &before)) ++processor;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  CHECK(furca::detail::processors_in_affinity_mask() == 1);
  CHECK(furca::detail::usable_processors() == 1);
  const Ending ending = with({{"FURCA_NUM_THREADS", std::nullopt}});
  // a wish beyond the mask is granted, and works
  const Ending more = with({{"FURCA_NUM_THREADS", "4"}});
  sched_setaffinity(0, sizeof before, &before);
  INFO(ending);
  CHECK(ending.cleanly(0));
  CHECK(starts_with(ending.output, "1 threads, 0 started"));
  INFO(more);
  CHECK(more.cleanly(0));
  CHECK(starts_with(more.output, "4 threads, 3 started"));
}
