#include "chart.hpp"

#include "../summary.hpp"
#include "../terminal/text.hpp"
#include "../wording.hpp"
#include "scale.hpp"
#include "sheet.hpp"
#include "svg.hpp"

#include <cmath>

namespace bench {
namespace {

using terminal::format;

constexpr double kText = 12;  // pixels high, as in the style sheet
constexpr double kWidth = 960;
constexpr double kMargin = 10;
constexpr double kAxisFrom = 170;  // left of it the rows' names, right of the axis their ratios
constexpr double kAxisTo = 790;
constexpr double kGroupHeight = 26;
constexpr double kSpacing = 7;  // between the marks of a row
constexpr double kTickSpacing = 36;

struct Mark {
  Shape shape;
  const char* style;  // a class that colours it
};

Mark mark_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster: return {Shape::right, "faster"};
    case Verdict::slower: return {Shape::left, "slower"};
    case Verdict::not_known: return {Shape::diamond, "tie"};
    case Verdict::withheld: return {Shape::square, "tie"};
    case Verdict::tie:
    case Verdict::no_result: break;
  }
  return {Shape::circle, "tie"};
}

/// A row beside each of its rivals.
struct Line {
  const Row* row;
  std::vector<Comparison> beside;
};

std::vector<Line> compare_all(const Results& results, const std::vector<std::string>& rivals, unsigned threads) {
  std::vector<Line> lines;
  for (const Row& row : results.rows) {
    lines.push_back({&row, {}});
    for (const std::string& rival : rivals) lines.back().beside.push_back(compare(results.setting, row, rival, threads));
  }
  return lines;
}

Range range_of(const std::vector<Line>& lines) {
  Range range;
  for (const double value : {0.5, 1.0, 2.0}) range.include(value);  // both sides, and small differences look small
  for (const Line& line : lines) {
    for (const Comparison& one : line.beside) {
      for (const double value : {one.ratio.low, one.ratio.middle, one.ratio.high}) range.include(value);
    }
  }
  return range.padded();
}

std::string interval(const Interval& ratio) {
  return terminal::format_ratio(ratio.middle) + " " + terminal::format_bounds(ratio);
}

class Chart {
 public:
  explicit Chart(const Results& results)
      : results_(results),
        rivals_(rivals(results)),
        threads_(most_threads(results)),
        lines_(compare_all(results, rivals_, threads_)),
        scale_(range_of(lines_), kAxisFrom, kAxisTo) {
    draw_heading();
    if (rivals_.empty()) return;
    draw_keys();
    draw_axis_names();
    draw_grid();
    for (const RowFamily family : kRowFamilies) draw_family(family);
    draw_ticks(y_ + 14);
    y_ += 24;
  }

  std::string element() const { return svg_.element(kWidth, y_, description()); }
  std::string document() const { return svg_.document(kWidth, y_, description(), chart_sheet()); }

 private:
  double row_height() const { return 6 + kSpacing * static_cast<double>(rivals_.size()); }

  std::string description() const {
    return rivals_.empty() ? "No other library was there to compare with."
                           : "Time of " + rivals_.front() +
                                 " divided by that of furca, for every row. The table of times has the same figures.";
  }

  void draw_heading() {
    const std::string notice = withheld_notice(results_.setting);
    std::vector<std::string> below = wrap_text(notice.empty() ? caption(results_.setting) : notice, kWidth - 2 * kMargin, kText);
    if (rivals_.empty()) {
      svg_.text({kMargin, 28}, "furca was compared with no other library", "title");
    } else {
      svg_.text({kMargin, 28},
                "Time of " + rivals_.front() + " / time of furca, " + format("%u thread%s", threads_, threads_ == 1 ? "" : "s"),
                "title");
      below.push_back(bounds_sentence(results_));
    }
    y_ = 32;
    for (const std::string& line : below) svg_.text({kMargin, y_ += 18}, line, "soft");
  }

  void draw_keys() {
    double x = kMargin;
    y_ += 26;
    const auto add = [&](const std::string& meaning) {
      svg_.text({x + 16, y_}, meaning, "soft");
      x += 30 + text_width(meaning, kText);
    };
    const auto add_mark = [&](Verdict verdict, const std::string& meaning) {
      draw_mark({x + 5, y_ - 4}, verdict, false);
      add(meaning);
    };
    if (was_quiet(results_.setting)) {
      add_mark(Verdict::faster, "furca faster");
      add_mark(Verdict::tie, name_of(Verdict::tie));
      add_mark(Verdict::not_known, name_of(Verdict::not_known));
      add_mark(Verdict::slower, "furca slower");
    } else {
      add_mark(Verdict::withheld, "verdict withheld");
    }
    for (std::size_t i = 1; i < rivals_.size(); ++i) {
      draw_mark({x + 5, y_ - 4}, Verdict::tie, true);
      add("hollow: " + rivals_[i]);
    }
    svg_.rectangle({x - 3, y_ - 11}, 16, 14, "band");
    add("noise: furca beside itself");
  }

