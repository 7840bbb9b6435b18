// A few lines run in a forked child: what must abort, and what is found out once for each process.
#pragma once

#include "standard.hpp"

#include <csignal>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace furca::test {

struct ForkedEnd {
  int exit_code = -1;  ///< -1 if a signal ended it
  int signal = 0;      ///< 0 if it exited
  std::string said;    ///< all of stderr
};

/// Forks; the child returns body()'s value as its exit code. Where the program has other threads at
/// that time, body() takes no memory from the heap.
inline ForkedEnd in_forked_child(const std::function<int()>& body) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    std::signal(SIGABRT, SIG_DFL);  // not doctest's business
    alarm(60);                      // a hang must end
    dup2(ends[1], STDERR_FILENO);
    _exit(body());
  }
  close(ends[1]);
  ForkedEnd end;
  std::array<char, 256> buffer{};
  for (ssize_t got = 0; (got = read(ends[0], buffer.data(), buffer.size())) > 0;)
    end.said.append(buffer.data(), static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

}  // namespace furca::test
