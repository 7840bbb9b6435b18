// Affinity masks when a thread starts, and while it sleeps.
#include "system/placement.hpp"
#include "system/thread.hpp"

#include "support/standard.hpp"

#if defined(__linux__) && !defined(FURCA_PORTABLE)

#include <filesystem>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using furca::detail::Affinity;
using furca::detail::current_processor;
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
  bool has(Processor processor) const {
    return CPU_ISSET(static_cast<unsigned>(processor), &mask_);
  }
  bool operator==(const Mask& other) const { return CPU_EQUAL(&mask_, &other.mask_); }

  /// The thread, 0 the calling one, may run on this one alone.
  static void set(Processor processor, pid_t thread = 0) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(static_cast<unsigned>(processor), &mask);
    REQUIRE(sched_setaffinity(thread, sizeof mask, &mask) == 0);
  }
  void restore(pid_t thread = 0) const {
    REQUIRE(sched_setaffinity(thread, sizeof mask_, &mask_) == 0);
  }

 private:
  cpu_set_t mask_;
};

/// The process was started on fewer processors than the system would give it.
bool restricted(const Mask& mask) {
  Affinity affinity;
  const bool kept_off = affinity.keep_off(mask.processors().front());
  if (kept_off) affinity.let_back();
  return !kept_off;
}

/// Masks are a thread's own.
template <class F>
void on_another_thread(F f) {
  std::thread(f).join();
}

}  // namespace

TEST_CASE("a thread is kept off a processor to the end of the block, again and again") {
  on_another_thread([] {
    const Mask before;
    Affinity affinity;
    for (int round = 0; round < 3; ++round) {
      for (const Processor processor : before.processors()) {
        CAPTURE(processor);
        {
          const bool off = affinity.keep_off(processor);
          const bool alone = before.processors().size() == 1;
          if (alone || !restricted(before)) CHECK(Mask().has(processor) == alone);
          if (!Mask().has(processor)) CHECK(current_processor() != processor);
          if (off) affinity.let_back();
        }
        CHECK(Mask() == before);
      }
    }
  });
}

