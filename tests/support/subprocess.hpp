// Scenarios that end, fork or spoil their process run in a fresh one: the test program executes
// itself again. They are declared at namespace scope, and no two of a program have one name.
#pragma once

#include <cerrno>
#include "standard.hpp"

#include <csignal>
#include <filesystem>
#include <ostream>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;  // NOLINT: POSIX wants it declared by the program

namespace furca::test {

/// How a process ended.
struct Ending {
  int exit_code = -1;      ///< -1 if a signal ended it
  int signal = 0;          ///< 0 if it exited
  bool timed_out = false;  ///< the watchdog killed it, and what else it left running
  std::string output;      ///< all of stdout
  std::string errors;      ///< all of stderr

  /// Exited with `code`, in time, and said nothing on stderr.
  bool cleanly(int code) const {
    return !timed_out && signal == 0 && exit_code == code && errors.empty();
  }

  /// furca aborted it with a message that contains `words`.
  bool failed_saying(const char* words) const {
    return !timed_out && signal == SIGABRT && errors.starts_with("furca: ") &&
           errors.find(words) != std::string::npos;
  }

  std::size_t error_lines() const {
    std::size_t lines = 0;
    for (const char c : errors) lines += c == '\n' ? 1U : 0U;
    return lines;
  }

  friend std::ostream& operator<<(std::ostream& out, const Ending& ending) {
    out << "exit code " << ending.exit_code << ", signal " << ending.signal
        << (ending.timed_out ? ", TIMED OUT" : "");
    return out << "\n-- stdout\n" << ending.output << "-- stderr\n" << ending.errors << "--";
  }
};

struct ChildOptions {
  /// Variables to set; nullopt unsets one. FURCA_NUM_THREADS is 3 unless said otherwise.
  std::vector<std::pair<std::string, std::optional<std::string>>> environment = {};
  /// A hang is what takes longer. Generous: it asserts nothing about speed.
  int seconds = 120;
};

/// A scenario: what the child's main does and returns. Constructed before main, at namespace scope.
class ChildProcess {
 public:
  using Main = int (*)();

  ChildProcess(const char* name, Main main) noexcept : name_(name), main_(main), next_(first()) {
    first() = this;
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  Ending run(const ChildOptions& options = {}) const;

  /// Is this process the child that runs this scenario? Works before main and after it.
  bool is_this() const noexcept { return is_this(name_); }
  static bool is_this(const char* name) noexcept {
    const char* const wanted = std::getenv(kVariable);
    return wanted != nullptr && std::strcmp(wanted, name) == 0;
  }

 private:
  friend std::optional<int> run_as_child();

  static constexpr const char* kVariable = "FURCA_TEST_SCENARIO";

  static const ChildProcess*& first() noexcept {
    static const ChildProcess* head = nullptr;
    return head;
  }

  const char* name_;
  Main main_;
  const ChildProcess* next_;
};

/// For main.cpp: the child's exit code, if this process is one.
inline std::optional<int> run_as_child() {
  const char* const wanted = std::getenv(ChildProcess::kVariable);
  if (wanted == nullptr) return std::nullopt;
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);  // many scenarios abort, as they should
  for (const ChildProcess* child = ChildProcess::first(); child != nullptr; child = child->next_)
    if (std::strcmp(child->name_, wanted) == 0) return child->main_();
  std::fprintf(stderr, "no scenario is called %s\n", wanted);
  return 120;
}

namespace detail {

inline void check(int error, const char* what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

/// An unnamed file that a child writes to; unlike a pipe it is never full, and nobody who outlives
/// the child holds it up.
class Capture {
 public:
  Capture() : file_(std::tmpfile()) {
    if (file_ == nullptr) check(errno, "tmpfile");
    fcntl(descriptor(), F_SETFD, FD_CLOEXEC);
  }
  ~Capture() { std::fclose(file_); }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  int descriptor() const noexcept { return fileno(file_); }

  std::string text() const {
    std::string text;
    char buffer[4096];
    for (off_t at = 0;;) {
      const ssize_t got = pread(descriptor(), buffer, sizeof buffer, at);
      if (got <= 0) return text;
      text.append(buffer, static_cast<std::size_t>(got));
      at += got;
    }
  }

 private:
  std::FILE* file_;
};

inline std::vector<std::string> changed_environment(const ChildOptions& options,
                                                    const std::string& scenario) {
  auto changes = options.environment;
  changes.insert(changes.begin(), {{"FURCA_NUM_THREADS", "3"}, {"FURCA_FENCE", std::nullopt}});
  // ThreadSanitizer sleeps for a second before each exit, and lets no child of a process with
  // threads live, unless told not to.
  const char* const tsan_options = std::getenv("TSAN_OPTIONS");
  changes.emplace_back("TSAN_OPTIONS",
                       (tsan_options != nullptr ? std::string(tsan_options) + ":" : "") +
                           "atexit_sleep_ms=50:die_after_fork=0");
  changes.emplace_back("FURCA_TEST_SCENARIO", scenario);
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable)
    variables.emplace_back(*variable);
  for (const auto& [name, value] : changes) {
    const std::string prefix = name + "=";
    std::erase_if(variables,
                  [&prefix](const std::string& variable) { return variable.starts_with(prefix); });
    if (value) variables.push_back(prefix + *value);
  }
  return variables;
}

/// Starts this program again, as the leader of a process group of its own.
inline pid_t start_again(std::vector<std::string> variables, const Capture& output,
                         const Capture& errors) {
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  char name[] = "furca-test-child";
  char* arguments[] = {name, nullptr};

  posix_spawn_file_actions_t files;
  check(posix_spawn_file_actions_init(&files), "posix_spawn_file_actions_init");
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, errors.descriptor(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  check(posix_spawnattr_init(&attributes), "posix_spawnattr_init");
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  // the link itself, executed, is valgrind where that runs this
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  const int error =
      posix_spawn(&child, program.c_str(), &files, &attributes, arguments, environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  check(error, "posix_spawn");
  return child;
}

/// Whether the child ends in that time. Its number is not free before waitpid. Asks again and
/// again: valgrind 3.19 has no pidfd_open.
inline bool ends_within(pid_t child, std::chrono::seconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (true) {
    siginfo_t ended{};
    if (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) < 0 &&
        errno != EINTR)
      check(errno, "waitid");
    if (ended.si_pid == child) return true;
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace detail

inline Ending ChildProcess::run(const ChildOptions& options) const {
  const detail::Capture output;
  const detail::Capture errors;
  const pid_t child =
      detail::start_again(detail::changed_environment(options, name_), output, errors);

  Ending ending;
  ending.timed_out = !detail::ends_within(child, std::chrono::seconds(options.seconds));
  // the child if it hangs, and whatever it forked; its number is not free before waitpid
  kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) ending.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  ending.output = output.text();
  ending.errors = errors.text();
  return ending;
}

}  // namespace furca::test
