// A throw at every point of programs made of joins, loops and reductions: what leaves is what
// serial execution would have thrown.
#include <furca/furca.hpp>

#include "counted.hpp"
#include "support/observe.hpp"
#include "support/trials.hpp"

#include <sched.h>

using namespace furca::test;
using furca::ReduceTree;
using furca::ThreadPool;

namespace {

/// The places where a program may throw, numbered in the order of serial execution.
class Points {
 public:
  enum class Throwing { only_first, first_and_all_behind, first_and_another };
  using Number = std::size_t;

  explicit Points(Number count) : ran_(count) {}

  Number count() const noexcept { return ran_.size(); }

  void begin(Number first, Throwing throwing, Number another) {
    for (auto& times : ran_) times = 0;
    first_ = first;
    throwing_ = throwing;
    another_ = another;
    call_has_returned_ = false;
    caller_ = std::this_thread::get_id();
  }

  /// The program is at this point.
  void at(Number point) {
    ++inside_;
    if (call_has_returned_) ++started_late;
    ++ran_[point];
    if (std::this_thread::get_id() != caller_) ++ran_elsewhere;
    busy();
    if (point % 16 == 7) sched_yield();  // a crowded machine's thieves get their chance
    --inside_;
    if (throws(point)) throw Thrown(static_cast<std::int64_t>(point));
  }

  /// The call that ran the program has thrown. Is everything as the contract says?
  bool call_threw(Number where) {
    call_has_returned_ = true;
    bool right = where == first_ && inside_ == 0;
    for (Number point = 0; point < count(); ++point)
      right = right && (point <= first_ ? ran_[point] == 1 : ran_[point] <= 1);
    return right;
  }

  /// Bodies that began after the call had returned; points that ran on another thread than the
  /// caller. Over all runs.
  static inline std::atomic<std::uint64_t> started_late{0};
  static inline std::atomic<std::uint64_t> ran_elsewhere{0};

 private:
  bool throws(Number point) const noexcept {
    if (point <= first_ || throwing_ == Throwing::only_first) return point == first_;
    return throwing_ == Throwing::first_and_all_behind || point == another_;
  }

  std::vector<std::atomic<int>> ran_;
  std::atomic<int> inside_{0};
  std::atomic<bool> call_has_returned_{false};
  Number first_ = 0;
  Throwing throwing_ = Throwing::only_first;
  Number another_ = 0;
  std::thread::id caller_;
};

using Throwing = Points::Throwing;
using Number = Points::Number;

constexpr auto add = [](const Counted& a, const Counted& b) { return Counted(a.value + b.value); };

// --- the programs: each visits the points [first, first + count) ---------------------------------

void loop(Points& points, Number first, Number count) {
  furca::parallel_for(first, first + count, [&points](Number i) { points.at(i); });
}

void range_loop(Points& points, Number first, Number count) {
  std::vector<Number> elements(count);
  std::iota(elements.begin(), elements.end(), first);
  furca::parallel_for(elements, [&points](const Number& i) { points.at(i); });
}

template <ReduceTree kTree>
void reduction(Points& points, Number first, Number count) {
  const auto map = [&points](Number i) {
    points.at(i);
    return Counted(1);
  };
  (void)furca::parallel_reduce(first, first + count, Counted(), map, add, {.tree = kTree});
}

template <ReduceTree kTree>
void folding_reduction(Points& points, Number first, Number count) {
  const auto fold = [&points](Counted& sum, Number i) {
    points.at(i);
    ++sum.value;
  };
  (void)furca::parallel_reduce(first, first + count, Counted(), fold, add, {.tree = kTree});
}

/// A join of kArms arms. Each runs part(first, count) for its share of the points, and has a result
/// that cannot be copied.
template <std::size_t kArms, class Part>
void join_of(Part part, Number first, Number count) {
  const auto arm = [&](std::size_t number) {
    const Number from = first + count * number / kArms;
    return [&part, from, to = first + count * (number + 1) / kArms] {
      part(from, to - from);
      return std::make_unique<Counted>(1);
    };
  };
  [&]<std::size_t... kNumber>(std::index_sequence<kNumber...>) {
    (void)furca::join(arm(kNumber)...);
  }(std::make_index_sequence<kArms>());
}

template <std::size_t kArms>
void joins(Points& points, Number first, Number count) {
  if (count == 0) return;
  if (count == 1) return points.at(first);
  join_of<kArms>([&points](Number from, Number some) { joins<kArms>(points, from, some); }, first,
                 count);
}

/// kOuter(part): runs a part for each of ten shares; kInner visits the points of a share.
template <auto kInner>
void in_a_loop(Points& points, Number first, Number count) {
  furca::parallel_for(Number{0}, Number{10}, [&, first, count](Number i) {
    kInner(points, first + count * i / 10, count * (i + 1) / 10 - count * i / 10);
  });
}

template <auto kInner>
void in_a_join(Points& points, Number first, Number count) {
  join_of<4>([&points](Number from, Number some) { kInner(points, from, some); }, first, count);
}

template <auto kInner>
void in_a_reduction(Points& points, Number first, Number count) {
  const auto map = [&, first, count](Number i) {
    kInner(points, first + count * i / 10, count * (i + 1) / 10 - count * i / 10);
    return Counted(1);
  };
  (void)furca::parallel_reduce(Number{0}, Number{10}, Counted(), map, add,
                               {.tree = ReduceTree::aligned});
}

// --- running them --------------------------------------------------------------------------------

struct Program {
  const char* name;
  void (*run)(Points&, Number first, Number count);
};

constexpr auto kReduction = reduction<ReduceTree::by_schedule>;
constexpr auto kAlignedReduction = reduction<ReduceTree::aligned>;

constexpr Program kPrograms[] = {
    {"loop", loop},
    {"loop over a range", range_loop},
    {"reduction by schedule", kReduction},
    {"reduction, aligned", kAlignedReduction},
    {"folding reduction by schedule", folding_reduction<ReduceTree::by_schedule>},
    {"folding reduction, aligned", folding_reduction<ReduceTree::aligned>},
    {"joins of 2", joins<2>},
    {"joins of 3", joins<3>},
    {"joins of 4", joins<4>},
    {"joins of 5", joins<5>},
    {"joins in a loop", in_a_loop<joins<3>>},
    {"loops in a loop", in_a_loop<loop>},
    {"reductions in a loop", in_a_loop<kReduction>},
    {"loops in a join", in_a_join<loop>},
    {"reductions in a join", in_a_join<kAlignedReduction>},
    {"loops in a reduction", in_a_reduction<loop>},
    {"joins in a reduction", in_a_reduction<joins<2>>},
    {"reductions in loops in a join", in_a_join<in_a_loop<kReduction>>},
    {"loops of few steps in a loop", in_a_loop<in_a_join<loop>>},
    {"reductions of few steps in a loop", in_a_loop<in_a_join<kReduction>>},
};

/// The only point whose exception left; SIZE_MAX if none did.
Number thrown_by(const Program& program, Points& points) {
  try {
    program.run(points, 0, points.count());
  } catch (const Thrown& thrown) {
    return static_cast<Number>(thrown.where());
  }
  return SIZE_MAX;
}

}  // namespace

