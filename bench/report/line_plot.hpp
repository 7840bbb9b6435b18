// A small chart with a curve for every contender, both axes logarithmic. Many of them stand side by side.
#pragma once

#include "svg.hpp"

#include <functional>
#include <string>
#include <vector>

namespace bench {

struct Curve {
  std::string style;  // a class that colours it
  Shape shape;
  bool marked;                // a mark at every point
  std::vector<Point> points;  // values; a point that has no logarithm interrupts the curve
};

struct LinePlot {
  std::string title;
  std::string subtitle;     // in a line of its own; what is on the y axis, say
  std::string hint;         // shown when the titles are pointed at
  std::string description;  // for those who cannot see it
  std::string x_name;
  std::vector<double> x_ticks;  // round values if empty
  std::function<std::string(double)> x_text;
  std::function<std::string(double)> y_text;
  bool parity;  // a line at y = 1
  std::vector<Curve> curves;
};

std::string draw_element(const LinePlot& plot, double width, double height);

}  // namespace bench
