// Affinity masks while a thread sleeps.
#include "system/placement.hpp"

#include <doctest/doctest.h>

#if defined(__linux__) && !defined(FURCA_PORTABLE)

#include <vector>

#include <sched.h>

using furca::detail::current_processor;
using furca::detail::KeptOff;
using furca::detail::kNoProcessor;
using furca::detail::Processor;

namespace {

class Mask {
 public:
  Mask() { REQUIRE(sched_getaffinity(0, sizeof mask_, &mask_) == 0); }

  std::vector<Processor> processors() const {
    std::vector<Processor> found;
    for (Processor processor = 0; processor < CPU_SETSIZE; ++processor)
      if (has(processor)) found.push_back(processor);
    return found;
  }
  bool has(Processor processor) const { return CPU_ISSET(static_cast<unsigned>(processor), &mask_); }
  bool operator==(const Mask& other) const { return CPU_EQUAL(&mask_, &other.mask_); }

  /// The calling thread may run on this one alone.
  static void set(Processor processor) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(static_cast<unsigned>(processor), &mask);
    REQUIRE(sched_setaffinity(0, sizeof mask, &mask) == 0);
  }
  void restore() const { REQUIRE(sched_setaffinity(0, sizeof mask_, &mask_) == 0); }

 private:
  cpu_set_t mask_;
};

}  // namespace

TEST_CASE("a thread is kept off a processor to the end of the block") {
  const Mask before;
  for (const Processor processor : before.processors()) {
    CAPTURE(processor);
    {
      const KeptOff off(processor);
      const bool alone = before.processors().size() == 1;
      CHECK(Mask().has(processor) == alone);
      if (!alone) CHECK(current_processor() != processor);
      CHECK(Mask().processors().size() == before.processors().size() - (alone ? 0 : 1));
    }
    CHECK(Mask() == before);
  }
}

TEST_CASE("no processor, one that is not in the mask, one that cannot be: the mask stays as it is") {
  const Mask before;
  for (const Processor processor : {kNoProcessor, -5, 1'000, 8'191, 8'192, 1'000'000}) {
    CAPTURE(processor);
    if (processor == 1'000 && before.has(processor)) continue;
    const KeptOff off(processor);
    CHECK(Mask() == before);
  }
  CHECK(Mask() == before);
}

TEST_CASE("a thread that may run on one processor alone is not kept off it") {
  const Mask before;
  const Processor only = before.processors().back();
  Mask::set(only);
  {
    const KeptOff off(only);
    CHECK(Mask().processors() == std::vector{only});
  }
  CHECK(Mask().processors() == std::vector{only});
  before.restore();
}

TEST_CASE("who changes a mask meanwhile has the last word") {
  const Mask before;
  const std::vector<Processor> processors = before.processors();
  if (processors.size() < 2) return;
  {
    const KeptOff off(processors[0]);
    Mask::set(processors[0]);
  }
  CHECK(Mask().processors() == std::vector{processors[0]});
  before.restore();
}

#endif
