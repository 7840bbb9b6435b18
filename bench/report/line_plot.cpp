#include "line_plot.hpp"

#include "scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bench {
namespace {

constexpr double kTop = 42;  // title and subtitle
constexpr double kTickHeight = 22;
constexpr double kNameHeight = 16;
constexpr double kRight = 14;

Range range_of(const LinePlot& plot, double Point::*coordinate) {
  Range range;
  for (const Curve& curve : plot.curves) {
    for (const Point& point : curve.points) range.include(point.*coordinate);
  }
  return range;
}

Range y_range_of(const LinePlot& plot) {
  Range range = range_of(plot, &Point::y);
  if (plot.parity) range.include(1);
  return range.padded(4);
}

bool drawable(const Point& point) { return std::isfinite(point.x) && std::isfinite(point.y) && point.x > 0 && point.y > 0; }

class Drawing {
 public:
  Drawing(const LinePlot& plot, double width, double height)
      : plot_(plot),
        width_(width),
        height_(height),
        bottom_(height - kTickHeight - (plot.x_name.empty() ? 0 : kNameHeight)),
        y_(y_range_of(plot), bottom_, kTop),
        left_(widest_y_text() + 8),
        x_(range_of(plot, &Point::x).padded(1.5), left_, width - kRight) {
    draw_x_axis();
    draw_y_axis();
    for (const Curve& curve : plot_.curves) draw_curve(curve);
    svg_.begin_group(plot_.hint);
    svg_.text({0, 14}, shorten(plot_.title, width_, 13.5), "strong");  // bold, hence wider
    svg_.text({0, 30}, plot_.subtitle, "soft small");
    svg_.end_group();
  }

  std::string element() const { return svg_.element(width_, height_, plot_.description); }

 private:
  static constexpr double kYSpacing = 20;

  double widest_y_text() const {
    double widest = 0;
    for (const double tick : y_.ticks(kYSpacing)) widest = std::max(widest, text_width(plot_.y_text(tick), 12));
    return widest;
  }

  void draw_x_axis() {
    const std::vector<double> ticks = plot_.x_ticks.empty() ? x_.ticks(40) : plot_.x_ticks;
    double free_from = -std::numeric_limits<double>::infinity();
    for (const double tick : ticks) {
      const std::string text = plot_.x_text(tick);
      const double half = text_width(text, 12) / 2;
      svg_.line({x_(tick), kTop}, {x_(tick), bottom_}, "grid");
      if (x_(tick) - half < free_from) continue;
      svg_.text({x_(tick), bottom_ + 16}, text, "soft number", Anchor::middle);
      free_from = x_(tick) + half + 4;
    }
    if (!plot_.x_name.empty())
      svg_.text({(left_ + width_ - kRight) / 2, height_ - 6}, plot_.x_name, "soft small", Anchor::middle);
  }

  void draw_y_axis() {
    for (const double tick : y_.ticks(kYSpacing)) {
      svg_.line({left_, y_(tick)}, {width_ - kRight, y_(tick)}, "grid");
      svg_.text({left_ - 6, y_(tick) + 4}, plot_.y_text(tick), "soft number", Anchor::end);
    }
    if (plot_.parity) svg_.line({left_, y_(1)}, {width_ - kRight, y_(1)}, "parity");
  }

  void draw_curve(const Curve& curve) {
    std::vector<Point> run;
    const auto finish_run = [&] {
      if (run.size() > 1) svg_.curve(run, "curve " + curve.style);
      if (curve.marked) {
        for (const Point& point : run) svg_.mark(point, curve.shape, "mark " + curve.style);
      }
      run.clear();
    };
    for (const Point& point : curve.points) {
      if (drawable(point)) {
        run.push_back({x_(point.x), y_(point.y)});
      } else {
        finish_run();
      }
    }
    finish_run();
  }

  const LinePlot& plot_;
  const double width_;
  const double height_;
  const double bottom_;
  const LogScale y_;
  const double left_;  // the y axis' texts take what they need
  const LogScale x_;
  Svg svg_;
};

}  // namespace

std::string draw_element(const LinePlot& plot, double width, double height) { return Drawing(plot, width, height).element(); }

}  // namespace bench
