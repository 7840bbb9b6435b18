// Wrong calls of scope.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/scope.hpp>

struct MayThrow {
  bool stop_requested() const { return false; }
  bool stop_possible() const noexcept { return true; }
};

struct Large {
  const bool* raised = nullptr;
  const bool* also = nullptr;
  bool stop_requested() const noexcept { return *raised || *also; }
  bool stop_possible() const noexcept { return true; }
};

void right() {
  furca::scope([](furca::Scope& s) { s.spawn([] {}); }, {.stop = {}});
}

void wrong(furca::StopToken token, furca::Scope& s) {
  // furca: write scope([&](furca::Scope& s) { s.spawn([&] { work(); }); })
  furca::scope([](furca::Scope) {});
  // furca: write scope([&](furca::Scope& s) { s.spawn([&] { work(); }); })
  furca::scope([] {});
  // its option behind it in braces: {.stop = token}
  furca::scope([](furca::Scope&) {}, token);
  // its option behind it in braces: {.stop = token}
  furca::scope([](furca::Scope&) {}, {.cancel = token});
  // furca: write scope_fifo([&](furca::ScopeFifo& s) { s.spawn([&] { work(); }); })
  furca::scope_fifo([](furca::Scope&) {}, {});
  // furca: write s.spawn([&, x] { f(x); })
  s.spawn([](int) {}, 1);
  // furca: write s.spawn([&, x] { f(x); })
  s.spawn([](int) {});
  // furca: write s.spawn(f)
  s.run([] {});
  // furca: a scope waits for its tasks where its body ends
  s.wait();
}

void wrong_tokens() {
  // furca: a token that stops is no larger than a pointer, is copied and asked with noexcept
  furca::scope([](furca::Scope&) {}, {.stop = MayThrow()});
  // furca: a token that stops is no larger than a pointer
  furca::scope([](furca::Scope&) {}, {.stop = Large()});
}
