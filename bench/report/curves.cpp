#include "curves.hpp"

#include "../bounds.hpp"
#include "../summary.hpp"
#include "../terminal/text.hpp"
#include "../wording.hpp"
#include "scale.hpp"
#include "sheet.hpp"
#include "svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace bench {
namespace {

using terminal::format;

constexpr double kText = 12;  // pixels high, as in the style sheet
constexpr double kWidth = 960;
constexpr double kMargin = 10;
constexpr std::size_t kColumns = 4;
constexpr double kPanelWidth = (kWidth - 2 * kMargin) / static_cast<double>(kColumns);
constexpr double kPanelHeight = 224;
constexpr double kPlotLeft = 32;  // within a panel
constexpr double kPlotRight = kPanelWidth - 14;
constexpr double kPlotTop = 54;
constexpr double kPlotBottom = 174;
constexpr double kGroupHeight = 40;
constexpr double kClosest = 18;  // pixels between the numbers on an axis

constexpr std::size_t kMostPanels = 12;  // of one family

struct Style {
  const char* colour;
  Shape shape;
  bool hollow;
};

/// furca's first, then those of its rivals.
constexpr std::array kStyles{Style{"ours", Shape::circle, false}, Style{"rival0", Shape::square, false}, Style{"rival1", Shape::diamond, true}};

const Style& style_of(std::size_t number) { return kStyles[std::min(number, kStyles.size() - 1)]; }

/// Where an axis of speed-ups begins: what bare forks come to with furca and the first of its rivals is to be seen, but no less than a hundredth.
double least_speedup(const Results& results, const std::vector<const Row*>& rows) {
  double least = 0.5;
  for (const Row* const row : rows) {
    for (const unsigned count : thread_counts(results)) {
      for (const char* const family : {kOurs, kBaseline}) {
        const double speedup = median(speedups(*row, family, count));
        if (speedup > 0) least = std::min(least, speedup);
      }
    }
  }
  return std::max(0.01, least);
}

/// At most a dozen: of too many rows the largest of each workload.
std::vector<const Row*> panels_of(const Results& results, RowFamily family) {
  std::vector<const Row*> rows;
  for (const Row& row : results.rows) {
    if (family_of(row) == family) rows.push_back(&row);
  }
  if (rows.size() <= kMostPanels) return rows;
  std::set<std::string> seen;
  std::vector<const Row*> largest;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    if (seen.insert((*row)->workload).second) largest.push_back(*row);
  }
  std::reverse(largest.begin(), largest.end());
  largest.resize(std::min(largest.size(), kMostPanels));
  return largest;
}

class Curves {
 public:
  explicit Curves(const Results& results)
      : results_(results),
        counts_(thread_counts(results)),
        families_(rivals(results)),
        threads_(1, counts_.empty() ? 1 : counts_.back()) {
    families_.insert(families_.begin(), kOurs);
    draw_heading();
    if (!any()) return;
    for (const RowFamily family : kRowFamilies) draw_family(family);
  }

  bool any() const { return counts_.size() >= kLeastForCurve; }
  std::string element() const { return svg_.element(kWidth, y_ + kMargin, description()); }
  std::string document() const { return svg_.document(kWidth, y_ + kMargin, description(), chart_sheet()); }

 private:
  /// The same for all panels of a family, so that one can be compared with another.
  class Axes {
   public:
    Axes(double low, double high) : low_(low), high_(high) {}
    LogScale at(double from, double to) const {
      Range range;
      range.include(low_);
      range.include(high_);
      return {range.padded(), from, to};
    }

   private:
    double low_;
    double high_;
  };

  std::string description() const {
    return "Speed-up over the serial code by number of threads, for each row. The table of speed-ups has the same figures.";
  }

  void draw_heading() {
    svg_.text({kMargin, 28}, any() ? "Speed-up over the serial code, by number of threads" : "fewer than three numbers of threads make no curves", "title");
    y_ = 32;
    const std::string notice = withheld_notice(results_.setting);
    std::vector<std::string> below = wrap_text(notice.empty() ? caption(results_.setting) : notice, kWidth - 2 * kMargin, kText);
    std::string borders;
    for (const Border& border : results_.setting.topology.borders) {
      if (any() && border.threads <= counts_.back()) borders += (borders.empty() ? "dashed: " : "; ") + std::to_string(border.threads) + ", " + border.meaning;
    }
    for (const std::string& line : wrap_text(borders, kWidth - 2 * kMargin, kText)) below.push_back(line);
    for (const std::string& line : below) svg_.text({kMargin, y_ += 18}, line, "soft");
    if (any()) draw_keys();
  }

  void draw_keys() {
    double x = kMargin;
    y_ += 24;
    for (std::size_t i = 0; i < families_.size(); ++i) {
      draw_mark({x + 5, y_ - 4}, i);
      svg_.text({x + 16, y_}, families_[i], "soft");
      x += 32 + text_width(families_[i], kText);
    }
    svg_.line({x, y_ - 4}, {x + 24, y_ - 4}, "parity ideal");
    svg_.text({x + 30, y_}, "as many times as there are threads, or processors", "soft");
    y_ += 6;
  }

