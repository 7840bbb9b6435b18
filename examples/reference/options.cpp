// The options of loops, reductions and scopes, in use.
#include "../expect.hpp"

#include <furca/parallel_for.hpp>
#include <furca/parallel_reduce.hpp>
#include <furca/progress.hpp>
#include <furca/scope.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <stop_token>
#include <vector>

namespace {

void loops() {
  std::vector<int> numbers(100'000, 1);
  numbers[70'000] = 0;
  //! [LoopOptions]
  std::stop_source found;
  furca::Progress progress(100'000);
  std::atomic<int> where{-1};
  furca::parallel_for(0, 100'000,
                      [&](int i) {
                        if (numbers[static_cast<std::size_t>(i)] != 0) return;
                        where = i;
                        found.request_stop();  // chunks that have not begun are skipped
                      },
                      {.grain = 1000, .stop = found.get_token(), .progress = &progress});
  //! [LoopOptions]
  examples::expect(where == 70'000 && progress.done() > 0, "the zero was found");
}

/// Somebody else's token.
//! [StopSource]
struct Flag {
  const std::atomic<bool>* raised;

  bool stop_requested() const noexcept { return *raised; }
  bool stop_possible() const noexcept { return raised != nullptr; }
};
static_assert(furca::StopSource<std::stop_token> && furca::StopSource<Flag> &&
              !furca::StopSource<furca::StopToken>);
//! [StopSource]

void tokens() {
  std::atomic<bool> raised{true};
  //! [StopToken]
  std::stop_source source;
  furca::StopToken token = source.get_token();
  const furca::StopToken same = token;
  source.request_stop();
  const bool asked = token.stop_requested() && same.stop_requested();
  token = Flag{&raised};  // and what else can be asked
  // neither copied nor counted: the source must live until the call has returned
  std::atomic<int> skipped{100};
  furca::parallel_for(0, 100, [&](int) { --skipped; }, {.stop = &source});
  //! [StopToken]
  examples::expect(skipped == 100, "the source was asked before the loop");
  examples::expect(asked, "copies ask the same source");
  std::atomic<int> calls{0};
  furca::parallel_for(0, 100, [&](int) { ++calls; }, {.stop = token});
  examples::expect(calls == 0 && token.stop_possible(), "the flag was up before the loop");
}

void grain() {
  //! [automatic_grain]
  const bool expensive = true;
  std::atomic<int> calls{0};
  furca::parallel_for(0, 500, [&](int) { ++calls; },
                      {.grain = expensive ? 1 : furca::automatic_grain});
  //! [automatic_grain]
  examples::expect(calls == 500, "every index was called");
}

void reductions() {
  const std::vector<double> x(1000, 0.1);
  //! [ReduceOptions]
  furca::Progress progress(x.size());
  furca::ReduceOptions options;
  options.progress = &progress;
  options.grain = 256;  // also the minimum size of a block
  // fewer combinations; the bits may differ from run to run
  options.tree = furca::ReduceTree::by_schedule;
  const double sum = furca::parallel_reduce(x, 0.0, std::identity{}, std::plus<>{}, options);
  //! [ReduceOptions]
  examples::expect(sum > 99.999 && sum < 100.001 && progress.done() == x.size(),
                   "a sum, up to rounding");

  //! [ReduceTree]
  using furca::ReduceTree;
  const auto total = [&](ReduceTree tree) {
    return furca::parallel_reduce(x, 0.0, std::identity{}, std::plus<>{}, {.tree = tree});
  };
  // a double is trivially copyable
  const bool same_bits = total(ReduceTree::automatic) == total(ReduceTree::aligned);
  const double about_that = total(ReduceTree::by_schedule);
  //! [ReduceTree]
  examples::expect(same_bits, "automatic is aligned for numbers");
  examples::expect(about_that > 99.999 && about_that < 100.001, "the same sum, up to rounding");
}

void scopes() {
  const std::vector<int> numbers = {4, 8, 15, 16, 23, 42};
  //! [ScopeOptions]
  std::stop_source found;
  std::atomic<int> odd{0};
  furca::scope(
      [&](furca::Scope& tasks) {
        for (const int number : numbers) {
          tasks.spawn([&, number] {
            if (number % 2 == 0) return;
            odd = number;
            found.request_stop();  // tasks that have not begun are dropped
          });
        }
      },
      {.stop = found.get_token()});
  //! [ScopeOptions]
  examples::expect(odd == 15 || odd == 23, "an odd number was found");
}

}  // namespace

int main() {
  loops();
  tokens();
  scopes();
  grain();
  reductions();
  return examples::unexpected;
}
