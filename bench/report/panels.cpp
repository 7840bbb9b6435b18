// The charts that are made of many panels.
#include "../summary.hpp"
#include "charts.hpp"
#include "families.hpp"
#include "format.hpp"
#include "line_plot.hpp"

#include <algorithm>

namespace bench {
namespace {

/// As many as there are threads, while there are processors for them.
Curve ideal_curve(const std::vector<unsigned>& counts, unsigned processors) {
  const double most = processors == 0 ? counts.back() : processors;
  Curve curve{"ideal", Shape::circle, false, {}};
  for (const unsigned count : counts) {
    const double threads = count;
    if (threads > most && !curve.points.empty() && curve.points.back().x < most) curve.points.push_back({most, most});
    curve.points.push_back({threads, std::min(threads, most)});
  }
  return curve;
}

std::string speedup_panel(const Results& results, const Row& row, const std::vector<unsigned>& counts) {
  LinePlot plot;
  plot.title = row.workload;
  if (row.size > 0) plot.subtitle = "n = " + std::to_string(row.size);
  plot.hint = row.label() + ": " + row.summary;
  plot.description = row.label() + ": speed-up over the serial code at " + format_count(counts.back(), "thread") + ":";
  plot.x_ticks.assign(counts.begin(), counts.end());
  plot.x_text = plot.y_text = format_tick;
  plot.parity = true;
  plot.curves.push_back(ideal_curve(counts, results.setting.affinity));
  for (const std::string& family : parallel_families(results)) {
    if (row.find(family, counts.back()) == nullptr) continue;
    Curve curve{style_of(family), shape_of(family), true, {}};
    for (const unsigned count : counts) {
      curve.points.push_back({static_cast<double>(count), median(speedups(row, family, count))});
    }
    plot.description += " " + family + " " + format_number(curve.points.back().y);
    plot.curves.push_back(std::move(curve));
  }
  // furca above what it is compared with
  std::reverse(plot.curves.begin() + 1, plot.curves.end());
  return draw_element(plot, 156, 160);
}

/// The workload's rows that have a size, by size.
std::vector<const Row*> sizes_of(const Results& results, const std::string& workload) {
  std::vector<const Row*> rows;
  for (const Row& row : results.rows) {
    if (row.workload == workload && row.size > 0) rows.push_back(&row);
  }
  std::sort(rows.begin(), rows.end(), [](const Row* a, const Row* b) { return a->size < b->size; });
  return rows;
}

std::string sweep_panel(const Results& results, const std::vector<const Row*>& rows) {
  const unsigned threads = most_threads(results);
  const std::string& workload = rows.front()->workload;
  LinePlot plot;
  plot.title = workload;
  plot.hint = workload + ": " + rows.front()->summary;
  plot.description = workload + ": time per call by size. The same figures are in the table of times.";
  plot.x_name = 'n';
  plot.subtitle = "time per call";
  plot.x_text = format_size_tick;
  plot.y_text = format_time_tick;
  plot.parity = false;
  std::vector<std::string> families = parallel_families(results);
  std::reverse(families.begin(), families.end());  // furca above what it is compared with
  families.insert(families.begin(), "serial");
  for (const std::string& family : families) {
    Curve curve{style_of(family), shape_of(family), family != "serial", {}};
    for (const Row* row : rows) {
      curve.points.push_back({static_cast<double>(row->size), typical(row->find(family, family == "serial" ? 1 : threads))});
    }
    plot.curves.push_back(std::move(curve));
  }
  return draw_element(plot, 396, 290);
}

std::string panels(const std::string& content) {
  return content.empty() ? "" : "<div class=\"panels\">\n" + content + "</div>\n";
}

std::string legend_item(const std::string& style, Shape shape, bool marked, const std::string& meaning) {
  Svg sample;
  sample.curve({{0, 6}, {28, 6}}, "curve " + style);
  if (marked) sample.mark({14, 6}, shape, "mark " + style);
  return "<li>" + sample.element(28, 12, "") + escape(meaning) + "</li>\n";
}

}  // namespace

std::string speedup_panels(const Results& results) {
  const std::vector<unsigned> counts = thread_counts(results);
  std::string content;
  if (counts.size() < 2) return content;
  for (const Row& row : results.rows) content += speedup_panel(results, row, counts);
  return panels(content);
}

std::string sweep_panels(const Results& results) {
  std::vector<std::string> seen;
  std::string content;
  for (const Row& row : results.rows) {
    if (std::find(seen.begin(), seen.end(), row.workload) != seen.end()) continue;
    seen.push_back(row.workload);
    const std::vector<const Row*> rows = sizes_of(results, row.workload);
    if (rows.size() > 1) content += sweep_panel(results, rows);
  }
  return panels(content);
}

std::string panel_legend(const Results& results, bool ideal) {
  std::string items;
  for (const std::string& family : parallel_families(results)) {
    items += legend_item(style_of(family), shape_of(family), true, family);
  }
  items += ideal ? legend_item("ideal", Shape::circle, false, "ideal: one processor for each thread")
                 : legend_item("serial", Shape::circle, false, "serial");
  return "<ul class=\"legend\">\n" + items + "</ul>\n";
}

}  // namespace bench
