// The code of api.md and of the project's README.md.
#include "../expect.hpp"

#include <atomic>
#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <furca/algorithms.hpp>
#include <furca/furca.hpp>

void axpy(std::size_t n, double a, const double* x, double* y) {
  furca::parallel_for(std::size_t{0}, n, [=](std::size_t i) { y[i] += a * x[i]; });
}

long fibonacci(long n) {
  if (n < 2) return n;
  auto [left, right] =
      furca::join([=] { return fibonacci(n - 1); }, [=] { return fibonacci(n - 2); });
  return left + right;
}

double dot(std::size_t n, const double* x, const double* y) {
  return furca::parallel_reduce(
      std::size_t{0}, n, 0.0, [=](std::size_t i) { return x[i] * y[i]; }, std::plus<>{});
}

namespace api {

double f(double value) { return value / 2; }

struct Image {
  int brightness = 0;
  void sharpen() { ++brightness; }
};

struct Levels {
  std::vector<int> count = std::vector<int>(256);
  void add(const Image& image) { ++count[static_cast<std::size_t>(image.brightness)]; }
  void add(const Levels& other) {
    for (std::size_t i = 0; i < count.size(); ++i) count[i] += other.count[i];
  }
};

struct Node {
  std::vector<Node> children = {};
};

struct Job {
  Job* next = nullptr;
  void run() { ++runs; }
  int runs = 0;
};

void kernel(int n, const double* x, double* y) {
  for (int i = 0; i < n; ++i) y[i] = 2 * x[i];
}

double sum_of(std::span<const double> part) {
  return std::accumulate(part.begin(), part.end(), 0.0);
}

void join() {
  // two or more; results in order, void arms drop out
  auto [a, b] = furca::join([] { return f(2); }, [] { return f(4); });
  examples::expect(a == 1 && b == 2, "what both arms return");
}

void loops(int n, const double* x, double* y, std::vector<Image>& images, std::stop_token token) {
  const auto body = [=](int i) { y[i] += x[i]; };

  // indices of any integral type
  furca::parallel_for(0, n, [=](int i) { y[i] = f(x[i]); });
  furca::parallel_for(images, [](Image& image) { image.sharpen(); });  // or a random-access range
  // options; most loops need none
  furca::parallel_for(0, n, body, {.grain = 64, .stop = token});
  // a stretch at a time
  furca::parallel_for_chunks(0, n, [=](int lo, int hi) { kernel(hi - lo, x + lo, y + lo); });

  // any thread may call fraction(), rate(), seconds_left()
  furca::Progress progress(static_cast<std::uint64_t>(n));
  furca::parallel_for(0, n, body, {.progress = &progress});
  examples::expect(progress.fraction() == 1, "a loop's progress");
}

void reductions(int n, const double* x, const double* y, const std::vector<double>& prices,
                const std::vector<Image>& images) {
  const auto merge = [](Levels a, const Levels& b) {
    a.add(b);
    return a;
  };

  double product =
      furca::parallel_reduce(0, n, 0.0, [=](int i) { return x[i] * y[i]; }, std::plus<>{});
  // neither map nor operation: the sum
  double total = furca::parallel_reduce(prices, 0.0);
  Levels levels = furca::parallel_reduce(
      images, Levels(), [](Levels& some, const Image& image) { some.add(image); }, merge);
  double sum = furca::parallel_reduce_chunks(
      prices, 0.0, [](double& some, std::span<const double> part) { some += sum_of(part); },
      std::plus<>{});

  examples::expect(product == dot(static_cast<std::size_t>(n), x, y), "the scalar product");
  examples::expect(total == std::accumulate(prices.begin(), prices.end(), 0.0) && sum == total,
                   "the sum");
  examples::expect(levels.count[1] == static_cast<int>(images.size()), "the histogram");
}

struct Page {
  std::vector<int> links = {};
};

void append_links(const Page& page, std::vector<int>& out) {
  out.insert(out.end(), page.links.begin(), page.links.end());
}

void algorithms(int n, const std::vector<std::string>& words, const std::vector<Page>& pages,
                const std::vector<std::vector<int>>& lists) {
  const std::vector<double> x(100, 2);
  std::vector<double> y(100);

  // written once, by the threads that compute it
  std::vector<std::size_t> sizes = furca::map(words, &std::string::size);
  std::vector<int> squares =
      furca::tabulate(n, [](std::size_t i) { return static_cast<int>(i * i); });
  // any number each, in order: filter, flat map
  auto links = furca::collect<int>(pages, [](const Page& page, std::vector<int>& out) {
    for (int link : page.links)
      if (link >= 0) out.push_back(link);
  });
  // the same, and graph[i] is what page i has: a std::span
  auto graph = furca::collect_rows<int>(pages, append_links);
  std::vector<int> all = furca::flatten(lists);

  // also of two inputs; copy, fill, generate, for_each
  furca::transform(x, y, [](double value) { return f(value); });
  // or enumerate, chunks, windows, tiles, lazy
  furca::parallel_for(furca::zip(x, y), [](auto t) {
    auto& [a, b] = t;
    b += a;
  });

  examples::expect(sizes == std::vector<std::size_t>{4, 4}, "the lengths of words");
  examples::expect(squares.back() == (n - 1) * (n - 1), "the last square");
  examples::expect(links == std::vector<int>{1, 0}, "links that lead somewhere");
  examples::expect(graph[0].size() == 2 && graph[1].size() == 1, "all links");
  examples::expect(all == std::vector<int>{1, 2, 3}, "all lists");
  examples::expect(y[99] == 3, "half of x, and x");
}

void searches(std::vector<double> x, std::vector<Image> images, std::vector<std::size_t> sizes) {
  std::vector<std::size_t> offsets(sizes.size());
  const std::vector<int> mine = {1, 2, 4};
  const std::vector<int> yours = {2, 3, 4};
  std::vector<int> common(mine.size());

  // always the first; also all_of, equal, is_sorted, ...
  auto bad = furca::find_if(x, [](double each) { return each < 0; });
  // with a projection, as in std::ranges
  auto dark = furca::count(images, 0, &Image::brightness);
  double least = *furca::min_element(x);  // the first of several

  // same bits for any number of threads
  std::size_t total = furca::exclusive_scan(sizes, offsets, std::size_t{0}).total;
  std::vector<double> large = furca::filter(x, [](double each) { return each > 1; });
  // in place: remove_if, partition, stable_partition
  auto rest = furca::unique(sizes);
  sizes.erase(rest.begin(), rest.end());
  // no element is lost, whatever the comparison throws
  furca::stable_sort(sizes, std::ranges::greater{});
  // pairs, sorted by key; also group_by, reduce_by, group_by_index
  auto counts = furca::count_by(images, &Image::brightness);

  // of sorted ranges; also set_union, set_difference, includes
  auto both = furca::set_intersection(mine, yours, common).out;
  common.erase(both, common.end());

  // any comparison, then any projection
  furca::sort(x);
  // the same order of equal ones for any number of threads
  furca::sort(images, std::ranges::greater{}, &Image::brightness);
  // partial_sort(range, middle), sort_by_key(keys, values)
  furca::nth_element(x, x.begin() + 1);
  // the same order for the same seed; also reverse, rotate
  furca::shuffle(x, 42);

  furca::sort(x);
  examples::expect(x[0] == least && images.front().brightness >= images.back().brightness,
                   "sorted");
  examples::expect(common == std::vector<int>{2, 4}, "in both");
  examples::expect(counts.empty() == images.empty(), "counts of brightness");
  examples::expect(bad == x.end() && dark == 0, "a search and a count");
  examples::expect(least == 0 && total == 8 && large.size() == x.size() - 2,
                   "the least, the total, those above one");
  examples::expect(offsets.back() == 6 && sizes.size() == 1, "offsets, and each size once");
}

void visit(const Node& node, std::atomic<int>& nodes, furca::Scope& tasks) {
  ++nodes;
  for (const Node& child : node.children) tasks.spawn([&] { visit(child, nodes, tasks); });
}

int scopes(const Node& root) {
  std::atomic<int> nodes{0};
  // returns when all tasks are done
  furca::scope([&](furca::Scope& tasks) { visit(root, nodes, tasks); });
  // scope_fifo, with a furca::ScopeFifo&: the oldest task runs first
  return nodes;
}

int scopes_until(std::stop_token enough, const Node& root) {
  std::atomic<int> nodes{0};
  // after a stop no task begins
  furca::scope([&](furca::Scope& tasks) { visit(root, nodes, tasks); }, {.stop = enough});
  return nodes;
}

void tasks() {
  // no handle; f owns what it uses
  furca::spawn([] { f(1); });
  furca::Task<double> task = furca::spawn_task([] { return f(4); });
  // or ready(), cancel(), co_await std::move(task)
  double result = task.join();
  // all spawned tasks have ended, and all that these have spawned
  furca::wait_idle();
  examples::expect(result == 2, "a task's result");
}

furca::Async<double> compute(furca::ThreadPool& pool, double value) {
  // from here on, on a thread of the pool
  co_await pool.schedule();
  co_return f(value);
}

furca::Async<double> twice(furca::ThreadPool& pool, double value) {
  co_return co_await compute(pool, co_await compute(pool, value));
}

std::atomic<std::size_t> profiled{0};
void begin_profile(std::size_t number) { profiled += number; }
void end_profile(std::size_t number) { profiled -= number; }
void log(const std::exception_ptr&) {}

void pools(std::vector<Image>& images) {
  // otherwise calls run on the global pool
  furca::ThreadPool pool({.threads = 4});
  pool.install([&] { furca::parallel_for(images, [](Image& image) { image.sharpen(); }); });
  // all options, in their order; each may be left out
  furca::ThreadPool named({.threads = 4,
                           .name = "compute",
                           .stack_size = 8 << 20,  // bytes; 0: the default
                           .wait = furca::WaitPolicy::own_subtree,
                           .start_hook = [](std::size_t number) { begin_profile(number); },
                           .exit_hook = [](std::size_t number) { end_profile(number); },
                           .exception_handler = [](std::exception_ptr error) { log(error); },
                           .queue_capacity = 256,
                           .steal_attempts = 100,
                           .bind = false});
  // runs it and waits; in a coroutine, co_await
  double value = furca::sync_wait(twice(pool, 8));
  // beside the caller, until begun.join() or co_await std::move(begun)
  furca::Task<double> begun = pool.spawn_task(twice(pool, 16));
  examples::expect(value == 2 && begun.join() == 4, "a coroutine's result");

  furca::broadcast([] { std::fesetround(FE_TONEAREST); });  // once on every thread
  // of the pool that the caller runs on
  std::size_t threads = furca::num_threads();
  std::size_t mine = furca::thread_index();  // the caller's number in it
  examples::expect(threads >= 1 && mine < threads,
                   "one caller's number is below the number of threads");

  {
    // to the end of the block two threads of the pool compute, the caller among them
    furca::ThreadLimit limit(2);
    furca::parallel_for(images, [](Image& image) { image.sharpen(); });
  }

  // each thread's begins as a copy of this one
  furca::PerWorker<std::vector<double>> scratch{std::vector<double>(1000)};
  furca::parallel_for(images, [&](Image& image) { scratch.local()[0] = image.brightness; });
}

void queues(Job& job) {
  // its owner pushes and pops; any thread steals
  furca::Deque<Job*> deque;
  // bounded, first in, first out; any thread steals half of it
  furca::RunQueue<Job*> queue;
  // any thread pushes and pops; items are linked by a member Job* next
  furca::Injector<Job> injector;

  deque.push(&job);
  if (furca::Steal<Job*> stolen = deque.steal()) stolen.item->run();
  examples::expect(job.runs == 1 && queue.empty() && injector.empty(), "a job that was stolen");
}

int run() {
  const std::vector<double> x(1000, 2);
  std::vector<double> y(1000, 1);
  std::vector<Image> images(1000);
  axpy(x.size(), 3, x.data(), y.data());
  examples::expect(y[0] == 7 && dot(x.size(), x.data(), y.data()) == 14'000, "axpy and dot");
  examples::expect(fibonacci(20) == 6765, "the 20th Fibonacci number");
  join();
  loops(1000, x.data(), y.data(), images, {});
  examples::expect(y[999] == 6, "what four loops have made");
  reductions(1000, x.data(), y.data(), x, images);
  algorithms(100, {"fork", "join"}, {{{1, -1}}, {{0}}}, {{1, 2}, {}, {3}});
  searches({0, 0.5, 2, 3}, images, {2, 2, 2, 2});
  examples::expect(scopes({{{}, {{{}}}}}) == 4, "all nodes of a tree");
  examples::expect(scopes_until({}, {{{}, {{{}}}}}) == 4, "all nodes of a tree that nobody stops");
  tasks();
  pools(images);
  Job job;
  queues(job);
  return examples::unexpected;
}

}  // namespace api

int main() { return api::run(); }
