// What furca says of itself when it is asked to: work and span of calls, and the trace. (That the
// trace is what others can read: trace/check.py.)
#include <furca/compat/tbb/parallel_for.h>
#include <furca/collect.hpp>
#include <furca/furca.hpp>
#include <furca/write.hpp>

#include "observing/site.hpp"
#include "support/observe.hpp"
#include "support/pools.hpp"
#include "support/subprocess.hpp"
#include "support/temporary_directory.hpp"
#include "support/trials.hpp"
#include "system/process.hpp"

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>

#include <sys/wait.h>
#include <unistd.h>

using furca::test::ChildProcess;
using furca::test::contains;
using furca::test::Ending;
using furca::test::spin;

namespace {

constexpr int kLong = 2'000'000;

/// The line of the call that a scenario is about; its exit code.
int called_at = 0;
#define HERE(...) (called_at = __LINE__, __VA_ARGS__)

/// How many milliseconds so many turns have taken: the same take several times as long in one place
/// of the code as in another, and on a processor that others use.
double timed_spin(int turns) {
  const auto start = std::chrono::steady_clock::now();
  spin(turns);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

/// Two arms that time themselves, and tell.
void join_timed(int turns, int other_turns) {
  double took[2] = {};
  HERE(furca::join([&] { took[0] = timed_spin(turns); },
                   [&] { took[1] = timed_spin(other_turns); }));
  std::printf("%f %f\n", took[0], took[1]);
}

const ChildProcess even_join{"two arms alike", [] {
                               join_timed(kLong, kLong);
                               return called_at;
                             }};

const ChildProcess uneven_join{"two arms, one of them much longer", [] {
                                 join_timed(kLong / 20, kLong);
                                 return called_at;
                               }};

const ChildProcess even_loop{"iterations alike", [] {
                               HERE(furca::parallel_for(0, 400, [](int) { spin(kLong / 1'000); }));
                               return called_at;
                             }};

const ChildProcess uneven_loop{
    "one long iteration", [] {
      HERE(furca::parallel_for(0, 400, [](int i) { spin(i == 200 ? kLong : kLong / 1'000); }));
      return called_at;
    }};

/// It tells what the loop's long step has taken, and the other arm.
const ChildProcess bounded_inside{"a join, one arm of which is bound by a loop", [] {
                                    double step = 0;
                                    double arm = 0;
                                    const auto loop = [&] {
                                      HERE(furca::parallel_for(0, 100, [&](int i) {
                                        if (i == 50)
                                          step = timed_spin(kLong);
                                        else
                                          spin(100);
                                      }));
                                    };
                                    furca::join([&] { loop(); },
                                                [&] { arm = timed_spin(kLong / 10); });
                                    std::printf("%f %f\n", step, arm);
                                    return called_at;
                                  }};

const ChildProcess combining{
    "a reduction that combines for longer than it computes", [] {
      const auto combine = [](int a, int b) { return spin(kLong / 10), a + b; };
      HERE((void)furca::parallel_reduce(0, 40, 0, [](int i) { return spin(kLong / 100), i; },
                                        combine, {.tree = furca::ReduceTree::by_schedule}));
      return called_at;
    }};

/// One call of each, for the compiler on one line: what tells them apart is their names.
const ChildProcess algorithms{
    "one call of each algorithm", [] {
      std::vector<int> x(100, 1);
      std::vector<int> y(100);
      const auto same = [](int v) { return v; };
      const auto append = [](int v, std::vector<int>& out) { out.push_back(v); };
      const std::vector<std::vector<int>> lists(3, x);
      HERE((void)furca::map(x, same), (void)furca::tabulate(9, [](std::size_t i) { return i; }),
           (void)furca::collect<int>(x, append), (void)furca::collect_rows<int>(x, append),
           (void)furca::flatten(lists), furca::transform(x, y, same),
           furca::transform(x, x, y, std::plus<>{}), furca::copy(x, y), furca::fill(y, 1),
           furca::generate(y, [] { return 2; }), furca::for_each(y, [](int&) {}));
      return called_at;
    }};

const ChildProcess chain_of_tasks{"a scope whose tasks spawn each other", [] {
                                    furca::scope([](furca::Scope& s) {
                                      s.spawn([&s] {
                                        spin(kLong);
                                        s.spawn([&s] {
                                          spin(kLong);
                                          s.spawn([] { spin(kLong); });
                                        });
                                      });
                                    });
                                    return 0;
                                  }};

/// They tell what they have taken together, and the longest one.
const ChildProcess independent_tasks{
    "a scope whose tasks are spawned at once", [] {
      double took[10] = {};
      furca::scope([&](furca::Scope& s) {
        for (double& one : took) s.spawn([&one] { one = timed_spin(kLong / 4); });
      });
      std::printf("%f %f\n", std::accumulate(std::begin(took), std::end(took), 0.0),
                  *std::max_element(std::begin(took), std::end(took)));
      return 0;
    }};

/// Everything at once, often, with exceptions: that it ends, and ends right.
const ChildProcess mixture{
    "a mixture", [] {
      const std::function<long(int)> tree = [&](int depth) -> long {
        if (depth == 0) return 1;
        auto [left, right] =
            furca::join([&] { return tree(depth - 1); }, [&] { return tree(depth - 1); });
        return left + right;
      };
      long sum = tree(10);
      for (std::uint64_t i = 0; i < furca::test::rounds(200); ++i) {
        try {
          furca::join([] { spin(20); }, [] { throw std::runtime_error("no"); }, [] { spin(20); });
        } catch (const std::runtime_error&) {
          ++sum;
        }
        try {
          furca::parallel_for(0, 1'000, [](int k) {
            if (k == 700) throw std::runtime_error("no");
          });
        } catch (const std::runtime_error&) {
          ++sum;
        }
        std::atomic<int> tasks{0};
        furca::scope([&](furca::Scope& s) {
          for (int k = 0; k < 10; ++k)
            s.spawn([&] { furca::join([&] { ++tasks; }, [&] { s.spawn([&] { ++tasks; }); }); });
        });
        furca::scope_fifo([&](furca::ScopeFifo& s) { s.spawn([&] { ++tasks; }); });
        sum += tasks;
        sum += furca::parallel_reduce(0, 100, 0, [](int k) { return k % 2; }, std::plus<>{});
        furca::spawn([] { furca::parallel_for(0, 100, [](int) {}); });
        sum += furca::spawn_task([] { return 1; }).join();
        furca::join([] {}, [] {}, [] {}, [] {}, [] {}, [] {});
        furca::ThreadPool pool({.threads = 2});
        pool.install([] { furca::parallel_for(0, 100, [](int) {}); });
        furca::broadcast([] {});
      }
      furca::wait_idle();
      std::printf("%ld\n", sum);
      return 0;
    }};

/// Loops that are shared or not for different reasons.
const ChildProcess deciding_loops{
    "loops that decide differently", [] {
      furca::parallel_for(0, 16, [](int) { spin(100); });
      furca::parallel_for(0, 100, [](int) { spin(100); }, {.grain = 100});
      for (int call = 0; call < 20; ++call)
        furca::parallel_for(0, 400, [](int) { spin(kLong / 1'000); });
      std::array<double, 100> x{};
      for (int call = 0; call < 200; ++call)
        furca::parallel_for(0, 100, [&x](int i) { x[static_cast<std::size_t>(i)] += 1; });
      return 0;
    }};

/// What none need come to by itself on a busy machine: a thread has slept and been woken, and an
/// arm was stolen.
const ChildProcess nap_and_theft{
    "a nap and a theft", [] {
      furca::test::eventually([] { return furca::stats().total().parks > 0; });
      furca::broadcast([] {});
      std::atomic<bool> stolen{false};
      furca::join([&] { furca::test::eventually([&] { return stolen.load(); }); },
                  [&] { stolen = true; });
      return 0;
    }};

const ChildProcess many_events{"more events than are kept", [] {
                                 for (int i = 0; i < 100'000; ++i) furca::join([] {}, [] {});
                                 furca::join([] { spin(kLong); }, [] {});
                                 return 0;
                               }};

/// As programs that were written for oneTBB have it.
const ChildProcess steps_that_wait{"two steps that wait for each other, after short ones", [] {
                                     bool waits = false;
                                     std::atomic<int> begun{0};
                                     for (int k = 0; k <= 100; ++k) {
                                       waits = k == 100;
                                       tbb::parallel_for(0, 2, [&](int) {
                                         if (!waits) return;
                                         ++begun;
                                         while (begun < 2) std::this_thread::yield();
                                       });
                                     }
                                     return 0;
                                   }};

const ChildProcess forks{"a forked child", [] {
                           furca::broadcast([] {});  // all threads are there
                           const pid_t child = fork();
                           furca::join([] {}, [] {});
                           if (child == 0) return 0;
                           int status = 0;
                           waitpid(child, &status, 0);
                           return WEXITSTATUS(status);
                         }};

constexpr int kChildren = furca::test::kSanitized ? 20 : 200;

/// Each child leaves the call that it was forked in while the other thread, which it does not have,
/// is somewhere in one.
const ChildProcess forks_inside{"children forked in a call while another thread is in one", [] {
                                  int ended = 0;
                                  for (int round = 0; round < kChildren; ++round) {
                                    std::atomic<bool> begun{false};
                                    std::atomic<bool> stop{false};
                                    std::thread other([&] {
                                      while (!stop) furca::join([] {}, [&] { begun = true; });
                                    });
                                    furca::test::eventually([&] { return begun.load(); });
                                    pid_t child = -1;
                                    furca::join([&] { child = fork(); }, [] {});
                                    if (child == 0) _exit(0);
                                    stop = true;
                                    other.join();
                                    int status = 0;
                                    waitpid(child, &status, 0);
                                    ended += WIFEXITED(status) ? 1 : 0;
                                  }
                                  return ended;
                                }};

const ChildProcess odd_name{
    "a pool whose name is cut in the middle of a character", [] {
      furca::ThreadPool pool({.threads = 2, .name = "12345678901234567890123456789\xE2\x82\xAC"});
      pool.broadcast([] {});
      return 0;
    }};

struct Line {
  double calls, elapsed, work, span, parallelism, used, lost;
  std::string what;
};

/// The lines of the table of work and span.
std::vector<Line> spans(const std::string& text) {
  std::vector<Line> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string furca;
    char percent = 0;
    Line one{};
    if (words >> furca >> one.calls >> one.elapsed >> one.work >> one.span >> one.parallelism >>
            one.used >> one.lost >> percent &&
        furca == "furca:") {
      std::getline(words >> std::ws, one.what);
      found.push_back(one);
    }
  }
  return found;
}

/// Within what the figures are rounded to.
void check_ratios(const Line& line, double threads) {
  if (line.span < 1) return;  // of less than a millisecond too few digits are printed
  CHECK(line.parallelism == doctest::Approx(line.work / line.span).epsilon(0.02));
  CHECK(line.used == doctest::Approx(line.work / line.elapsed).epsilon(0.02));
  CHECK(std::abs(line.lost - 100 * (1 - line.work / (threads * line.elapsed))) < 1);
}

/// Runs a scenario with one outermost call. What it printed: to `output`, if there is one.
Line span_of(const ChildProcess& child, int& line, std::string* output = nullptr) {
  const Ending ending = child.run(
      {.environment = {{"FURCA_STATS", "span"}, {"FURCA_NUM_THREADS", "2"}}, .seconds = 120});
  INFO(ending);
  REQUIRE(ending.signal == 0);
  line = ending.exit_code;
  if (output != nullptr) *output = ending.output;
  const std::vector<Line> lines = spans(ending.errors);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].calls == 1);
  CHECK(lines[0].span <= lines[0].work);
  check_ratios(lines[0], 2);
  return lines[0];
}

/// The same of a scenario that prints two times, in milliseconds.
struct TimedLine {
  Line line;
  double first = 0;
  double second = 0;
};
TimedLine timed_span_of(const ChildProcess& child, int& at) {
  std::string output;
  TimedLine timed{.line = span_of(child, at, &output)};
  REQUIRE(std::sscanf(output.c_str(), "%lf %lf", &timed.first, &timed.second) == 2);
  return timed;
}

/// Runs a scenario with one outermost call until it is as it should be.
template <class Is>
bool once(const ChildProcess& child, Is is) {
  for (int tries = 0; tries < 40; ++tries) {
    int at = 0;
    if (is(span_of(child, at))) return true;
  }
  return false;
}

/// Runs a join of two timed arms until no thread lost its processor between a clock read of ours
/// and furca's next one.
bool once_as_long_as_its_arms(const ChildProcess& join) {
  for (int tries = 0; tries < 40; ++tries) {
    int at = 0;
    const auto [line, first, second] = timed_span_of(join, at);
    const auto is = [](double told, double measured) {
      return std::abs(told - measured) < 0.1 * measured + 0.05;
    };
    if (is(line.work, first + second) && is(line.span, std::max(first, second))) return true;
  }
  return false;
}

/// The low byte of a line, which is all that an exit code holds, of the `:line` at the end of a
/// text.
int line_at_end(const std::string& text) {
  return std::atoi(text.c_str() + text.rfind(':') + 1) & 255;
}

/// Where a program is told to write its trace.
class TraceFile {
 public:
  const std::string& path() const { return path_; }
  std::string text() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

 private:
  furca::test::TemporaryDirectory directory_;
  std::string path_ = (directory_.path() / "trace.json").string();
};

std::size_t count(const std::string& text, const std::string& words) {
  std::size_t found = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    ++found;
  return found;
}

}  // namespace

// A thread may lose its processor in the middle of a strand, which then is longer. So what must be
// so once is tried several times.
TEST_CASE("work and span of a join are those of its arms") {
  int at = 0;
  const Line even = span_of(even_join, at);
  CHECK(even.parallelism <= 2.01);
  CHECK(contains(even.what, "join trace_test.cpp:"));
  CHECK(line_at_end(even.what) == at);
  CHECK(once_as_long_as_its_arms(even_join));
  CHECK(once_as_long_as_its_arms(uneven_join));
}

TEST_CASE("the span of a loop is its longest chunk") {
  int at = 0;
  const Line even = span_of(even_loop, at);
  CHECK(contains(even.what, "loop trace_test.cpp:"));
  CHECK(line_at_end(even.what) == at);
  CHECK(once(even_loop, [](const Line& line) { return line.parallelism > 3; }));
  CHECK(once(uneven_loop, [](const Line& line) { return line.parallelism < 2; }));
}

TEST_CASE("what bounds a call is named, even if it is another one inside") {
  bool bounds = false;
  // until the other arm was the shorter one: it may have lost its processor
  for (int tries = 0; tries < 40 && !bounds; ++tries) {
    int at = 0;
    const auto [line, step, arm] = timed_span_of(bounded_inside, at);
    CHECK(contains(line.what, "join trace_test.cpp:"));
    bounds = step > 2 * arm;
    if (bounds) CHECK(line_at_end(line.what) == at);
  }
  CHECK(bounds);
}

TEST_CASE("combining counts, where two threads' accumulators meet") {
  int at = 0;
  const Line line = span_of(combining, at);
  CHECK(line.work > 0);
  CHECK(contains(line.what, "reduction trace_test.cpp:"));
}

TEST_CASE("algorithms have their own names, also where they share a line") {
  const TraceFile file;
  const Ending ending =
      algorithms.run({.environment = {{"FURCA_STATS", "span"}, {"FURCA_TRACE", file.path()}}});
  INFO(ending);
  const std::vector<Line> lines = spans(ending.errors);
  const std::string trace = file.text();
  for (const std::string name : {"map", "tabulate", "collect", "collect_rows", "flatten",
                                 "transform", "copy", "fill", "generate", "for_each"}) {
    CAPTURE(name);
    CHECK(std::any_of(lines.begin(), lines.end(), [&](const Line& line) {
      return line.what.rfind(name + " trace_test.cpp:", 0) == 0 &&
             line_at_end(line.what) == ending.exit_code;
    }));
    CHECK(contains(trace, "\"" + name + " trace_test.cpp:"));
  }
}

TEST_CASE("a task goes on from where it was spawned") {
  CHECK(once(chain_of_tasks, [](const Line& line) { return line.parallelism < 1.1; }));
  int at = 0;
  const auto [independent, all, longest] = timed_span_of(independent_tasks, at);
  // of all of them no more than one is on the longest path
  CHECK(independent.work - independent.span > 0.95 * (all - longest));
}

TEST_CASE("observed or not, results and exceptions are the same") {
  const TraceFile file;
  const Ending plain = mixture.run();
  INFO(plain);
  REQUIRE(plain.cleanly(0));
  for (const char* threads : {"1", "2", "4"}) {
    CAPTURE(threads);
    const Ending ending = mixture.run({.environment = {{"FURCA_STATS", "span"},
                                                       {"FURCA_TRACE", file.path()},
                                                       {"FURCA_NUM_THREADS", threads}},
                                       .seconds = 120});
    INFO(ending);
    CHECK(ending.exit_code == 0);
    CHECK(ending.output == plain.output);
    for (const Line& line : spans(ending.errors)) CHECK(line.span <= line.work);
  }
  const std::string trace = file.text();
  for (const std::string what :
       {"\"join trace_test.cpp:", "\"loop trace_test.cpp:", "\"scope trace_test.cpp:",
        "\"reduction trace_test.cpp:", "\"task\"", "\"furca-0\""}) {
    CAPTURE(what);
    CHECK(contains(trace, what));
  }
  // where the system is asked for it; the portable library does not know it
  CHECK(contains(trace, "\"main thread\"") == furca::detail::is_first_thread());
  CHECK(contains(trace, "\"join\""));  // of six arms: nobody knows where
}

TEST_CASE("a loop's event in the trace says why it was shared, or was not") {
  const TraceFile file;
  const auto decisions = [&](const char* threads) {
    const Ending ending = deciding_loops.run({.environment = {{"FURCA_TRACE", file.path()},
                                                              {"FURCA_DISPLAY", "1"},
                                                              {"FURCA_NUM_THREADS", threads}}});
    INFO(ending);
    CHECK(ending.exit_code == 0);
    CHECK(contains(ending.errors, " loops and stolen halves kept: "));
    CHECK(contains(ending.errors, " loops and stolen halves shared: ") ==
          (std::string(threads) != "1"));
    return file.text();
  };
  const std::string alone = decisions("1");
  CHECK(count(alone, "\"decision\":\"kept: ") == 222);  // every loop
  CHECK(count(alone, " us left, no other thread\"") + count(alone, "known, no other thread\"") ==
        222);
  // On a busy machine a cheap loop may look long, in one run.
  const auto told = [&](const char* threads, std::initializer_list<const char*> one_of) {
    for (int run = 0; run < 20; ++run) {
      const std::string trace = decisions(threads);
      for (const char* what : one_of) {
        if (contains(trace, what)) return true;
      }
    }
    return false;
  };
  CHECK(told("2", {"\"decision\":\"shared: cost not known, few steps\""}));
  CHECK(told("2", {": cost not known, one piece, or fewer than two grains"}));
  CHECK(told("2", {"\"decision\":\"shared: cost not known, somebody awake",
                   "\"decision\":\"shared: cost not known, a thread woken"}));
  CHECK(told("2", {" us left, not worth "}));  // sharing, or waking a thread
  const bool has_places = std::thread::hardware_concurrency() >= 2;
  CHECK(told("4", {" us left, a portion for each thread"}) == has_places);
}

TEST_CASE("a trace has naps and thefts") {
  const TraceFile file;
  const Ending ending = nap_and_theft.run({.environment = {{"FURCA_TRACE", file.path()}}});
  INFO(ending);
  CHECK(ending.exit_code == 0);
  const std::string trace = file.text();
  CHECK(contains(trace, "\"asleep\""));
  CHECK(contains(trace, "\"steal\""));
}

TEST_CASE("the trace is of bounded size, and keeps the longest") {
  const TraceFile file;
  const Ending ending =
      many_events.run({.environment = {{"FURCA_TRACE", file.path()}, {"FURCA_NUM_THREADS", "1"}}});
  INFO(ending);
  CHECK(contains(ending.errors, "the shortest left out"));
  const std::string trace = file.text();
  CHECK(count(trace, "\"ph\":\"X\"") <= 65'536);
  CHECK(count(trace, "\"ph\":\"X\"") >= 32'768);
  CHECK(count(trace, "\"name\":\"join trace_test.cpp:") >= 32'768);
  const std::vector<Line> lines = spans(ending.errors);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].calls + lines[1].calls == 100'001);
}

TEST_CASE(
    "%p in the file's name is the process; a file that cannot be written is reported, and the "
    "program goes on") {
  const TraceFile file;
  const Ending ending = even_join.run({.environment = {{"FURCA_TRACE", file.path() + "-%p"}}});
  INFO(ending);
  const std::size_t from = ending.errors.find(file.path() + "-");
  REQUIRE(from != std::string::npos);
  const std::string path = ending.errors.substr(from, ending.errors.find(' ', from) - from);
  CHECK(path.find('%') == std::string::npos);
  CHECK(unlink(path.c_str()) == 0);
  const Ending refused = even_join.run({.environment = {{"FURCA_TRACE", "/nowhere/trace.json"}}});
  INFO(refused);
  CHECK(refused.errors ==
        "furca: FURCA_TRACE=/nowhere/trace.json ignored: No such file or directory\n");
}

TEST_CASE("steps of a loop that may wait for each other may do so where calls are observed") {
  const Ending ending = steps_that_wait.run(
      {.environment = {{"FURCA_STATS", "span"}, {"FURCA_NUM_THREADS", "2"}}, .seconds = 60});
  INFO(ending);
  CHECK(ending.exit_code == 0);
}

TEST_CASE("a forked child leaves its parent's trace alone") {
  const TraceFile file;
  const Ending ending = forks.run({.environment = {{"FURCA_TRACE", file.path()}}});
  INFO(ending);
  CHECK(ending.exit_code == 0);
  CHECK(count(ending.errors, " has the trace: ") == 1);
  CHECK(count(file.text(), "traceEvents") == 1);
}

TEST_CASE("a child that was forked in an observed call leaves it") {
  const Ending ending = forks_inside.run(
      {.environment = {{"FURCA_STATS", "span"}, {"FURCA_NUM_THREADS", "1"}}, .seconds = 60});
  INFO(ending);
  CHECK(ending.exit_code == kChildren);
}

TEST_CASE(
    "what is kept of a place is a copy: the library where it lies may be unloaded, and another be "
    "loaded there") {
  using furca::detail::Site;
  char file[] = "here/plugin.cpp";
  char function[] = "one";
  char call[] = "loop";
  const Site* const site = Site::of(call, file, function, 1, 2);
  CHECK(Site::of("loop", "here/plugin.cpp", "one", 1, 2) == site);
  CHECK(Site::of("map", "here/plugin.cpp", "one", 1, 2) != site);
  file[0] = 't';
  function[0] = 'n';
  CHECK(std::string(site->file) == "here/plugin.cpp");
  call[0] = 'c';
  CHECK(std::string(site->function) == "one");
  CHECK(std::string(site->call) == "loop");
  CHECK(Site::of("loop", file, function, 1, 2) != site);
  CHECK(Site::of("loop", "here/plugin.cpp", "one", 1, 2) == site);
}

TEST_CASE("a name that is cut in the middle of a character is valid in the trace") {
  const TraceFile file;
  const Ending ending = odd_name.run({.environment = {{"FURCA_TRACE", file.path()}}});
  INFO(ending);
  CHECK(ending.exit_code == 0);
  CHECK(contains(file.text(), "\"12345678901234567890123456789\?\?\""));
}
