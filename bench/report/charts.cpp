// The charts with a line for every row. Those made of panels: panels.cpp.
#include "charts.hpp"

#include "../summary.hpp"
#include "../wording.hpp"
#include "dot_plot.hpp"
#include "families.hpp"
#include "format.hpp"
#include "verdict.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace bench {
namespace {

constexpr const char* kWidestInterval = "0.00 [0.00 .. 0.00]";

/// By family; inside a family in the order of the results. `explained`: what a workload is stands above the first of its rows.
std::vector<DotGroup> group_rows(const Results& results, bool explained, const std::function<DotRow(const Row&)>& make) {
  std::vector<DotGroup> groups;
  for (const RowFamily family : kRowFamilies) {
    DotGroup group{name_of(family), explained ? explanation_of(family) : "", {}};
    std::string last;
    for (const Row& row : results.rows) {
      if (family_of(row) != family) continue;
      group.rows.push_back(make(row));
      if (explained && row.workload != last) group.rows.back().about = row.workload + ": " + row.summary;
      last = row.workload;
    }
    if (!group.rows.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

std::string hint_of(const Row& row) { return row.summary.empty() ? row.label() : row.label() + ": " + row.summary; }

DotRow ratio_row(const Setting& setting, const Row& row, const std::vector<std::string>& families, unsigned threads) {
  DotRow made{row.label(), "", hint_of(row), noise_factor(control_interval(row, threads)), {}, {}};
  for (const std::string& rival : families) {
    const Comparison found = compare(setting, row, rival, threads);
    const bool first = rival == families.front();
    const bool ran = row.find(rival, threads) != nullptr;
    made.dots.push_back({found.ratio, shape_of(found.verdict), style_of(found.verdict), !first});
    made.values.push_back(!ran ? "" : first ? format_interval(found.ratio) : format_number(found.ratio.middle));
    made.hint += "\n" + rival + "/furca " + format_interval(found.ratio);
  }
  return made;
}

DotPlot ratio_plot(const Results& results) {
  const std::vector<std::string> families = rivals(results);
  const unsigned threads = most_threads(results);
  const std::string& first = families.front();

  DotPlot plot;
  plot.description = "Time of " + first + " divided by that of furca, for every row, at " + format_count(threads, "thread") +
                     ". The same figures are in the table of times.";
  plot.below_parity = "◀ furca slower";
  plot.above_parity = "furca faster ▶";
  const auto add_key = [&plot](Verdict verdict, const std::string& meaning) {
    plot.keys.push_back({shape_of(verdict), style_of(verdict), false, meaning});
  };
  if (was_quiet(results.setting)) {
    add_key(Verdict::faster, "furca faster than " + first);
    add_key(Verdict::tie, name_of(Verdict::tie));
    add_key(Verdict::not_known, name_of(Verdict::not_known));
    add_key(Verdict::slower, "furca slower");
  } else {
    add_key(Verdict::withheld, "verdict withheld" + machine_mark(results.setting));
  }
  for (const std::string& rival : families) {
    const bool primary = rival == first;
    plot.columns.push_back({primary ? rival + "/furca " + bounds_mark(results) : rival, primary ? kWidestInterval : "0.000"});
    if (!primary) plot.keys.push_back({Shape::circle, style_of(Verdict::tie), true, "hollow: " + rival});
  }
  plot.keys.push_back({Shape::circle, "", false, "noise: furca against itself"});
  plot.groups = group_rows(results, true, [&](const Row& row) { return ratio_row(results.setting, row, families, threads); });
  return plot;
}

DotRow overhead_row(const Row& row, const std::vector<std::string>& families) {
  DotRow made{row.label(), "", hint_of(row), std::numeric_limits<double>::infinity(), {}, {}};
  for (const std::string& family : families) {
    const Series* const alone = row.find(family, 1);
    const Interval overhead = estimate_median(ratios(alone, row.find("serial", 1)));
    made.dots.push_back({overhead, shape_of(family), style_of(family), false});
    made.values.push_back(alone == nullptr ? "" : format_number(overhead.middle));
    made.hint += "\n" + family + "/serial " + format_interval(overhead);
  }
  return made;
}

std::string both_layouts(const DotPlot& plot) {
  return "<div class=\"wide\">" + draw_element(plot, Layout::wide) + "</div>\n<div class=\"narrow\">" +
         draw_element(plot, Layout::narrow) + "</div>\n";
}

}  // namespace

std::string ratio_chart(const Results& results) { return rivals(results).empty() ? "" : both_layouts(ratio_plot(results)); }

void write_ratio_chart(std::ostream& out, const Results& results) {
  DotPlot plot;
  if (rivals(results).empty()) {
    plot.title = "furca was compared with no other library";
  } else {
    plot = ratio_plot(results);
    const unsigned threads = most_threads(results);
    plot.title = "Time of " + rivals(results).front() + " / time of furca, " + format_count(threads, "thread") + " (" +
                 bounds_sentence(results) + ")";
  }
  const std::string notice = withheld_notice(results.setting);
  plot.subtitle = notice.empty() ? caption(results.setting) : notice;
  out << draw_document(plot);
}

std::string overhead_chart(const Results& results) {
  const bool measured = std::any_of(results.rows.begin(), results.rows.end(), [](const Row& row) {
    return row.find("furca", 1) != nullptr && row.find("serial", 1) != nullptr;
  });
  if (!measured) return "";
  const std::vector<std::string> families = parallel_families(results);
  DotPlot plot;
  plot.description = "Time on one thread divided by the serial time, for every row.";
  plot.below_parity = "◀ faster than serial";
  plot.above_parity = "slower than serial ▶";
  for (const std::string& family : families) {
    plot.keys.push_back({shape_of(family), style_of(family), false, family});
    plot.columns.push_back({family, "0.000"});
  }
  plot.groups = group_rows(results, false, [&](const Row& row) { return overhead_row(row, families); });
  return both_layouts(plot);
}

}  // namespace bench
