#include "dot_plot.hpp"

#include "format.hpp"
#include "scale.hpp"
#include "style.hpp"

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

constexpr double kText = 12;    // pixels high, as in the style sheet
constexpr double kMargin = 10;  // at the left and the right; a phone has none to spare
constexpr double kGap = 14;

Range range_of(const DotPlot& plot) {
  Range range;
  for (const double value : {0.5, 1.0, 2.0}) range.include(value);  // both sides, and small differences look small
  for (const DotGroup& group : plot.groups) {
    for (const DotRow& row : group.rows) {
      for (const Dot& dot : row.dots) {
        for (const double value : {dot.at.low, dot.at.middle, dot.at.high}) range.include(value);
      }
    }
  }
  return range.padded(1);
}

std::size_t most_dots(const DotPlot& plot) {
  std::size_t most = 1;
  for (const DotGroup& group : plot.groups) {
    for (const DotRow& row : group.rows) most = std::max(most, row.dots.size());
  }
  return most;
}

double widest_label(const DotPlot& plot) {
  double widest = 0;
  for (const DotGroup& group : plot.groups) {
    for (const DotRow& row : group.rows) widest = std::max(widest, text_width(row.label, kText));
  }
  return widest;
}

/// Where everything is, from left to right and in a row.
struct Geometry {
  double width;
  double labels;  // the width they have
  double left;    // where they begin
  double right;   // where the last column ends
  double from;    // ends of the axis
  double to;
  double row;      // heights
  double strip;    // the part of a row with the marks, at its lower end
  double spacing;  // between the marks of a row
};

double columns_width(const DotPlot& plot) {
  double width = 0;
  for (const DotPlot::Column& column : plot.columns) {
    width += kGap + std::max(text_width(column.name, kText), text_width(column.widest, kText));
  }
  return width;
}

Geometry arrange(const DotPlot& plot, Layout layout) {
  const double spacing = 11;
  const double strip = 22 + spacing * static_cast<double>(most_dots(plot) - 1);
  const double columns = columns_width(plot);
  if (layout == Layout::narrow) {
    const double width = 366;
    return {width, width - columns, 0, width, kMargin, width - kMargin, strip + 20, strip, spacing};
  }
  const double width = 1240;
  const double labels = std::min(widest_label(plot), 230.0);
  const double right = width - kMargin;
  return {width, labels, kMargin, right, kMargin + labels + kGap, right - columns, strip, strip, spacing};
}

class Drawing {
 public:
  Drawing(const DotPlot& plot, Layout layout)
      : plot_(plot), narrow_(layout == Layout::narrow), at_(arrange(plot, layout)), scale_(range_of(plot), at_.from, at_.to) {
    draw_heading();
    if (plot_.groups.empty()) return;
    draw_keys();
    draw_axis_names();
    const double top = y_;
    // The rows are as high as they are whatever is drawn in them, and the grid must lie below.
    draw_grid(top, top + rows_height());
    for (const DotGroup& group : plot_.groups) draw_group(group);
    draw_ticks(y_ + 14);
    y_ += 24;
  }

  std::string element() const { return svg_.element(at_.width, y_, plot_.description); }
  std::string document() const { return svg_.document(at_.width, y_, plot_.description, chart_sheet()); }

 private:
  static constexpr double kGroupHeight = 28;
  static constexpr double kAboutText = 11;
  static constexpr double kAboutLine = 16;

  std::vector<std::string> about_lines(const std::string& about) const {
    return wrap_text(about, at_.width - at_.left, kAboutText);
  }

  double about_height(const std::string& about) const { return kAboutLine * static_cast<double>(about_lines(about).size()); }

  double rows_height() const {
    double height = 0;
    for (const DotGroup& group : plot_.groups) {
      height += kGroupHeight + about_height(group.about) + at_.row * static_cast<double>(group.rows.size());
      for (const DotRow& row : group.rows) height += about_height(row.about);
    }
    return height;
  }

  void draw_about(const std::string& about) {
    for (const std::string& line : about_lines(about)) {
      cover_grid(kAboutLine);
      svg_.text({at_.left, y_ + 13}, line, "soft small");
      y_ += kAboutLine;
    }
  }

  void draw_heading() {
    if (plot_.title.empty()) return;
    svg_.text({kMargin, 28}, plot_.title, "title");
    svg_.text({kMargin, 48}, plot_.subtitle, "soft");
    y_ = 60;
  }

