#include "run.hpp"

#include <furca/thread_pool.hpp>

#include "measuring/costs.hpp"

#include "counted.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

namespace counted {

namespace {

/// What furca would measure at its start. Wake-ups it does measure.
void tell_costs(const Costs& costs) {
  const auto ns = [](Time time) { return static_cast<float>(time) / 1'000; };
  furca::detail::Costs told;
  told.clock = ns(costs.clock);
  told.fence = ns(costs.fence);
  told.pause = ns(costs.pause);
  told.yield = ns(costs.yield);
  told.heavy_fence = ns(costs.heavy_base);
  told.steal = 4 * ns(costs.transfer);
  furca::detail::measured_costs.pretend(told);
}

bool run_here(const Row& row, const Machine::Setting& setting, Start start, Result& result) {
  tell_costs(setting.costs);
  Machine machine(setting);
  const auto count_calls = [&] {
    constexpr double kRest = 1e6;
    for (int call = 0; call < result.calls; ++call) {
      if (start == Start::rested) work(kRest);
      if (start == Start::rested || call == 0) {
        machine.catch_up();
        machine.take_counts();
        machine.take_spent();
      }
      const Time began = machine.now();
      row.call();
      result.time += machine.now() - began;
      if (start == Start::awake && call + 1 < result.calls) continue;
      machine.catch_up();
      result.spent += machine.take_spent();
      result.counts += machine.take_counts();
    }
    result.time /= result.calls;
  };
  return machine.run([&] {
    furca::ThreadPool pool({.threads = result.workers});
    pool.install([&] {
      // Where a row is of several calls, furca first learns what a body's steps cost.
      for (int call = 0; call < (row.calls > 1 ? 4 : 1); ++call) row.call();
      count_calls();
    });
  });
}

}  // namespace

Result run_apart(const std::function<bool(Result&)>& run) {
  Result result;
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    const bool ended = run(result);
    const bool told = ended && ::write(ends[1], &result, sizeof result) == sizeof result;
    _exit(told ? 0 : 1);
  }
  close(ends[1]);
  const bool read_all = ::read(ends[0], &result, sizeof result) == sizeof result;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!read_all || status != 0)
    throw std::runtime_error("a run did not end: a wake-up was lost, or worse");
  return result;
}

Result run(const Row& row, const Machine::Setting& setting, std::size_t workers, Start start) {
  return run_apart([&](Result& result) {
    result.calls = row.calls;
    result.workers = workers;
    return run_here(row, setting, start, result);
  });
}

Mean mean(const Row& row, Machine::Setting setting, std::size_t workers, Start start, Time alone,
          std::size_t seeds) {
  Mean mean{.result = {.calls = 0, .workers = workers}};
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < seeds; ++i, ++setting.seed) {
    const Result one = run(row, setting, workers, start);
    const auto time = static_cast<double>(one.time);
    sum += time;
    squares += time * time;
    mean.result.calls += one.calls;
    mean.result.spent += one.spent;
    mean.result.counts += one.counts;
  }
  const auto runs = static_cast<double>(seeds);
  const double time = sum / runs;
  mean.result.time = static_cast<Time>(time);
  mean.speed_up = static_cast<double>(alone) / time;
  if (seeds > 1)
    mean.error = 100 / time * std::sqrt(std::max(squares / runs - time * time, 0.0) / (runs - 1));
  return mean;
}

double share(const Result& result, Time time) noexcept {
  return static_cast<double>(time) /
         (static_cast<double>(result.time) * result.calls * static_cast<double>(result.workers));
}

}  // namespace counted
