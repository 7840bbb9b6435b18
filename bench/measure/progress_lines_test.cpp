// Who waits hears how far it is: where there is no terminal, too, and while one task takes long.
#include "progress.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <mutex>
#include <sstream>
#include <streambuf>
#include <string>
#include <thread>

using bench::Progress;
using namespace std::chrono_literals;

namespace {

/// A text that one thread writes while another reads.
class SharedText : public std::streambuf {
 public:
  std::string text() const {
    const std::lock_guard lock(mutex_);
    return text_;
  }

  /// Waits until there are so many lines more.
  void wait_for_lines(std::ptrdiff_t more) const {
    for (const std::ptrdiff_t before = lines(); lines() < before + more;)
      std::this_thread::sleep_for(1ms);
  }

 private:
  std::ptrdiff_t lines() const {
    const std::string seen = text();
    return std::count(seen.begin(), seen.end(), '\n');
  }

  int overflow(int c) override {
    const std::lock_guard lock(mutex_);
    text_ += static_cast<char>(c);
    return c;
  }

  mutable std::mutex mutex_;
  std::string text_;
};

}  // namespace

TEST_CASE("without a terminal lines appear, while one task is at work") {
  SharedText text;
  std::ostream out(&text);
  {
    Progress progress(2, out, false, 1ms);
    progress.begin(0, "round 1 of 3: fib 35", {2, 3});
    text.wait_for_lines(3);
  }
  CHECK(text.text().find(" gone, round 1 of 3: fib 35\n") != std::string::npos);
  CHECK(text.text().find('\r') == std::string::npos);
  CHECK(text.text().ends_with('\n'));
}

TEST_CASE("lines are ten seconds apart at most") { CHECK(Progress::kInterval <= 10s); }

TEST_CASE("what is left is said once tasks are known") {
  SharedText text;
  std::ostream out(&text);
  Progress progress(1, out, false, 1ms);
  progress.begin(0, "one", {1000});
  text.wait_for_lines(1);
  progress.end();
  CHECK(text.text().find("left") == std::string::npos);
  CHECK(progress.seconds_of(0) > 0);
  progress.begin(0, "another", {1'000'000});
  while (text.text().find(" left, another\n") == std::string::npos)
    std::this_thread::sleep_for(1ms);
}

TEST_CASE("on a terminal one line overwrites itself") {
  std::ostringstream out;
  {
    Progress progress(1, out, true, 1ms);
    progress.begin(0, "fib 35", {1});
  }
  CHECK(out.str() == "\r\033[K0:00 left, fib 35\r\033[K");
}
