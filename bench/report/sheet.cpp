#include "sheet.hpp"

#include "../terminal/text.hpp"

namespace bench {
namespace {

using terminal::format;

struct Palette {
  const char* paper;
  const char* ink;
  const char* soft;  // secondary text, and what says "no difference"
  const char* grid;
  const char* band;
  const char* blue;
  const char* orange;
};

// Blue and orange differ for every common kind of colour blindness, and all text has a contrast of 4.5 at least against the paper, as
// WCAG 2.1 AA asks.
constexpr Palette kLight{"#ffffff", "#1b1f24", "#59636e", "#e2e6ea", "#e7ebf0", "#0b5cc0", "#b84300"};
constexpr Palette kDark{"#14181d", "#e6e9ec", "#a2abb5", "#333b44", "#2a323b", "#6fb1ff", "#ff9a57"};

/// No variables of CSS: not every program that shows an SVG has them.
std::string colours(const Palette& p) {
  return format(".faster{color:%s}\n.slower{color:%s}\n.tie{color:%s}\n", p.blue, p.orange, p.soft) +
         format("svg text{fill:%s}\nsvg text.soft{fill:%s}\n.hollow,.paper{fill:%s}\n", p.ink, p.soft, p.paper) +
         format(".grid{stroke:%s}\n.band{fill:%s}\n.parity{stroke:%s}\n", p.grid, p.band, p.ink) +
         format(".ours{color:%s}\n.rival0{color:%s}\n.rival1{color:%s}\n.border{stroke:%s}\n", p.blue, p.orange, p.soft, p.soft);
}

constexpr const char* kShapes = R"(svg text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
svg text.strong{font-weight:650}
svg text.title{font-size:17px;font-weight:650}
svg text.number{font-variant-numeric:tabular-nums}
.mark{fill:currentColor;stroke:currentColor;stroke-width:1}
.hollow{stroke:currentColor;stroke-width:1.6}
.bar{stroke:currentColor;stroke-width:2}
.grid{stroke-width:1}
.parity{stroke-width:1.3}
.curve{stroke:currentColor;stroke-width:1.8;stroke-linecap:round}
.ideal{stroke-width:1.3;stroke-dasharray:1 4;stroke-linecap:round}
.border{stroke-width:1;stroke-dasharray:4 3}
)";

}  // namespace

// Only screens are dark: a print is on white paper.
std::string chart_sheet() {
  return colours(kLight) + "@media screen and (prefers-color-scheme:dark){\n" + colours(kDark) + "}\n" + kShapes;
}

}  // namespace bench