  void draw_axis_names() {
    y_ += 26;
    svg_.text({scale_(1) - 10, y_}, "◀ furca slower", "soft", Anchor::end);
    svg_.text({scale_(1) + 10, y_}, "furca faster ▶", "soft");
    svg_.text({kWidth - kMargin, y_}, rivals_.front() + "/furca", "soft", Anchor::end);
    y_ += 18;
    draw_ticks(y_);
    y_ += 6;
  }

  void draw_ticks(double y) {
    for (const double tick : scale_.ticks(kTickSpacing))
      svg_.text({scale_(tick), y}, format("%g", tick), "soft number", Anchor::middle);
  }

  /// Below all rows; they are as high as they are whatever is drawn in them.
  void draw_grid() {
    double bottom = y_ + row_height() * static_cast<double>(lines_.size());
    for (const RowFamily family : kRowFamilies) bottom += has(family) ? kGroupHeight : 0;
    for (const double tick : scale_.ticks(kTickSpacing)) svg_.line({scale_(tick), y_}, {scale_(tick), bottom}, "grid");
    svg_.line({scale_(1), y_}, {scale_(1), bottom}, "parity");
  }

  bool has(RowFamily family) const {
    for (const Line& line : lines_) {
      if (family_of(*line.row) == family) return true;
    }
    return false;
  }

  void draw_family(RowFamily family) {
    if (!has(family)) return;
    svg_.text({kMargin, y_ + 18}, name_of(family), "strong");
    y_ += kGroupHeight;
    for (const Line& line : lines_) {
      if (family_of(*line.row) == family) draw_row(line);
    }
  }

  std::string hint_of(const Line& line) const {
    std::string hint = line.row->label() + ": " + line.row->summary;
    for (std::size_t i = 0; i < rivals_.size(); ++i) {
      const Series* const ran = line.row->find(rivals_[i], threads_);
      if (ran != nullptr) hint += "\n" + ran->contender + "/furca " + interval(line.beside[i].ratio);
    }
    return hint;
  }

  void draw_row(const Line& line) {
    const double middle = y_ + row_height() / 2;
    svg_.begin_group(hint_of(line));
    svg_.line({0, y_}, {kWidth, y_}, "grid");
    if (const double noise = line.beside.front().noise; std::isfinite(noise)) {
      const double from = scale_(1 / noise);
      svg_.rectangle({from, y_ + 1}, scale_(noise) - from, row_height() - 2, "band");
      svg_.line({scale_(1), y_}, {scale_(1), y_ + row_height()}, "parity");
    }
    svg_.text({kMargin, middle + 4}, line.row->label(), "");
    if (line.row->find(rivals_.front(), threads_) != nullptr)
      svg_.text({kWidth - kMargin, middle + 4}, interval(line.beside.front().ratio), "number", Anchor::end);
    double y = middle - kSpacing * static_cast<double>(rivals_.size() - 1) / 2;
    for (const Comparison& one : line.beside) {
      draw_ratio(one, y, &one != &line.beside.front());
      y += kSpacing;
    }
    svg_.end_group();
    y_ += row_height();
  }

  void draw_ratio(const Comparison& one, double y, bool hollow) {
    if (!std::isfinite(one.ratio.middle) || one.ratio.middle <= 0) return;
    svg_.line({scale_(one.ratio.low), y}, {scale_(one.ratio.high), y}, std::string("bar ") + mark_of(one.verdict).style);
    draw_mark({scale_(one.ratio.middle), y}, one.verdict, hollow);
  }

  void draw_mark(Point at, Verdict verdict, bool hollow) {
    const Mark mark = mark_of(verdict);
    svg_.mark(at, mark.shape, std::string(hollow ? "hollow " : "mark ") + mark.style);
  }

  const Results& results_;
  const std::vector<std::string> rivals_;
  const unsigned threads_;
  const std::vector<Line> lines_;
  const LogScale scale_;
  Svg svg_;
  double y_ = 0;
};

}  // namespace

std::string chart_element(const Results& results) { return rivals(results).empty() ? "" : Chart(results).element(); }

void write_chart(std::ostream& out, const Results& results) { out << Chart(results).document(); }

}  // namespace bench
