#include "system/processors.hpp"

#include "support/allocations.hpp"
#include "support/forked.hpp"
#include "support/observe.hpp"
#include "support/temporary_directory.hpp"
#include "system/environment.hpp"
#include "system/linux/files.hpp"

#include <filesystem>
#include <fstream>

#include <sched.h>

using furca::detail::cgroup_quota;
using furca::detail::default_thread_count;
using furca::detail::parse_thread_count;
using furca::detail::processors_in_affinity_mask;
using furca::test::ForkedEnd;
using furca::test::in_forked_child;

namespace {

/// A temporary directory that plays /proc/self/cgroup and /sys/fs/cgroup.
class FakeSystem {
 public:
  FakeSystem() { std::filesystem::create_directory(root_ / "mount"); }

  FakeSystem& member_of(const std::string& lines) { return write(root_ / "membership", lines); }
  FakeSystem& v2(const std::string& group, const std::string& cpu_max) {
    return write(mount() + group + "/cpu.max", cpu_max + "\n");
  }
  FakeSystem& v1(const std::string& controller, const std::string& group, long quota, long period) {
    write(mount() + "/" + controller + group + "/cpu.cfs_quota_us", std::to_string(quota) + "\n");
    return write(mount() + "/" + controller + group + "/cpu.cfs_period_us",
                 std::to_string(period) + "\n");
  }

  std::optional<double> quota() const {
    return cgroup_quota((root_ / "membership").string(), mount());
  }

 private:
  std::string mount() const { return (root_ / "mount").string(); }

  FakeSystem& write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return *this;
  }

  furca::test::TemporaryDirectory directory_;
  const std::filesystem::path& root_ = directory_.path();
};

/// default_thread_count() in a process of its own that has FURCA_NUM_THREADS set so, asked several
/// times.
ForkedEnd count_with(const char* text) {
  return in_forked_child([text] {
    setenv("FURCA_NUM_THREADS", text, 1);
    const std::size_t count = default_thread_count();
    furca::detail::threads_from_environment(4096);
    return default_thread_count() == count && count < 250 ? static_cast<int>(count) : 255;
  });
}

}  // namespace

// --- FURCA_NUM_THREADS ---------------------------------------------------------------------------

TEST_CASE("parse_thread_count: whole numbers from 1 to the most") {
  CHECK(parse_thread_count("1", 4096) == 1);
  CHECK(parse_thread_count("8", 4096) == 8);
  CHECK(parse_thread_count("008", 4096) == 8);
  CHECK(parse_thread_count("4096", 4096) == 4096);
  for (const char* text : {"", "0", "-1", "+4", "4097", "4 ", " 4", "4x", "0x4", "1e2", "2.5",
                           "four", "4,", "18446744073709551617", "-18446744073709551615"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_thread_count(text, 4096).has_value());
  }
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  CHECK(parse_thread_count(std::to_string(most).c_str(), most) == most);
}

TEST_CASE("FURCA_NUM_THREADS decides, whatever the machine has") {
  CHECK(count_with("1").exit_code == 1);
  CHECK(count_with("3").exit_code == 3);
  CHECK(count_with("200").exit_code == 200);
  CHECK(count_with("3").said.empty());
}

TEST_CASE("a bad FURCA_NUM_THREADS is reported once, and ignored") {
  const int by_default = count_with("").exit_code;  // as if it were unset
  CHECK(by_default >= 1);
  CHECK(count_with("").said.empty());
  for (const char* text : {"0", "many", "4097", "-2"}) {
    CAPTURE(text);
    const ForkedEnd child = count_with(text);
    CHECK(child.exit_code == by_default);
    const std::string message = "furca: FURCA_NUM_THREADS=" + std::string(text) + " ignored";
    const std::size_t first = child.said.find(message);
    CHECK(first != std::string::npos);
    CHECK(child.said.find(message, first + 1) == std::string::npos);
  }
}

TEST_CASE("no memory while the quota is read: the affinity mask decides") {
  if (!furca::test::allocations_are_counted()) return;
  const ForkedEnd child = in_forked_child([] {
    unsetenv("FURCA_NUM_THREADS");
    const furca::test::FailingAllocations failing(0,
                                                  furca::test::FailingAllocations::kAllThatFollow);
    const bool right = default_thread_count() == processors_in_affinity_mask();
    // known before, or nothing read
    if (failing.refused() == 0) return furca::test::built_portable() ? 7 : 2;
    return right ? 7 : 1;
  });
  CHECK(child.exit_code == 7);
  CHECK(child.said.empty());
}

// --- affinity ------------------------------------------------------------------------------------

TEST_CASE("there is a processor, and the default is between 1 and their number") {
  CHECK(processors_in_affinity_mask() >= 1);
  CHECK(default_thread_count() >= 1);
  if (std::getenv("FURCA_NUM_THREADS") == nullptr)
    CHECK(default_thread_count() <= processors_in_affinity_mask());
}

#if defined(__linux__)
TEST_CASE("a thread bound to one processor counts one") {
  if (furca::test::built_portable()) return;
  std::size_t counted = 0;
  bool bound = false;
  std::thread([&] {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(sched_getcpu(), &mask);
    bound = sched_setaffinity(0, sizeof mask, &mask) == 0;
    counted = processors_in_affinity_mask();
  }).join();
  if (bound) CHECK(counted == 1);
}
#endif

// --- cgroup v2 -----------------------------------------------------------------------------------

