#include "decision.hpp"

#include <array>
#include <atomic>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <utility>

namespace furca::detail {

namespace {

constexpr std::array<const char*, 11> kTexts{
    "",
    "no other thread",
    "one piece, or fewer than two grains",
    "not worth sharing",
    "not worth waking a thread",
    "older work can be stolen",
    "few steps",
    "beside older work",
    "somebody awake",
    "a thread woken",
    "a portion for each thread",
};
static_assert(kTexts.size() == static_cast<std::size_t>(Choice::portions) + 1);

const char* head(Choice choice) noexcept { return publishes(choice) ? "shared" : "kept"; }
const char* tail(Choice choice) noexcept { return kTexts[static_cast<std::size_t>(choice)]; }

constinit thread_local Decision decision_here{};

constinit std::array<std::atomic<std::uint64_t>, kTexts.size()> times{};

}  // namespace

void Decision::print(char* text, std::size_t size) const noexcept {
  char left[32] = "cost not known";
  // a point, whatever the program's locale has
  const auto tenths = static_cast<std::uint64_t>(std::llround(10 * microseconds));
  if (microseconds > 0)
    std::snprintf(left, sizeof left, "%" PRIu64 ".%u us left", tenths / 10,
                  static_cast<unsigned>(tenths % 10));
  std::snprintf(text, size, "%s: %s, %s%s", head(choice), left, tail(choice),
                uneven ? ", steps perhaps uneven" : "");
}

void decided(const Decision& decision) noexcept {
  if (decision_here.choice == Choice::none ||
      (publishes(decision.choice) && !publishes(decision_here.choice)))
    decision_here = decision;
}

Decision begin_deciding() noexcept { return std::exchange(decision_here, {}); }

Decision end_deciding(const Decision& outer) noexcept {
  const Decision ended = std::exchange(decision_here, outer);
  times[static_cast<std::size_t>(ended.choice)].fetch_add(1, std::memory_order_relaxed);
  return ended;
}

void print_decisions() noexcept {
  for (std::size_t i = 1; i < times.size(); ++i) {
    const auto choice = static_cast<Choice>(i);
    if (const std::uint64_t n = times[i].load(std::memory_order_relaxed))
      std::fprintf(stderr, "furca: %" PRIu64 " loops and stolen halves %s: %s\n", n, head(choice),
                   tail(choice));
  }
}

}  // namespace furca::detail
