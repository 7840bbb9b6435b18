// A chart with a line for every row: marks with intervals on one logarithmic axis.
#pragma once

#include "../statistics.hpp"
#include "svg.hpp"

#include <string>
#include <vector>

namespace bench {

struct Dot {
  Interval at;
  Shape shape;
  std::string style;  // a class that colours it
  bool hollow;
};

struct DotRow {
  std::string label;
  std::string about;  // what the row and those below it are; stands above it, if not empty
  std::string hint;
  double band;                      // drawn faintly from 1 / band to band; none if infinite
  std::vector<Dot> dots;            // one above the other
  std::vector<std::string> values;  // as text, one for each of the plot's columns
};

struct DotGroup {
  std::string name;
  std::string about;  // stands below the name
  std::vector<DotRow> rows;
};

struct DotPlot {
  /// Beside the axis; `widest` is the widest text that it takes.
  struct Column {
    std::string name;
    std::string widest;
  };
  /// What a mark means. An empty `style` explains the band.
  struct Key {
    Shape shape;
    std::string style;
    bool hollow;
    std::string meaning;
  };

  std::string description;  // for those who cannot see it
  std::string title;        // above it, if not empty
  std::string subtitle;
  std::string below_parity;  // what it means to be left of 1, and right
  std::string above_parity;
  std::vector<Key> keys;
  std::vector<Column> columns;
  std::vector<DotGroup> groups;
};

/// `narrow`: for a phone; the label is above its marks, not beside them.
enum class Layout { wide, narrow };

std::string draw_element(const DotPlot& plot, Layout layout);
std::string draw_document(const DotPlot& plot);

}  // namespace bench
