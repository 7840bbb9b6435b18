#include "process.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace bench {
namespace {

/// The reading end is ours; the child gets the other as one of its standard streams.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe");
  }
  ~Pipe() {
    close_writer();
    close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_writer() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{};
};

/// Reads both to their ends, whichever has something.
void read_all(std::array<pollfd, 2> streams, const std::array<std::string*, 2>& into) {
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    if (poll(streams.data(), streams.size(), -1) < 0 && errno != EINTR) return;
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (streams[i].fd < 0 || streams[i].revents == 0) continue;
      std::array<char, 4096> buffer;
      const ssize_t count = read(streams[i].fd, buffer.data(), buffer.size());
      if (count > 0) into[i]->append(buffer.data(), static_cast<std::size_t>(count));
      if (count == 0 || (count < 0 && errno != EINTR)) streams[i].fd = -1;
    }
  }
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> all;
  for (std::string& one : strings) all.push_back(one.data());
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> changed_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> all = changes;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string name(*entry, std::strcspn(*entry, "="));
    bool changed = false;
    for (const std::string& change : changes) changed |= change.starts_with(name + "=");
    if (!changed) all.emplace_back(*entry);
  }
  return all;
}

}  // namespace

std::string own_path() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

std::optional<std::string> run_process(const std::string& program,
                                       std::vector<std::string> arguments,
                                       const std::vector<std::string>& environment,
                                       const std::string& what, std::string* errors) {
  const auto failed = [&what](const char* why, int code) {
    std::fprintf(stderr, "furca-bench: %s: %s %d\n", what.c_str(), why, code);
    return std::nullopt;
  };
  Pipe output;
  Pipe error_output;
  arguments.insert(arguments.begin(), program);
  std::vector<std::string> variables = changed_environment(environment);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output.writer(), STDOUT_FILENO);
  if (errors != nullptr)
    posix_spawn_file_actions_adddup2(&actions, error_output.writer(), STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, program.c_str(), &actions, nullptr,
                                 pointers(arguments).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return failed("cannot be started: errno", error);

  output.close_writer();
  error_output.close_writer();
  std::string text;
  std::string ignored;
  read_all({pollfd{output.reader(), POLLIN, 0}, pollfd{error_output.reader(), POLLIN, 0}},
           {&text, errors != nullptr ? errors : &ignored});
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    return failed(WTERMSIG(status) == SIGALRM ? "hangs; ended by signal" : "died of signal",
                  WTERMSIG(status));
  if (WEXITSTATUS(status) != 0) return failed("exit code", WEXITSTATUS(status));
  return text;
}

}  // namespace bench
