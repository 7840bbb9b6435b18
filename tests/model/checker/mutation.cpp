#include "mutation.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string_view>

namespace furca::model {

namespace {

struct Tried {
  const Program* program;
  std::uint64_t runs;
  std::vector<OrderedSite> passes;
};

Verdict try_one(const Weakening& weakening, const std::vector<Tried>& programs) {
  Verdict verdict{weakening, {}, {}};
  const std::vector<Weakening> single{weakening};
  sites().weaken(single);
  for (const Tried& tried : programs) {
    if (std::find(tried.passes.begin(), tried.passes.end(), weakening.from) == tried.passes.end())
      continue;
    Options options = tried.program->options;
    options.minimise = false;
    const Result result = explore(tried.program->body, options);
    verdict.runs += result.runs;
    if (result.failure != nullptr) {
      verdict.killer = tried.program->name;
      verdict.what = result.failure->what;
      verdict.runs = result.runs;
      break;
    }
    verdict.exhaustive = verdict.exhaustive && result.exhaustive;
  }
  sites().leave_alone();
  return verdict;
}

bool is(const Survivor& survivor, const Weakening& weakening) {
  return std::string_view(weakening.from.site.file).ends_with(survivor.file) &&
         weakening.from.site.text().find(survivor.line) != std::string::npos &&
         weakening.describe().ends_with(survivor.change);
}

}  // namespace

std::vector<Verdict> weaken_each(const std::vector<Program>& programs,
                                 const std::vector<const char*>& parts) {
  const auto is_in = [](const OrderedSite& place, const char* part) {
    return std::string_view(place.site.file).find(part) != std::string_view::npos;
  };
  const auto wanted = [&](const OrderedSite& place) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const char* part) { return is_in(place, part); });
  };
  std::vector<Tried> all;
  std::vector<OrderedSite> places;
  for (const Program& program : programs) {
    sites().note_from_here_on();
    const Result result = explore(program.body, program.options);
    if (result.failure != nullptr || result.capped)
      std::printf("%s: %s\n", program.name.c_str(), result.report().c_str());
    all.push_back({&program, result.runs + result.redundant, sites().noted()});
    for (const OrderedSite& place : all.back().passes)
      if (wanted(place) && std::find(places.begin(), places.end(), place) == places.end())
        places.push_back(place);
    sites().leave_alone();
  }
  for (const char* part : parts)
    if (std::none_of(places.begin(), places.end(),
                     [&](const OrderedSite& place) { return is_in(place, part); }))
      throw std::invalid_argument(std::string("these programs reach no order in ") + part);
  std::sort(all.begin(), all.end(), [](const Tried& a, const Tried& b) { return a.runs < b.runs; });
  std::sort(places.begin(), places.end(), [](const OrderedSite& a, const OrderedSite& b) {
    const int files = std::string_view(a.site.file).compare(b.site.file);
    return files != 0 ? files < 0 : a.site.line < b.site.line;
  });
  std::vector<Verdict> verdicts;
  for (const OrderedSite& place : places)
    for (const Weakening& weakening : weakenings(place))
      verdicts.push_back(try_one(weakening, all));
  return verdicts;
}

bool survive_together(const std::vector<Verdict>& verdicts, const std::vector<Program>& programs) {
  std::vector<Weakening> all;
  for (const Verdict& verdict : verdicts)
    if (verdict.killer.empty() && verdict.weakening.from.access != Access::fence)
      all.push_back({verdict.weakening.from, std::memory_order_relaxed, std::memory_order_relaxed});
  bool survived = true;
  std::uint64_t runs = 0;
  sites().weaken(all);
  for (const Program& program : programs) {
    const Result result = explore(program.body, program.options);
    runs += result.runs;
    if (result.failure == nullptr) continue;
    std::printf("%s: %s\n", program.name.c_str(), result.report().c_str());
    survived = false;
  }
  sites().leave_alone();
  std::printf("all that survived, relaxed at the same time: %s %llu executions\n",
              survived ? "survive" : "killed within", static_cast<unsigned long long>(runs));
  return survived;
}

bool judge(const std::vector<Verdict>& verdicts, const std::vector<Survivor>& expected) {
  bool as_expected = true;
  if (!verdicts.empty() && verdicts.front().weakening.from.site.text().empty()) {
    std::printf("cannot read %s from here: run from the build directory\n",
                verdicts.front().weakening.from.site.file);
    return false;
  }
  struct Score {
    std::size_t killed = 0;
    std::size_t all = 0;
  };
  Score total;
  std::map<std::string, Score> scores;  // of each file
  std::map<const Survivor*, std::size_t> met;
  for (const Verdict& verdict : verdicts) {
    const auto known =
        std::find_if(expected.begin(), expected.end(),
                     [&](const Survivor& survivor) { return is(survivor, verdict.weakening); });
    std::string line = verdict.weakening.describe() + ": ";
    const std::string runs = std::to_string(verdict.runs) + " executions";
    for (Score* const score : {&total, &scores[verdict.weakening.from.site.file_name()]}) {
      ++score->all;
      score->killed += verdict.killer.empty() ? 0 : 1;
    }
    if (!verdict.killer.empty()) {
      line += "killed by " + verdict.killer + " after " + runs + ": " + verdict.what;
      if (known != expected.end()) line += "\n  UNEXPECTED: it was thought that nothing can notice";
    } else {
      line += "survives " + runs + (verdict.exhaustive ? "" : ", CAPPED");
      line += known != expected.end() ? std::string("\n  ") + known->reason
                                      : "\n  UNEXPECTED: no program notices";
    }
    as_expected = as_expected && verdict.killer.empty() == (known != expected.end());
    if (known != expected.end()) ++met[&*known];
    std::printf("%s\n", line.c_str());
  }
  for (const Survivor& survivor : expected) {
    if (met[&survivor] > 0) continue;
    std::printf("%s, %s, %s: no such place any more\n", survivor.file, survivor.line,
                survivor.change);
    as_expected = false;
  }
  for (const auto& [file, score] : scores)
    std::printf("%s: %zu of %zu\n", file.c_str(), score.killed, score.all);
  std::printf("%zu of %zu weakenings killed\n", total.killed, total.all);
  return as_expected;
}

}  // namespace furca::model