TEST_CASE(
    "a throw at any point leaves as it would have in serial execution, everything before it has "
    "run and nothing runs later") {
  const Watchdog watchdog("throws at every point", 120);
  Random random(seed());
  std::uint64_t cases = 0;
  for (const std::size_t threads : {1U, 2U, 4U}) {
    ThreadPool pool({.threads = threads});
    Points points(rounds(200));
    for (const Program& program : kPrograms) {
      CAPTURE(threads);
      CAPTURE(std::string(program.name));
      watchdog.feed();
      std::uint64_t wrong = 0;
      // Not every point under a sanitizer; another choice in each program.
      const Number stride = kSanitized ? 10 : 1;
      for (Number first = kSanitized ? random.below(stride) : 0; first < points.count();
           first += stride) {
        const Throwing together =
            first / stride % 2 == 0 ? Throwing::first_and_all_behind : Throwing::first_and_another;
        for (const Throwing throwing : {Throwing::only_first, together}) {
          points.begin(first, throwing, first + random.below(points.count() - first));
          const Number where = pool.install([&] { return thrown_by(program, points); });
          ++cases;
          if (!points.call_threw(where) || !nothing_is_left()) ++wrong;
        }
      }
      CHECK(wrong == 0);
      CHECK(pool.install(computes));
    }
    if (threads == 1) CHECK(Points::ran_elsewhere == 0);
  }
  CHECK(Points::started_late == 0);
  CHECK(Points::ran_elsewhere > 0);
  std::printf(
      "exceptions: %llu throws at points of %zu programs, %llu points ran on another thread than "
      "the caller\n",
      static_cast<unsigned long long>(cases), std::size(kPrograms),
      static_cast<unsigned long long>(Points::ran_elsewhere.load()));
}

TEST_CASE("of arms that all run at the same time, the first that throws is the one") {
  const Watchdog watchdog("throws at a meeting");
  const auto check = []<std::size_t... kArm>(std::index_sequence<kArm...>) {
    constexpr std::size_t kArms = sizeof...(kArm);
    ThreadPool pool({.threads = kArms});
    for (std::uint64_t round = 0; round < rounds(5); ++round) {
      for (unsigned throwing = 1; throwing < 1U << kArms; ++throwing) {
        CAPTURE(kArms);
        CAPTURE(throwing);
        Meeting all(kArms);
        std::atomic<int> finished{0};
        const auto arm = [&](std::size_t number) {
          return [&, number] {
            all.attend();
            ++finished;
            if ((throwing >> number & 1U) != 0) throw Thrown(static_cast<std::int64_t>(number));
            return Counted(1);
          };
        };
        std::int64_t where = -1;
        try {
          pool.install([&] { (void)furca::join(arm(kArm)...); });
        } catch (const Thrown& thrown) {
          where = thrown.where();
        }
        CHECK(where == std::countr_zero(throwing));
        CHECK(finished == static_cast<int>(kArms));
        CHECK(nothing_is_left());
      }
    }
  };
  check(std::make_index_sequence<2>());
  check(std::make_index_sequence<3>());
  check(std::make_index_sequence<4>());
  check(std::make_index_sequence<5>());
}
