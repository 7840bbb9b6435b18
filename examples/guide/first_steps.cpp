// The code of first_steps.md.
#include "../expect.hpp"

#include <furca/furca.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace {

void brighten(std::vector<float>& pixels, float by) {
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = std::min(pixels[i] * by, 1.0F);
}

void brighten_in_parallel(std::vector<float>& pixels, float by) {
  furca::parallel_for(std::size_t{0}, pixels.size(),
                      [&, by](std::size_t i) { pixels[i] = std::min(pixels[i] * by, 1.0F); });
}

double length_of(const std::vector<double>& x) {
  return std::sqrt(
      furca::parallel_reduce(x, 0.0, [](double each) { return each * each; }, std::plus<>{}));
}

void quicksort(std::span<int> keys) {
  if (keys.size() < 2) return;
  const int pivot = keys[keys.size() / 2];
  const auto equal = std::partition(keys.begin(), keys.end(), [=](int key) { return key < pivot; });
  const auto above = std::partition(equal, keys.end(), [=](int key) { return key == pivot; });
  furca::join([=] { quicksort({keys.begin(), equal}); }, [=] { quicksort({above, keys.end()}); });
}

struct Folder {
  std::vector<long> files = {};
  std::vector<Folder> folders = {};
};

void add_up(const Folder& folder, std::atomic<long>& total, furca::Scope& tasks) {
  for (const Folder& inner : folder.folders) tasks.spawn([&] { add_up(inner, total, tasks); });
  for (const long size : folder.files) total += size;
}

long size_of(const Folder& folder) {
  std::atomic<long> total{0};
  furca::scope([&](furca::Scope& tasks) { add_up(folder, total, tasks); });
  return total;
}

std::atomic<int> pages{0};

void print(const std::string& text) { pages += static_cast<int>(text.size()); }

int tasks() {
  // owns what it uses, since it may run at any time
  furca::spawn([text = std::string("two")] { print(text); });
  furca::Task<int> answer = furca::spawn_task([] { return 6 * 7; });

  // its result, or the exception that it threw
  const int value = answer.join();
  furca::wait_idle();  // all spawned tasks have ended
  return value;
}

void own_pool(std::vector<float>& pixels) {
  furca::ThreadPool pool({.threads = 2, .name = "decode"});
  pool.install([&] { brighten_in_parallel(pixels, 2); });  // on this thread and decode-0
}

void check(const std::vector<std::string>& lines) {
  furca::parallel_for(std::size_t{0}, lines.size(), [&](std::size_t i) {
    if (lines[i].empty()) throw std::runtime_error("line " + std::to_string(i + 1) + " is empty");
  });
}

/// The index of a key that is `wanted`, or -1. Ends early when a stop of `give_up` is requested.
int search(const std::vector<int>& keys, int wanted, std::stop_token give_up) {
  std::stop_source done;
  const std::stop_callback pass_on(give_up, [&] { done.request_stop(); });
  std::atomic<int> found{-1};
  const auto look = [&](int i) {
    if (keys[static_cast<std::size_t>(i)] != wanted) return;
    found = i;
    done.request_stop();
  };
  furca::parallel_for(0, static_cast<int>(keys.size()), look, {.stop = done.get_token()});
  return found;
}

using WordCounts = std::map<std::string, int>;

WordCounts count(const std::vector<std::string>& words) {
  return furca::parallel_reduce(
      words, WordCounts(), [](WordCounts& some, const std::string& word) { ++some[word]; },
      [](WordCounts all, const WordCounts& more) {
        for (const auto& [word, times] : more) all[word] += times;
        return all;
      });
}

std::vector<double> medians(const std::vector<std::vector<double>>& rows, std::size_t longest) {
  std::vector<double> found(rows.size());
  // each thread's value begins as a copy of this one
  furca::PerWorker<std::vector<double>> scratch{std::vector<double>(longest)};
  furca::parallel_for(std::size_t{0}, rows.size(), [&](std::size_t i) {
    std::vector<double>& mine = scratch.local();
    const auto end = std::copy(rows[i].begin(), rows[i].end(), mine.begin());
    const auto middle = mine.begin() + (end - mine.begin()) / 2;
    std::nth_element(mine.begin(), middle, end);
    found[i] = *middle;
  });
  return found;
}

double milliseconds(const std::function<void()>& f) {
  f();  // the first call starts threads, and loops measure their iterations
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace

int main() {
  std::vector<float> once(1000, 0.2F);
  std::vector<float> twice = once;
  brighten(once, 2);
  brighten_in_parallel(twice, 2);
  examples::expect(once == twice, "both loops do the same");
  own_pool(once);
  examples::expect(once.front() == 0.8F, "and in a pool of one's own");

  std::vector<double> x(10'000, 1);
  x[5000] = 3;
  x[6000] = -2;
  examples::expect(length_of(x) == std::sqrt(10'011.0), "the length of a vector");

  std::vector<int> keys(5000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int>(i * 7919 % 5003);
  const int last = static_cast<int>(std::find(keys.begin(), keys.end(), 77) - keys.begin());
  examples::expect(search(keys, 77, {}) == last && search(keys, -1, {}) == -1,
                   "one is found, the other is not there");
  quicksort(keys);
  examples::expect(std::is_sorted(keys.begin(), keys.end()), "sorted");

  examples::expect(size_of({{1, 2}, {{{4}}, {{8}, {{{16}}}}}}) == 31, "all files are counted");
  examples::expect(tasks() == 42 && pages == 3, "both tasks have run");
  try {
    check({"first", "", "third", ""});
    examples::expect(false, "an exception leaves the loop");
  } catch (const std::runtime_error& error) {
    examples::expect(std::string(error.what()) == "line 2 is empty", "it is the serial loop's");
  }
  examples::expect(count({"a", "b", "a"}).at("a") == 2, "words are counted");
  examples::expect(medians({{3, 1, 2}, {5}}, 3) == std::vector<double>{2, 5},
                   "the middle of each row");
  examples::expect(milliseconds([&] { brighten(once, 1); }) >= 0, "time passes");
  return examples::unexpected;
}
