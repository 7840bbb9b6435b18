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
    case Loss::processors: return "threads with work and without a processor: too few of them, or other programs have them";
    case Loss::memory: return "busy for longer than one thread was: memory, caches, two threads on a core, clock; fences";
    case Loss::span: return "idle, as any scheduler's threads may be while the longest chain of the work goes on";
    case Loss::scheduler: return "idle beyond that: waking, looking for work, sharing it";
  }
  return "";
}

std::optional<Breakdown> breakdown(const Setting& setting, const Row& row, unsigned threads) {
  const Series* const ran = row.find(kOurs, threads);
  const double all = threads;
  const double serial = median(speedups(row, kOurs, threads)) / all;
  const double alone = median(ratios(row.find(kOurs, 1), ran)) / all;
  const double said_busy = typical(ran, &Sample::busy_threads) / all;
  const double processor_time = median(paired_ratios(values(ran, &Sample::cpu_ns), values(ran))) / all;
  const double idle_by_span = (all - 1) / all * row.span_ns / typical(ran);
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
  const double idle = std::max(0.0, 1 - computing - lost(Loss::processors));
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