TEST_CASE("no membership file, an empty one, a garbled one: no quota") {
  FakeSystem system;
  system.v2("", "100000 100000");
  CHECK_FALSE(system.quota().has_value());
  system.member_of("");
  CHECK_FALSE(system.quota().has_value());
  system.member_of("nonsense\n:\n0\n1:cpu\n");
  CHECK_FALSE(system.quota().has_value());
}

TEST_CASE("v2: the group's own quota, whole and fractional") {
  FakeSystem system;
  system.member_of("0::/app\n");
  CHECK_FALSE(system.quota().has_value());
  CHECK(system.v2("/app", "400000 100000").quota() == 4.0);
  CHECK(system.v2("/app", "150000 100000").quota() == 1.5);
  CHECK(system.v2("/app", "25000 50000").quota() == 0.5);
}

TEST_CASE("v2: max is no limit") {
  FakeSystem system;
  system.member_of("0::/app\n").v2("/app", "max 100000").v2("", "max 100000");
  CHECK_FALSE(system.quota().has_value());
}

TEST_CASE("v2: nested groups; the tightest of the group and those above it binds") {
  FakeSystem system;
  system.member_of("0::/slice/service/scope\n");
  system.v2("/slice/service/scope", "max 100000")
      .v2("/slice/service", "300000 100000")
      .v2("/slice", "800000 100000");
  CHECK(system.quota() == 3.0);
  CHECK(system.v2("/slice", "200000 100000").quota() == 2.0);
  CHECK(system.v2("/slice/service/scope", "100000 100000").quota() == 1.0);
  CHECK(system.v2("", "50000 100000").quota() == 0.5);
}

TEST_CASE("v2: another group's quota is not ours, even where the name begins alike") {
  FakeSystem system;
  system.member_of("0::/app\n")
      .v2("/app2", "100000 100000")
      .v2("/other", "100000 100000")
      .v2("/app/child", "100000 100000");
  CHECK_FALSE(system.quota().has_value());
}

TEST_CASE("v2: a container that cannot see its group has the mount's own quota") {
  FakeSystem system;
  system.member_of("0::/docker/0123456789abcdef\n").v2("", "250000 100000");
  CHECK(system.quota() == 2.5);
  system.member_of("0::/\n");
  CHECK(system.quota() == 2.5);
}

TEST_CASE("v2: a garbled cpu.max is passed over") {
  FakeSystem system;
  system.member_of("0::/a/b\n").v2("/a", "200000 100000");
  for (const char* text : {"", "max", "100000", "100000 0", "0 100000", "-1 100000", "x y"}) {
    CAPTURE(text);
    CHECK(system.v2("/a/b", text).quota() == 2.0);
  }
}

TEST_CASE("a group's name may hold colons and spaces") {
  FakeSystem system;
  system.member_of("0::/a:b/c d\n").v2("/a:b/c d", "100000 100000");
  CHECK(system.quota() == 1.0);
}

// --- cgroup v1 -----------------------------------------------------------------------------------

TEST_CASE("v1: the cpu controller's quota, under whatever name it is mounted") {
  for (const char* const controllers : {"cpu", "cpu,cpuacct", "cpuacct,cpu"}) {
    CAPTURE(controllers);
    FakeSystem system;
    system.member_of("5:memory:/app\n4:" + std::string(controllers) +
                     ":/app\n1:name=systemd:/app\n");
    CHECK_FALSE(system.quota().has_value());
    system.v1(controllers, "/app", 350'000, 100'000);
    CHECK(system.quota() == 3.5);
  }
  FakeSystem linked;  // only the link "cpu" to "cpu,cpuacct"
  linked.member_of("4:cpu,cpuacct:/app\n").v1("cpu", "/app", 100'000, 50'000);
  CHECK(linked.quota() == 2.0);
}

TEST_CASE("v1: -1 is no limit; nested groups; a container that cannot see its group") {
  FakeSystem system;
  system.member_of("4:cpu,cpuacct:/docker/0123\n").v1("cpu,cpuacct", "/docker/0123", -1, 100'000);
  CHECK_FALSE(system.quota().has_value());
  CHECK(system.v1("cpu,cpuacct", "/docker", 500'000, 100'000).quota() == 5.0);
  CHECK(system.v1("cpu,cpuacct", "", 150'000, 100'000).quota() == 1.5);

  FakeSystem hidden;
  hidden.member_of("4:cpu,cpuacct:/docker/0123\n").v1("cpu,cpuacct", "", 300'000, 100'000);
  CHECK(hidden.quota() == 3.0);
}

TEST_CASE("v1: the quota of other controllers, cpuset and cpuacct among them, is not looked at") {
  FakeSystem system;
  system.member_of("6:cpuset:/app\n5:cpuacct:/app\n")
      .v1("cpuset", "/app", 100'000, 100'000)
      .v1("cpuacct", "/app", 100'000, 100'000);
  system.v1("cpu", "/app", 100'000, 100'000);
  CHECK_FALSE(system.quota().has_value());
}

TEST_CASE("hybrid: the tighter of v1 and v2") {
  FakeSystem system;
  system.member_of("4:cpu,cpuacct:/app\n0::/app\n").v1("cpu,cpuacct", "/app", 400'000, 100'000);
  CHECK(system.quota() == 4.0);
  CHECK(system.v2("/app", "200000 100000").quota() == 2.0);
  CHECK(system.v2("/app", "800000 100000").quota() == 4.0);
}
