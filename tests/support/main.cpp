// The main of all tests: it runs a scenario where this process is the child that is to, else those
// that are chosen.
#if !defined(_WIN32)
#include "subprocess.hpp"
#endif

#include <doctest/doctest.h>

#include <cstdio>

namespace {

// A filter that chooses nothing is a mistake: a test that was renamed would pass without being run.
class SomethingRan : public doctest::IReporter {
 public:
  explicit SomethingRan(const doctest::ContextOptions&) {}
  static inline bool nothing = false;

  void test_run_end(const doctest::TestRunStats& run) override {
    nothing = run.numTestCasesPassingFilters == 0;
  }
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_LISTENER("something_ran", 1, SomethingRan);

}  // namespace

int main(int argc, char** argv) {
#if !defined(_WIN32)
  if (const auto exit_code = furca::test::run_as_child()) return *exit_code;
#endif
  const int result = doctest::Context(argc, argv).run();
  if (SomethingRan::nothing) std::fputs("no test case was chosen\n", stderr);
  return SomethingRan::nothing ? 1 : result;
}
