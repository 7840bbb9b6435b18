// A plugin uses its host's furca, and is unloaded as soon as its calls have returned, while the
// threads of the pool go on.
#include <furca/furca.hpp>

#include "support/observe.hpp"
#include "support/subprocess.hpp"
#include "support/trials.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

using namespace furca::test;

namespace {

constexpr const char* kPath = FURCA_TEST_PLUGIN;

const pthread_t the_caller = pthread_self();

[[noreturn]] void give_up(const char* reason) {
  std::fprintf(stderr, "%s\n", reason);
  std::exit(1);
}

}  // namespace

// What is called at the beginning and the end of every function of the plugin
// (-finstrument-functions). On threads that are not the caller's it takes a while to return from
// one, so whatever of the plugin's code runs there after the caller was told still runs when the
// plugin is gone.
extern "C" void __cyg_profile_func_enter(void*, void*) {}  // NOLINT
extern "C" void __cyg_profile_func_exit(void*, void*) {    // NOLINT
  if (pthread_equal(pthread_self(), the_caller) == 0) usleep(100);
}

namespace {

template <class Function>
Function* function(void* plugin, const char* name) {
  void* const address = dlsym(plugin, name);
  if (address == nullptr) give_up(dlerror());
  return reinterpret_cast<Function*>(address);
}

/// Loads the plugin, makes that call, and unloads it.
void visit(furca::ThreadPool& pool, const char* call) {
  void* const plugin = dlopen(kPath, RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) give_up(dlerror());
  const bool right = pool.install([&] { return function<bool()>(plugin, call)(); });
  if (dlclose(plugin) != 0) give_up(dlerror());
  if (dlopen(kPath, RTLD_NOW | RTLD_NOLOAD) != nullptr)
    give_up("dlclose does not unload the plugin");
  if (!right) give_up(call);
}

const ChildProcess in_and_out{
    "a plugin that uses its host's furca comes and goes", [] {
      const Watchdog watchdog("a plugin that is a guest");
      // Its threads look for so long that they never sleep: who waits for one of them goes on as
      // soon as that says that it is through, and not when it is woken.
      furca::ThreadPool pool({.threads = 3, .steal_attempts = 1'000'000});
      for (std::uint64_t left = rounds(6); left > 0; --left) {
        for (const char* call : {"guest_joins", "guest_loops", "guest_reduces", "guest_scopes",
                                 "guest_joins_task", "guest_joins_task_at_once", "guest_polls_task",
                                 "guest_waits_until_idle", "guest_broadcasts"}) {
          visit(pool, call);
          watchdog.feed();
        }
      }
      return pool.install(computes) ? 7 : 3;
    }};

}  // namespace

TEST_CASE("a plugin may be unloaded as soon as its calls have returned, though the threads go on") {
  const Ending ending = in_and_out.run({.seconds = static_cast<int>(100 + 60 * scale())});
  INFO(ending);
  CHECK(ending.cleanly(7));
}