TEST_CASE(
    "no processor, one that is not in the mask, one that cannot be: the mask stays as it is") {
  on_another_thread([] {
    const Mask before;
    Affinity affinity;
    for (const Processor processor : {kNoProcessor, -5, 1'000, 1'023, 1'024, 1'000'000}) {
      CAPTURE(processor);
      if (processor < CPU_SETSIZE && processor > 0 && before.has(processor)) continue;
      CHECK_FALSE(affinity.keep_off(processor));
      CHECK(Mask() == before);
    }
  });
}

TEST_CASE("a thread that somebody has restricted is left alone") {
  on_another_thread([] {
    const std::vector<Processor> processors = Mask().processors();
    Mask::set(processors.back());
    Affinity affinity;
    for (int round = 0; round < 3; ++round) {
      CHECK_FALSE(affinity.keep_off(processors.back()));
      CHECK_FALSE(affinity.keep_off(processors.front()));
      CHECK(Mask().processors() == std::vector{processors.back()});
    }
  });
}

TEST_CASE("who restricts a thread while it is kept off, or after that, has the last word") {
  on_another_thread([] {
    const Mask before;
    const std::vector<Processor> processors = before.processors();
    if (processors.size() < 2 || restricted(before)) return;
    Affinity affinity;
    REQUIRE(affinity.keep_off(processors[0]));
    Mask::set(processors[0]);
    affinity.let_back();
    CHECK(Mask().processors() == std::vector{processors[0]});
    CHECK_FALSE(affinity.keep_off(processors[0]));

    before.restore();
    Affinity later;
    REQUIRE(later.keep_off(processors[0]));
    later.let_back();
    Mask::set(processors[1]);
    CHECK_FALSE(later.keep_off(processors[0]));
    CHECK(Mask().processors() == std::vector{processors[1]});
  });
}

TEST_CASE("who restricts all threads to what one has while it is kept off has the last word") {
  const Mask before;
  const std::vector<Processor> processors = before.processors();
  if (processors.size() != 2 || restricted(before)) return;
  const auto restrict_all = [&] {
    Mask::set(processors[1]);
    Mask::set(processors[1], getpid());
  };
  on_another_thread([&] {
    Affinity affinity;
    REQUIRE(affinity.keep_off(processors[0]));
    restrict_all();
    affinity.let_back();
    CHECK(Mask().processors() == std::vector{processors[1]});
    CHECK_FALSE(affinity.keep_off(processors[0]));
    before.restore(getpid());
  });
  on_another_thread([&] {
    CHECK(furca::detail::bind({processors[1], &processors}));
    CHECK(furca::detail::find_binding());
    restrict_all();
    CHECK_FALSE(furca::detail::find_binding());
    before.restore(getpid());
  });
  // It had that mask before: that tells nothing.
  on_another_thread([&] {
    Affinity affinity;
    Mask::set(processors[1], getpid());
    REQUIRE(affinity.keep_off(processors[0]));
    affinity.let_back();
    CHECK(Mask() == before);
    before.restore(getpid());
  });
}

namespace {

/// What a thread of furca's is when it begins.
struct Begin {
  Processor processor = kNoProcessor;
  std::optional<Mask> mask;

  Begin() {
    furca::detail::Thread thread(
        [](void* argument) {
          auto& self = *static_cast<Begin*>(argument);
          self.processor = current_processor();
          self.mask.emplace();
        },
        this, "begin", 0);
    thread.join();
  }
};

}  // namespace

TEST_CASE("a new thread has the processors of its starter") {
  on_another_thread([] {
    const Mask before;
    CHECK(*Begin().mask == before);
    Mask::set(before.processors().back());
    CHECK(Begin().mask->processors() == std::vector{before.processors().back()});
  });
}

TEST_CASE("who restricts all threads while a new one has not begun has the last word") {
  const Mask before;
  const std::vector<Processor> processors = before.processors();
  if (processors.size() < 2) return;
  on_another_thread([&] {
    for (const Processor processor : {processors[0], processors[1]}) {
      Mask::set(processor, getpid());
      CHECK(furca::detail::other_processors() == furca::detail::ProcessorMask{});
      Mask::set(processors[1]);
      furca::detail::take_back();
      CHECK(Mask().processors() == std::vector{processor});
      before.restore();
    }
    before.restore(getpid());
    furca::detail::take_back();
    CHECK(Mask() == before);
  });
}

TEST_CASE("who restricts all threads while new ones begin has the last word") {
  const auto threads = [] {  // the first one first
    std::vector<pid_t> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
      found.push_back(std::stoi(entry.path().filename()));
    return found;
  };
  const std::vector<pid_t> there = threads();
  const Mask before;
  struct {
    Processor to;
    std::atomic<bool> done{false};
    std::atomic<int> escaped{0};
  } restriction{before.processors().back()};
  for (int round = 0; round < 100; ++round) {
    restriction.done = false;
    std::thread restricting([&] {
      std::set<pid_t> known(there.begin() + 1, there.end());
      for (int pass = 0; pass < 2; ++pass)
        for (const pid_t thread : threads())
          if (known.insert(thread).second) Mask::set(restriction.to, thread);
      restriction.done = true;
    });
    const auto begin = [](void* argument) {
      auto& its = *static_cast<decltype(restriction)*>(argument);
      while (!its.done) std::this_thread::yield();
      if (Mask().processors() != std::vector{its.to}) ++its.escaped;
    };
    std::vector<furca::detail::Thread> begun;
    for (int i = 0; i < 8; ++i) begun.emplace_back(begin, &restriction, "begin", 0);
    restricting.join();
    for (furca::detail::Thread& thread : begun) thread.join();
    before.restore();
  }
  CHECK(restriction.escaped.load() == 0);
}

#if defined(__GLIBC__) && __GLIBC__ * 100 + __GLIBC_MINOR__ >= 234
TEST_CASE("a new thread begins on another processor than its starter's") {
  if (Mask().processors().size() < 2) return;
  int elsewhere = 0;
  for (int i = 0; i < 20; ++i) {
    const Processor here = current_processor();
    if (Begin().processor != here) ++elsewhere;
  }
  CHECK(elsewhere > 10);  // or it was moved meanwhile
}
#endif

TEST_CASE("a new thread begins anywhere if the system lets nobody say where") {
  on_another_thread([] {
    const Mask before;
    std::array<sock_filter, 4> refuse{{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_setaffinity, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    }};
    const sock_fprog program{static_cast<unsigned short>(refuse.size()), refuse.data()};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
      return;  // the system has no such filters
    CHECK(*Begin().mask == before);
  });
}

#endif
