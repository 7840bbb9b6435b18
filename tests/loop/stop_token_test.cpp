// What asks a loop to stop: copies, assignments, and when the token inside is destroyed.
#include <furca/chunks.hpp>
#include <furca/parallel_for.hpp>
#include <furca/parallel_reduce.hpp>
#include <furca/scope.hpp>
#include <furca/stop_token.hpp>

#include "support/standard.hpp"

#include <stop_token>

using furca::StopToken;

namespace {

struct Source {
  int tokens = 0;
  bool raised = false;
  bool possible = true;
};

/// Counts its copies.
class Token {
 public:
  explicit Token(Source& source) noexcept : source_(&source) { ++source_->tokens; }
  Token(const Token& other) noexcept : source_(other.source_) { ++source_->tokens; }
  Token& operator=(const Token&) = delete;
  ~Token() { --source_->tokens; }

  bool stop_requested() const noexcept { return source_->raised; }
  bool stop_possible() const noexcept { return source_->possible; }

 private:
  Source* source_;
};

struct Large {
  Source* one;
  Source* other;

  bool stop_requested() const noexcept { return one->raised; }
  bool stop_possible() const noexcept { return true; }
};

struct alignas(2 * sizeof(void*)) OverAligned {
  bool stop_requested() const noexcept { return false; }
  bool stop_possible() const noexcept { return true; }
};

struct Throws {
  Throws() = default;
  Throws(const Throws&) {}
  bool stop_requested() const noexcept { return false; }
  bool stop_possible() const noexcept { return true; }
};

static_assert(furca::StopSource<std::stop_token> && furca::StopSource<Token>);
static_assert(!furca::StopSource<Large> && !furca::StopSource<OverAligned> &&
              !furca::StopSource<Throws>);
static_assert(!furca::StopSource<StopToken> && !furca::StopSource<int> &&
              !std::is_convertible_v<int, StopToken>);
static_assert(std::is_convertible_v<Large*, StopToken> &&
              std::is_convertible_v<std::stop_source*, StopToken> &&
              !std::is_convertible_v<int*, StopToken>);
static_assert(!std::is_convertible_v<StopToken, std::stop_token> &&
              !std::is_constructible_v<std::stop_token, StopToken>);
static_assert(std::is_nothrow_default_constructible_v<StopToken> &&
              std::is_nothrow_copy_constructible_v<StopToken> &&
              std::is_nothrow_copy_assignable_v<StopToken>);

}  // namespace

TEST_CASE("each StopToken holds one token, and destroys it") {
  Source a;
  Source b;
  {
    StopToken one = Token(a);
    CHECK(a.tokens == 1);
    const StopToken two = one;
    CHECK(a.tokens == 2);
    one = *&one;
    CHECK((a.tokens == 2 && one.stop_possible()));
    one = Token(b);
    CHECK((a.tokens == 1 && b.tokens == 1));
    one = two;
    CHECK((a.tokens == 2 && b.tokens == 0));
    a.raised = true;
    CHECK((one.stop_requested() && two.stop_requested()));
    one = {};
    CHECK((a.tokens == 1 && !one.stop_possible() && !one.stop_requested()));
    one = two;
    CHECK((a.tokens == 2 && one.stop_requested()));
  }
  CHECK((a.tokens == 0 && b.tokens == 0));
}

TEST_CASE("a token that cannot be stopped is not kept") {
  Source source;
  source.possible = false;
  source.raised = true;
  const StopToken token = Token(source);
  CHECK((source.tokens == 0 && !token.stop_possible() && !token.stop_requested()));
  CHECK(!StopToken(std::stop_token()).stop_possible());
  CHECK(!StopToken(std::stop_source(std::nostopstate).get_token()).stop_possible());
  CHECK(!StopToken().stop_requested());
}

TEST_CASE("a StopToken outlives the std::stop_source, and knows whether it asked") {
  StopToken asked;
  StopToken never;
  {
    std::stop_source source;
    asked = source.get_token();
    never = std::stop_source().get_token();
    CHECK((asked.stop_possible() && !asked.stop_requested()));
    source.request_stop();
  }
  CHECK((asked.stop_requested() && !never.stop_requested()));
}

TEST_CASE("what an address leads to is asked there, and nothing is copied or counted") {
  Source source;
  Token token(source);
  const StopToken there = &token;
  const StopToken same = there;
  CHECK((source.tokens == 1 && same.stop_possible() && !same.stop_requested()));
  const StopToken further = &same;
  const Large large{&source, &source};
  const StopToken of_large = &large;
  int calls = 0;
  furca::parallel_for(0, 100,
                      [&](int) {
                        calls += source.tokens;
                        source.raised = true;
                      },
                      {.grain = 100, .stop = &token});
  CHECK((calls == 100 && source.tokens == 1));
  CHECK((same.stop_requested() && further.stop_requested() && of_large.stop_requested()));
  furca::parallel_for(0, 100, [&](int) { ++calls; }, {.stop = &further});
  CHECK(calls == 100);
  source.possible = false;
  CHECK((!StopToken(&token).stop_possible() && !StopToken(&token).stop_requested()));
  CHECK(!StopToken(static_cast<const std::stop_source*>(nullptr)).stop_possible());
}

TEST_CASE(
    "loops, reductions and scopes stop when the std::stop_source is asked that they point to") {
  std::stop_source source;
  int calls = 0;
  furca::scope([&](furca::Scope& s) { s.spawn([&] { ++calls; }); }, {.stop = &source});
  CHECK(calls == 1);
  source.request_stop();
  furca::parallel_for(0, 100, [&](int) { ++calls; }, {.stop = &source});
  furca::parallel_for_chunks(0, 100, [&](int, int) { ++calls; }, {.stop = &source});
  CHECK(furca::parallel_reduce(0, 100, 0, [](int i) { return i; }, std::plus<>{},
                               {.stop = &source}) == 0);
  furca::scope([&](furca::Scope& s) { s.spawn([&] { ++calls; }); }, {.stop = &source});
  CHECK(calls == 1);
}

TEST_CASE("loops, reductions and scopes take a token of either kind, and destroy their copies") {
  Source source;
  source.raised = true;
  int calls = 0;
  furca::parallel_for(0, 100, [&](int) { ++calls; }, {.stop = Token(source)});
  CHECK(furca::parallel_reduce(0, 100, 0, [](int i) { return i; }, std::plus<>{},
                               {.stop = Token(source)}) == 0);
  furca::scope([&](furca::Scope& s) { s.spawn([&] { ++calls; }); }, {.stop = Token(source)});
  std::stop_source of_std;
  of_std.request_stop();
  furca::LoopOptions options{.stop = of_std.get_token()};
  furca::parallel_for(0, 100, [&](int) { ++calls; }, options);
  options.stop = Token(source);
  furca::parallel_for(0, 100, [&](int) { ++calls; }, options);
  CHECK((calls == 0 && source.tokens == 1));
}