  void draw_keys() {
    double x = kMargin;
    y_ += 18;
    for (const DotPlot::Key& key : plot_.keys) {
      const double width = 20 + text_width(key.meaning, kText);
      if (x > kMargin && x + width > at_.width) {
        x = kMargin;
        y_ += 20;
      }
      if (key.style.empty()) {
        svg_.rectangle({x - 3, y_ - 11}, 16, 14, "band");
      } else {
        svg_.mark({x + 5, y_ - 4}, key.shape, (key.hollow ? "hollow " : "mark ") + key.style);
      }
      svg_.text({x + 18, y_}, key.meaning, "soft");
      x += width + kGap;
    }
    y_ += 10;
  }

  void draw_axis_names() {
    y_ += 16;
    draw_columns([](const DotPlot& plot, std::size_t i) { return plot.columns[i].name; }, y_, "soft");
    if (narrow_) y_ += 20;
    const double parity = scale_(1);
    // Where there is space; either one tells what the other side means.
    const double left = parity - at_.left;  // the labels' column has no name
    const double right = at_.to - parity;
    if (text_width(plot_.below_parity, kText) + 10 < left) svg_.text({parity - 10, y_}, plot_.below_parity, "soft", Anchor::end);
    if (text_width(plot_.above_parity, kText) + 10 < right) svg_.text({parity + 10, y_}, plot_.above_parity, "soft");
    y_ += 18;
    draw_ticks(y_);
    y_ += 6;
  }

  void draw_ticks(double y) {
    for (const double tick : scale_.ticks(36)) svg_.text({scale_(tick), y}, format_size_tick(tick), "soft number", Anchor::middle);
  }

  void draw_grid(double top, double bottom) {
    for (const double tick : scale_.ticks(36)) svg_.line({scale_(tick), top}, {scale_(tick), bottom}, "grid");
    svg_.line({scale_(1), top}, {scale_(1), bottom}, "parity");
  }

  /// Where a line of text lies on it.
  void cover_grid(double height) { svg_.rectangle({0, y_}, at_.width, height, "paper"); }

  template <class TextOf>
  void draw_columns(TextOf text_of, double y, const std::string& style) {
    double x = at_.right;
    for (std::size_t i = plot_.columns.size(); i-- > 0;) {
      const DotPlot::Column& column = plot_.columns[i];
      svg_.text({x, y}, text_of(plot_, i), style, Anchor::end);
      x -= kGap + std::max(text_width(column.name, kText), text_width(column.widest, kText));
    }
  }

  void draw_group(const DotGroup& group) {
    cover_grid(kGroupHeight);
    svg_.text({at_.left, y_ + 20}, group.name, "strong");
    y_ += kGroupHeight;
    draw_about(group.about);
    for (const DotRow& row : group.rows) draw_row(row);
  }

  void draw_row(const DotRow& row) {
    const double separator = y_;
    draw_about(row.about);
    svg_.begin_group(row.hint);
    if (narrow_) cover_grid(at_.row - at_.strip);
    svg_.line({0, separator}, {at_.width, separator}, "grid");
    const double top = y_ + at_.row - at_.strip;
    const double middle = top + at_.strip / 2;
    if (std::isfinite(row.band)) {
      const double from = scale_(1 / row.band);
      svg_.rectangle({from, top + 1}, scale_(row.band) - from, at_.strip - 2, "band");
    }
    svg_.line({scale_(1), top}, {scale_(1), top + at_.strip}, "parity");
    const double baseline = narrow_ ? y_ + 15 : middle + 4;
    const std::string label = shorten(row.label, at_.labels, kText);
    svg_.text({at_.left, baseline}, label, "");
    draw_columns([&row](const DotPlot&, std::size_t i) { return row.values[i]; }, baseline, "number");
    double y = middle - at_.spacing * static_cast<double>(row.dots.size() - 1) / 2;
    for (const Dot& dot : row.dots) {
      draw_dot(dot, y);
      y += at_.spacing;
    }
    svg_.end_group();
    y_ += at_.row;
  }

  void draw_dot(const Dot& dot, double y) {
    if (!std::isfinite(dot.at.middle) || dot.at.middle <= 0) return;
    svg_.line({scale_(dot.at.low), y}, {scale_(dot.at.high), y}, "bar " + dot.style);
    svg_.mark({scale_(dot.at.middle), y}, dot.shape, (dot.hollow ? "hollow " : "mark ") + dot.style);
  }

  const DotPlot& plot_;
  const bool narrow_;
  const Geometry at_;
  const LogScale scale_;
  Svg svg_;
  double y_ = 0;
};

}  // namespace

std::string draw_element(const DotPlot& plot, Layout layout) { return Drawing(plot, layout).element(); }

std::string draw_document(const DotPlot& plot) { return Drawing(plot, Layout::wide).document(); }

}  // namespace bench
