#include "options.hpp"

#include "machine/host.hpp"
#include "system/processors.hpp"

#include <furca/thread_pool.hpp>

#include <filesystem>
#include <random>

namespace bench {
namespace {

/// One thread, and all; `between`: with what lies between.
std::vector<unsigned> default_threads(bool between) {
  const auto all = static_cast<unsigned>(furca::num_threads());
  if (between) return numbers_of_threads(host_topology(), all);
  return all > 1 ? std::vector<unsigned>{1, all} : std::vector<unsigned>{1};
}

/// As many rounds as fit the time that the usage promises.
void set_rounds(Plan& plan) {
  if (plan.rounds > 0) return;
  plan.rounds = plan.effort == Effort::quick ? 5 : plan.effort == Effort::normal ? 11 : 15;
  plan.budget_seconds = plan.effort == Effort::quick    ? 55
                        : plan.effort == Effort::normal ? 285
                                                        : 2'400;
}

}  // namespace

Options parse(std::span<char* const> arguments) {
  Options options;
  Plan& plan = options.plan;
  bool all_threads = false;
  plan.text_dir = "/usr/share/common-licenses";
  if (!std::filesystem::is_directory(plan.text_dir)) plan.text_dir.clear();
  plan.seed = std::random_device{}() % 1'000'000;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string option = arguments[i];
    const auto value = [&]() -> std::string {
      if (++i == arguments.size()) refuse(option + " wants a value; see --help");
      return arguments[i];
    };
    if (option == "--list") {
      options.list = true;
    } else if (option == "--quick") {
      plan.effort = Effort::quick;
    } else if (option == "--full") {
      plan.effort = Effort::full;
    } else if (option == "--only") {
      plan.only.push_back(value());
    } else if (option == "--filter") {
      plan.filter = value();
    } else if (option == "--threads") {
      const std::string counts = value();
      all_threads = counts == "all";
      const std::vector<std::uint64_t> listed =
          all_threads ? std::vector<std::uint64_t>{} : parse_counts(option, counts, 1024);
      plan.threads.assign(listed.begin(), listed.end());
    } else if (option == "--rounds") {
      plan.rounds = static_cast<unsigned>(parse_number(option, value(), 1, 10'000));
    } else if (option == "--seed") {
      plan.seed = parse_number(option, value(), 0, std::uint64_t{1} << 53U);  // what JSON can hold
    } else if (option == "--text") {
      plan.text_dir = value();
      if (!std::filesystem::is_directory(plan.text_dir))
        refuse("--text: no such directory: " + plan.text_dir);
    } else {
      refuse("no such option: " + option + "; see --help");
    }
  }
  set_rounds(plan);
  if (plan.threads.empty())
    plan.threads = default_threads(all_threads || plan.effort == Effort::full);
  plan.processors = static_cast<unsigned>(furca::detail::processors_in_affinity_mask());
  if (select_rows(plan).empty() && select_probes(plan).empty() && !group_called(plan.filter))
    refuse("nothing is called \"" + plan.filter + "\"; see --list");
  return options;
}

}  // namespace bench