  void draw_family(RowFamily family) {
    const std::vector<const Row*> rows = panels_of(results_, family);
    if (rows.empty()) return;
    std::size_t all = 0;
    for (const Row& row : results_.rows) all += family_of(row) == family ? 1 : 0;
    svg_.text({kMargin, y_ + 30}, name_of(family) + (rows.size() < all ? format(": %zu of %zu rows", rows.size(), all) : ""), "title");
    y_ += kGroupHeight;
    const Axes speedups_axis(least_speedup(results_, rows), std::max(2U, counts_.back()));
    for (std::size_t i = 0; i < rows.size(); ++i)
      draw_panel(*rows[i], speedups_axis, {kMargin + static_cast<double>(i % kColumns) * kPanelWidth, y_ + static_cast<double>(i / kColumns) * kPanelHeight});
    y_ += std::ceil(static_cast<double>(rows.size()) / static_cast<double>(kColumns)) * kPanelHeight;
  }

  void draw_panel(const Row& row, const Axes& speedups_axis, Point corner) {
    const LogScale x = threads_.at(corner.x + kPlotLeft, corner.x + kPlotRight);
    const LogScale y = speedups_axis.at(corner.y + kPlotBottom, corner.y + kPlotTop);
    svg_.begin_group(hint_of(row));
    svg_.text({corner.x, corner.y + 18}, row.label(), "strong");
    const std::string bound = bound_word(results_.setting, row, counts_.back());
    if (bound != "-") svg_.text({corner.x, corner.y + 33}, "lost most to: " + bound, "soft");
    draw_axes(corner, x, y);
    const double processors = results_.setting.affinity > 0 ? std::min(counts_.back(), results_.setting.affinity) : counts_.back();
    svg_.line({x(1), y(1)}, {x(processors), y(processors)}, "parity ideal");
    svg_.line({x(processors), y(processors)}, {x(counts_.back()), y(processors)}, "parity ideal");
    for (std::size_t i = families_.size(); i-- > 0;) draw_curve(row, i, x, y);  // furca's is on top
    draw_efficiencies(row, corner);
    svg_.end_group();
  }

  void draw_axes(Point corner, const LogScale& x, const LogScale& y) {
    const double left = corner.x + kPlotLeft;
    const double right = corner.x + kPlotRight;
    const double top = corner.y + kPlotTop;
    const double bottom = corner.y + kPlotBottom;
    for (const double tick : y.ticks(kClosest)) {
      svg_.line({left, y(tick)}, {right, y(tick)}, "grid");
      svg_.text({left - 4, y(tick) + 4}, format("%g", tick), "soft number", Anchor::end);
    }
    double last = -kClosest;
    for (const unsigned count : counts_) {
      const double at = x(count);
      if (at - last < kClosest && count != counts_.back()) continue;
      if (count != counts_.back() && x(counts_.back()) - at < kClosest) continue;
      svg_.text({at, bottom + 15}, std::to_string(count), "soft number", Anchor::middle);
      last = at;
    }
    last = -kClosest;
    for (const Border& border : results_.setting.topology.borders) {
      if (border.threads > counts_.back()) continue;
      const double at = x(border.threads);
      svg_.line({at, top}, {at, bottom}, "border");
      if (at - last >= kClosest) svg_.text({at, top - 4}, std::to_string(border.threads), "soft number", Anchor::middle);
      last = at;
    }
  }

  void draw_curve(const Row& row, std::size_t family, const LogScale& x, const LogScale& y) {
    const Style& style = style_of(family);
    Point before{};
    bool begun = false;
    std::vector<Point> points;
    for (const unsigned count : counts_) {
      const Interval speedup = estimate_median(speedups(row, families_[family], count));
      if (!std::isfinite(speedup.middle)) {
        begun = false;
        continue;
      }
      const Point here{x(count), y(speedup.middle)};
      svg_.line({here.x, y(speedup.low)}, {here.x, y(speedup.high)}, std::string("bar ") + style.colour);
      if (begun) svg_.line(before, here, std::string("curve ") + style.colour);
      points.push_back(here);
      before = here;
      begun = true;
    }
    for (const Point& point : points) draw_mark(point, family);
  }

  void draw_efficiencies(const Row& row, Point corner) {
    const double y = corner.y + kPlotBottom + 34;
    const std::string heading = "efficiency";
    svg_.text({corner.x, y}, heading, "soft");
    double x = corner.x + text_width(heading, kText) + 10;
    for (std::size_t i = 0; i < families_.size(); ++i) {
      const double speedup = median(speedups(row, families_[i], counts_.back()));
      if (!std::isfinite(speedup)) continue;
      draw_mark({x, y - 4}, i);
      svg_.text({x + 9, y}, format("%.2f", speedup / counts_.back()), "number");
      x += 52;
    }
  }

  void draw_mark(Point at, std::size_t family) {
    const Style& style = style_of(family);
    svg_.mark(at, style.shape, std::string(style.hollow ? "hollow " : "mark ") + style.colour);
  }

  std::string hint_of(const Row& row) const {
    std::string hint = row.label() + ": " + row.summary;
    for (const std::string& family : families_) {
      const Series* const ran = row.find(family, counts_.back());
      if (ran == nullptr) continue;
      hint += "\n" + ran->contender + ":";
      for (const unsigned count : counts_) hint += format(" %u: %s", count, terminal::format_ratio(median(speedups(row, family, count))).c_str());
    }
    return hint;
  }

  const Results& results_;
  const std::vector<unsigned> counts_;
  std::vector<std::string> families_;
  const Axes threads_;
  Svg svg_;
  double y_ = 0;
};

}  // namespace

std::string curves_element(const Results& results) {
  const Curves curves(results);
  return curves.any() ? curves.element() : "";
}

void write_curves(std::ostream& out, const Results& results) { out << Curves(results).document(); }

}  // namespace bench
