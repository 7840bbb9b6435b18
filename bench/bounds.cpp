#include "bounds.hpp"

#include "summary.hpp"

#include <algorithm>
#include <cmath>

namespace bench {

const char* name_of(Loss loss) {
  switch (loss) {
    case Loss::work: return "work";
    case Loss::processors: return "processors";
    case Loss::memory: return "memory";
    case Loss::span: return "span";
    case Loss::scheduler: return "scheduler";
  }
  return "";
}

const char* explanation_of(Loss loss) {
  switch (loss) {
    case Loss::work: return "what the parallel form takes more than the serial code on one thread";
    case Loss::processors: return "threads without a processor: there are fewer, or other programs have them";
    case Loss::memory: return "busy for longer than one thread was: memory, caches, shared cores, clock; fences";
    case Loss::span: return "idle, as any scheduler's threads may be while the longest chain of the work goes on";
    case Loss::scheduler: return "idle beyond that: waking, looking for work, sharing it";
  }
  return "";
}

namespace {

/// No call is faster than its span. If it seems so, the call is too short for the clocks; or a strand was interrupted when the span was measured, and
/// nothing is known of it.
double span_of(const Row& row, double call) {
  constexpr double kShort = 1000;  // ns
  constexpr double kNoise = 1.2;
  if (row.span_ns > kNoise * call && row.span_ns > kShort) return kUnknown;
  return std::isnan(row.span_ns) ? kUnknown : std::min(row.span_ns, call);
}

}  // namespace

std::optional<Breakdown> breakdown(const Setting& setting, const Row& row, unsigned threads) {
  const Series* const ran = row.find(kOurs, threads);
  const double all = threads;
  const double serial = median(speedups(row, kOurs, threads)) / all;
  const double alone = median(ratios(row.find(kOurs, 1), ran)) / all;
  const double said_busy = typical(ran, &Sample::busy_threads) / all;
  const double processor_time = median(paired_ratios(values(ran, &Sample::cpu_ns), values(ran))) / all;
  const double idle_by_span = (all - 1) / all * span_of(row, typical(ran)) / typical(ran);
  if (!std::isfinite(serial + alone + said_busy + processor_time + (threads > 1 ? idle_by_span : 0))) return std::nullopt;

  Breakdown parts;
  const auto lost = [&parts](Loss loss) -> double& { return parts.lost[static_cast<std::size_t>(loss)]; };
  const double busy = std::min(1.0, said_busy);
  // More were busy than had a processor. At least so many: idle threads use processors too, while they look for work.
  const double processors = setting.affinity > 0 ? setting.affinity / all : 1;
  const double waiting = std::max(busy - processor_time, busy - processors);
  lost(Loss::processors) = std::clamp(waiting, 0.0, std::max(0.0, busy - serial));
  const double computing = std::max(busy - lost(Loss::processors), std::min(1.0, serial));
  parts.useful = std::min(serial, computing);
  lost(Loss::work) = std::clamp(alone - serial, 0.0, computing - parts.useful);
  lost(Loss::memory) = std::max(0.0, computing - parts.useful - lost(Loss::work));
  double idle = std::max(0.0, 1 - computing - lost(Loss::processors));
  // Where there are more threads than processors, as many as are too many could do nothing if they were not idle.
  const double too_many = std::clamp(1 - processors - lost(Loss::processors), 0.0, idle);
  lost(Loss::processors) += too_many;
  idle -= too_many;
  lost(Loss::span) = threads > 1 ? std::min(idle, idle_by_span) : 0;
  lost(Loss::scheduler) = idle - lost(Loss::span);
  return parts;
}

std::optional<Loss> bound_of(const Breakdown& parts) {
  constexpr double kMostlyUseful = 0.9;
  if (parts.useful >= kMostlyUseful) return std::nullopt;
  return *std::max_element(kLosses.begin(), kLosses.end(), [&parts](Loss a, Loss b) { return parts.of(a) < parts.of(b); });
}

std::string bound_word(const Setting& setting, const Row& row, unsigned threads) {
  const auto parts = breakdown(setting, row, threads);
  const auto loss = parts ? bound_of(*parts) : std::nullopt;
  return loss ? name_of(*loss) : "-";
}

double parallelism(const Row& row) { return typical(row.find(kOurs, 1)) / row.span_ns; }

}  // namespace bench
