#include "tables.hpp"

#include "../summary.hpp"
#include "../wording.hpp"
#include "families.hpp"
#include "format.hpp"
#include "markup.hpp"

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

using Headings = std::vector<Table::Heading>;

/// Calls f(row) for the rows of each family, under its name; what a workload is stands above its rows.
template <class F>
void for_rows(Table& table, const Results& results, F f) {
  for (const RowFamily family : kRowFamilies) {
    const Row* last = nullptr;
    for (const Row& row : results.rows) {
      if (family_of(row) != family) continue;
      if (last == nullptr) table.group(name_of(family), explanation_of(family));
      if (last == nullptr || last->workload != row.workload) table.about(row.workload + ": " + row.summary);
      last = &row;
      f(row);
    }
  }
}

void add_counts(Table& table, const Tally& tally) {
  const bool withheld = tally.withheld > 0;
  const auto count = [&](unsigned rows, const char* style) {
    table.cell(withheld ? name_of(Verdict::withheld) : std::to_string(rows), rows > 0 ? style : "");
  };
  count(tally.faster, "faster");
  count(tally.slower, "slower");
  count(tally.tie, "");
  count(tally.not_known, "");
  table.cell(std::to_string(tally.no_result)).cell(std::to_string(tally.rows()));
}

/// A median of counts: at most half a one is lost.
std::string format_switches(double count) { return std::isnan(count) ? format_number(count) : fixed(count, 0); }

std::string format_mebibytes(double kib) { return format_number(kib / 1024); }

/// The contender that stood for the family, without the family's name where it begins with that.
std::string variant_of(const Series* series) {
  if (series == nullptr) return "";
  const std::string& family = series->family;
  const bool prefixed = series->contender.size() > family.size() && series->contender.compare(0, family.size(), family) == 0;
  return prefixed ? series->contender.substr(family.size() + 1) : series->contender;
}

/// A line of the figures' table: all families' values of one thing.
struct FigureLine {
  const Figure* first;
  std::vector<const Figure*> all;
};

std::vector<FigureLine> figure_lines(const Results& results, Group group) {
  std::vector<FigureLine> lines;
  for (const Figure& figure : results.figures) {
    if (figure.group != group) continue;
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const FigureLine& line) {
      return line.first->name == figure.name && line.first->variant == figure.variant && line.first->unit == figure.unit;
    });
    if (same == lines.end()) {
      lines.push_back({&figure, {&figure}});
    } else {
      same->all.push_back(&figure);
    }
  }
  return lines;
}

std::vector<std::string> figure_families(const Results& results) {
  std::vector<std::string> families;
  for (const Figure& figure : results.figures) {
    if (std::find(families.begin(), families.end(), figure.family) == families.end()) families.push_back(figure.family);
  }
  return families;
}

std::string format_range(const std::vector<double>& all) {
  return format_interval({quantile(all, 0), median(all), quantile(all, 1), static_cast<unsigned>(all.size())});
}

}  // namespace

void write_tallies(std::ostream& out, const Results& results) {
  const std::vector<unsigned> counts = thread_counts(results);
  Table table(out, {{"rows"},
                    {"geometric mean " + bounds_heading(results)},
                    {"faster"},
                    {"slower"},
                    {"tie"},
                    {"not known"},
                    {"no result"},
                    {"of rows"},
                    {"what they are", "words aside"}});
  for (const std::string& rival : rivals(results)) {
    for (auto count = counts.rbegin(); count != counts.rend(); ++count) {
      const std::vector<FamilyTally> families = tallies_by_family(results, rival, *count);
      if (families.empty()) continue;
      table.group(rival + " / furca, " + format_count(*count, "thread") + machine_mark(results.setting));
      for (const FamilyTally& found : families) {
        table.row(name_of(found.family)).cell(format_interval(found.mean));
        add_counts(table, found.tally);
        table.cell(explanation_of(found.family), "prose aside");
      }
      table.row("all").cell("");
      add_counts(table, tally(results, rival, *count));
      table.cell("no mean: it would say how many rows of each kind there are", "prose aside");
    }
  }
}

void write_times(std::ostream& out, const Results& results, unsigned threads) {
  const std::vector<std::string> families = parallel_families(results);
  Headings headings{{"per call"}, {"serial"}};
  for (const std::string& family : families) headings.push_back({family});
  for (const std::string& rival : rivals(results)) {
    headings.push_back({rival + "/furca " + bounds_heading(results)});
    headings.push_back({"furca is", "words"});
    headings.push_back({"fastest " + rival, "words"});
  }
  headings.push_back({"noise"});
  Table table(out, headings);
  for_rows(table, results, [&](const Row& row) {
    table.row(row.label()).cell(format_time(typical(row.find("serial", 1))));
    for (const std::string& family : families) table.cell(format_time(typical(row.find(family, threads))));
    for (const std::string& rival : rivals(results)) {
      const Series* const series = row.find(rival, threads);
      const Comparison found = compare(results.setting, row, rival, threads);
      table.cell(format_interval(found.ratio));
      table.cell(series == nullptr ? "" : name_of(found.verdict), std::string("words ") + style_of(found.verdict));
      table.cell(variant_of(series), "words");
    }
    table.cell(format_noise(noise_factor(control_interval(row, threads))));
  });
}

void write_costs(std::ostream& out, const Results& results, unsigned threads) {
  const std::vector<std::string> families = parallel_families(results);
  Headings headings{{format_count(threads, "thread")}};
  for (const std::string& rival : rivals(results)) headings.push_back({"CPU time " + rival + "/furca"});
  for (const std::string& family : families) headings.push_back({"peak MiB " + family});
  for (const std::string& family : families) headings.push_back({"switches " + family});
  Table table(out, headings);
  for_rows(table, results, [&](const Row& row) {
    table.row(row.label());
    const Series* const furca = row.find("furca", threads);
    for (const std::string& rival : rivals(results)) {
      table.cell(format_number(median(ratios(row.find(rival, threads), furca, &Sample::cpu_ns))));
    }
    for (const std::string& family : families) {
      table.cell(format_mebibytes(typical(row.find(family, threads), &Sample::peak_kib)));
    }
    for (const std::string& family : families) {
      const Series* const series = row.find(family, threads);
      table.cell(format_switches(typical(series, &Sample::voluntary)) + " / " +
                 format_switches(typical(series, &Sample::involuntary)));
    }
  });
}

void write_figures(std::ostream& out, const Results& results) {
  const std::vector<std::string> families = figure_families(results);
  if (families.empty()) return;
  Headings headings{{"median (range)"}, {"unit", "words"}};
  for (const std::string& family : families) headings.push_back({family});
  headings.push_back({"what it is", "words"});
  Table table(out, headings);
  for (const Group group : {Group::behaviour, Group::micro, Group::instructions}) {
    const std::vector<FigureLine> lines = figure_lines(results, group);
    if (!lines.empty()) table.group(name_of(group));
    for (const FigureLine& line : lines) {
      const Figure& first = *line.first;
      table.row(first.variant.empty() ? first.name : first.name + ", " + first.variant).cell(first.unit, "words");
      for (const std::string& family : families) {
        const auto one =
            std::find_if(line.all.begin(), line.all.end(), [&](const Figure* figure) { return figure->family == family; });
        table.cell(one == line.all.end() ? "" : format_range((*one)->values));
      }
      table.cell(first.summary, "prose");
    }
  }
}

}  // namespace bench
