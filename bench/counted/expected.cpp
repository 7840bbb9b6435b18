#include "expected.hpp"

#include "run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace counted {

namespace {

constexpr std::array<std::string_view, 12> kRows = {
    "loop-10ms",  "loop-1ms", "loop-100us", "reduction-10ms", "steps-40us", "nested",
    "loops-32us", "fib-25",   "queens-10",  "skynet-10^5",    "scope-2us",  "scope-100us"};

constexpr std::size_t kSeeds = 6;

struct Reached {
  std::string name;
  double speed_up = 0;
  double error = 0;  // in percent
};

/// Of its rows those that are named, or all.
std::vector<Reached> reach(Machine::Setting setting, const std::vector<std::string>& names) {
  std::vector<Reached> all;
  for (const Row& row : rows()) {
    if (std::find(kRows.begin(), kRows.end(), row.name) == kRows.end()) continue;
    if (!names.empty() && std::find(names.begin(), names.end(), row.name) == names.end()) continue;
    setting.processors = 1;
    const Time alone = run(row, setting, 1, Start::awake).time;
    for (const std::size_t workers : {std::size_t{16}, std::size_t{64}}) {
      setting.processors = static_cast<int>(workers);
      for (const Start start : {Start::awake, Start::rested}) {
        const Mean reached = mean(row, setting, workers, start, alone, kSeeds);
        std::ostringstream name;
        name << row.name << ' ' << workers << (start == Start::awake ? " awake" : " rested");
        all.push_back({name.str(), reached.speed_up, reached.error});
      }
    }
  }
  return all;
}

/// Whether it is off by more than 3 % beyond what chance explains, which is thrice the standard
/// error; says so then.
bool is_off(const std::string& name, double percent, double error) {
  constexpr double kSlack = 3;  // percent
  if (std::abs(percent) <= kSlack + 3 * error) return false;
  std::printf("%-26s %+6.1f %%, and chance explains %.1f\n", name.c_str(), percent, error);
  return true;
}

}  // namespace

/// A row's four figures together are known better than each.
bool meets(const std::string& file, const Machine::Setting& setting,
           const std::vector<std::string>& names) {
  constexpr std::size_t kOfRow = 4;
  std::map<std::string, Reached> written;
  std::ifstream lines(file);
  for (Reached one; lines >> one.name;) {
    std::string workers;
    std::string start;
    lines >> workers >> start >> one.speed_up >> one.error;
    one.name += ' ' + workers + ' ' + start;
    written[one.name] = one;
  }
  bool met = true;
  double percent = 0;
  double variance = 0;
  std::size_t count = 0;
  for (const Reached& one : reach(setting, names)) {
    if (!written.contains(one.name))
      throw std::runtime_error(file + " has no line for " + one.name);
    const double off = 100 * (one.speed_up / written[one.name].speed_up - 1);
    const double both = std::hypot(written[one.name].error, one.error);
    if (is_off(one.name, off, both)) met = false;
    percent += off / kOfRow;
    variance += both * both / (kOfRow * kOfRow);
    if (++count % kOfRow != 0) continue;
    const std::string row = one.name.substr(0, one.name.find(' '));
    if (is_off(row + ", all", percent, std::sqrt(variance))) met = false;
    percent = variance = 0;
  }
  if (count == 0) throw std::runtime_error("there is no such row");
  if (!met) std::printf("if that is meant: furca-counted --write-expected %s\n", file.c_str());
  return met;
}

void write_expected(const std::string& file, const Machine::Setting& setting) {
  std::ostringstream text;
  text.precision(2);
  text << std::fixed;
  for (const Reached& one : reach(setting, {}))
    text << one.name << ' ' << one.speed_up << ' ' << one.error << '\n';
  std::ofstream(file) << text.str();
}

}  // namespace counted
