// A plugin that contains furca is loaded, used and unloaded, again and again, in hosts with and
// without a furca of their own; and many such plugins are loaded at once.
#include <furca/furca.hpp>

#include "support/memory.hpp"
#include "support/observe.hpp"
#include "support/subprocess.hpp"
#include "support/temporary_directory.hpp"
#include "support/trials.hpp"

#include <filesystem>

#include <dlfcn.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace furca::test;

// What each load leaves of the plugin's pool is known, and measured below; LeakSanitizer would end
// the hosts for it.
extern "C" int __lsan_is_turned_off() { return 1; }  // NOLINT

namespace {

constexpr const char* kPath = FURCA_TEST_PLUGIN;
constexpr std::size_t kThreads = 3;  // the plugin's pool: FURCA_NUM_THREADS of every scenario

[[noreturn]] void give_up(const char* reason) {
  std::fprintf(stderr, "%s\n", reason);
  std::exit(1);
}

/// The plugin, as long as this lives.
class Plugin {
 public:
  explicit Plugin(std::string path = kPath)
      : path_(std::move(path)), handle_(dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) give_up(dlerror());
  }
  ~Plugin() {
    if (dlclose(handle_) != 0) give_up(dlerror());
    if (is_loaded()) give_up("dlclose does not unload the plugin");
  }
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  bool computes() const { return function<bool()>("plugin_computes")(); }
  bool computes_by_tbb() const { return function<bool()>("plugin_computes_by_tbb")(); }
  void waits_for_started_thread() const { function<void()>("plugin_waits_for_started_thread")(); }

 private:
  template <class Function>
  Function* function(const char* name) const {
    void* const address = dlsym(handle_, name);
    if (address == nullptr) give_up(dlerror());
    return reinterpret_cast<Function*>(address);
  }

  bool is_loaded() const {
    void* const loaded = dlopen(path_.c_str(), RTLD_NOW | RTLD_NOLOAD);
    return loaded != nullptr && dlclose(loaded) == 0;
  }

  const std::string path_;
  void* const handle_;
};

/// fork() runs handlers that furca has installed; here the plugin with those is gone.
bool forks() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0;
}

bool loaded_and_used() {
  const ThreadIds before = thread_ids();
  {
    const Plugin plugin;
    if (!plugin.computes()) return false;
    if (threads_since(before).size() != kThreads - 1) return false;
  }
  wait_until_gone(before);
  return true;
}

const ChildProcess over_and_over{
    "a plugin is loaded, used and unloaded", [] {
      const Watchdog watchdog("a plugin");
      for (int i = 0; i < 10; ++i)
        if (!loaded_and_used()) return 2;
      const std::size_t heap = heap_in_use();
      const std::size_t mapped = pages().mapped;
      const std::uint64_t times = rounds(100);
      for (std::uint64_t i = 0; i < times; ++i) {
        if (!loaded_and_used()) return 2;
        watchdog.feed();
      }
      const std::size_t heap_each = growth(heap, heap_in_use()) / times;
      const std::size_t mapped_more = growth(mapped, pages().mapped);
      std::printf(
          "%llu times loaded, used and unloaded: threads left 0, heap +%zu bytes each, mapped +%zu "
          "KiB together\n",
          static_cast<unsigned long long>(times), heap_each, mapped_more / 1024);
      std::fflush(stdout);  // before the fork
      // malloc may reserve 64 MiB for each thread that there is at a time; a stack is 8 MiB, for
      // each thread of each load.
      const std::size_t reserved = kThreads * (std::size_t{64} << 20U);
      const bool steady =
          heap_each < 32 * 1024 && (kSanitized || mapped_more < reserved + times * 64 * 1024);
      return steady && forks() ? 7 : 3;
    }};

/// The host's own threads use the plugin too, each of them with a place in two global pools.
const ChildProcess in_a_host_with_furca{
    "a plugin in a host that uses furca", [] {
      const Watchdog watchdog("a plugin in a host that uses furca");
      if (!computes()) return 2;
      const ThreadIds before = thread_ids();
      for (std::uint64_t left = rounds(30); left > 0; --left) {
        {
          const Plugin plugin;
          std::atomic<int> right{0};
          furca::parallel_for(0, 30,
                              [&](int) { right += plugin.computes() && fib(5) == 5 ? 1 : 0; });
          if (right != 30 || !computes()) return 3;
        }
        wait_until_gone(before);
        if (!computes()) return 4;
        watchdog.feed();
      }
      return forks() ? 7 : 5;
    }};

/// A thread has a place in the pool of a plugin that is unloaded, in that of the next, and then
/// ends.
const ChildProcess thread_outlives_plugin{
    "a thread that used a plugin outlives it", [] {
      const Watchdog watchdog("a thread that outlives a plugin");
      for (std::uint64_t left = rounds(50); left > 0; --left) {
        const ThreadIds before = thread_ids();
        std::atomic<const Plugin*> wanted{nullptr};
        std::atomic<bool> over{false};
        std::atomic<bool> right{true};
        std::thread user([&] {
          while (!over) {
            const Plugin* const plugin = wanted;
            if (plugin == nullptr) {
              sched_yield();
              continue;
            }
            if (!plugin->computes()) right = false;
            wanted = nullptr;
          }
        });
        for (int i = 0; i < 3; ++i) {
          const Plugin plugin;
          wanted = &plugin;
          eventually([&] { return wanted == nullptr; });
        }
        over = true;
        user.join();
        wait_until_gone(before);
        if (!right) return 2;
        watchdog.feed();
      }
      return 7;
    }};

/// The thread that wakes the caller with its result is still on its way out of the job when the
/// caller unloads the plugin: there is one processor, which such a thread gets only when the caller
/// has no use for it.
const ChildProcess unloaded_at_once{
    "a plugin is unloaded as soon as its last call returns", [] {
      const Watchdog watchdog("a plugin that is unloaded at once");
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
      if (sched_setaffinity(0, sizeof one, &one) != 0) return 2;
      const ThreadIds before = thread_ids();
      for (std::uint64_t left = rounds(30); left > 0; --left) {
        {
          const Plugin plugin;
          if (!plugin.computes()) return 3;
          const sched_param none{};
          for (const std::string& id : threads_since(before))
            if (sched_setscheduler(std::stoi(id), SCHED_IDLE, &none) != 0) return 4;
          plugin.waits_for_started_thread();
        }
        wait_until_gone(before);
        watchdog.feed();
      }
      return 7;
    }};

/// The loader has little room for thread-local variables that code reaches without a call.
/// glibc has some 1,600 bytes for all plugins, musl none. These plugins need none.
const ChildProcess many_at_once{
    "many plugins are loaded at once", [] {
      const Watchdog watchdog("many plugins");
      constexpr int kPlugins = 20;
      const std::filesystem::path directory = std::getenv("FURCA_TEST_DIRECTORY");
      std::vector<std::unique_ptr<Plugin>> plugins;
      for (int i = 0; i < kPlugins; ++i) {
        const std::filesystem::path path = directory / ("plugin-" + std::to_string(i) + ".so");
        std::filesystem::copy_file(kPath, path);
        plugins.push_back(std::make_unique<Plugin>(path));
        if (!plugins.back()->computes() || !plugins.back()->computes_by_tbb()) return 2;
        watchdog.feed();
      }
      for (const auto& plugin : plugins)
        if (!plugin->computes() || !plugin->computes_by_tbb()) return 3;
      return 7;
    }};

void check(const ChildProcess& scenario) {
  const TemporaryDirectory directory;
  const Ending ending =
      scenario.run({.environment = {{"FURCA_TEST_DIRECTORY", directory.path().string()}},
                    .seconds = static_cast<int>(100 + 10 * scale())});
  INFO(ending);
  CHECK(ending.cleanly(7));
  std::fputs(ending.output.c_str(), stdout);
}

}  // namespace

TEST_CASE("a plugin with furca inside leaves no thread and no stack behind when it is unloaded") {
  check(over_and_over);
}
TEST_CASE("a plugin and its host each have a furca of their own") { check(in_a_host_with_furca); }
TEST_CASE("a thread that used a plugin may end after that is unloaded") {
  check(thread_outlives_plugin);
}
TEST_CASE("many plugins with a furca each are loaded at once") { check(many_at_once); }
TEST_CASE("a plugin may be unloaded as soon as its last call returns") { check(unloaded_at_once); }
