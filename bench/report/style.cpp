#include "style.hpp"

namespace bench {
namespace {

struct Palette {
  const char* paper;
  const char* raised;  // boxes on the paper
  const char* ink;
  const char* soft;  // secondary text, and what says "no difference"
  const char* grid;
  const char* band;
  const char* blue;  // furca, and where it is faster. Blue and orange differ for every common kind of colour blindness.
  const char* orange;
  const char* purple;
};

// All text has a contrast of 4.5 at least against the paper, as WCAG 2.1 AA asks.
constexpr Palette kLight{"#ffffff", "#f4f6f8", "#1b1f24", "#59636e", "#e2e6ea", "#e7ebf0", "#0b5cc0", "#b84300", "#7a35b5"};
constexpr Palette kDark{"#14181d", "#1d232a", "#e6e9ec", "#a2abb5", "#333b44", "#2a323b", "#6fb1ff", "#ff9a57", "#cda3f7"};

std::string colours(const Palette& p) {
  const auto rule = [](const char* selectors, const char* property, const char* colour) {
    return std::string(selectors) + "{" + property + ":" + colour + "}\n";
  };
  return rule(".furca,.faster", "color", p.blue) + rule(".rival,.slower", "color", p.orange) + rule(".other", "color", p.purple) +
         rule(".serial,.ideal,.tie,.soft", "color", p.soft) + rule("svg text", "fill", p.ink) +
         rule("svg text.soft", "fill", p.soft) + rule(".hollow,.paper", "fill", p.paper) + rule(".grid", "stroke", p.grid) +
         rule(".band", "fill", p.band) + rule(".parity", "stroke", p.ink);
}

std::string page_colours(const Palette& p) {
  return std::string(":root{--paper:") + p.paper + ";--raised:" + p.raised + ";--ink:" + p.ink + ";--soft:" + p.soft +
         ";--grid:" + p.grid + ";--blue:" + p.blue + ";--orange:" + p.orange + "}\n";
}

// Only screens are dark: a print is on white paper.
std::string in_the_dark(const std::string& rules) { return "@media screen and (prefers-color-scheme:dark){\n" + rules + "}\n"; }

constexpr const char* kChartShapes =
    R"(svg text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
svg text.strong{font-weight:650}
svg text.title{font-size:17px;font-weight:650}
svg text.small{font-size:11px}
svg text.number{font-variant-numeric:tabular-nums}
.mark{fill:currentColor;stroke:currentColor;stroke-width:1}
.hollow{stroke:currentColor;stroke-width:1.6}
.bar{stroke:currentColor;stroke-width:2}
.curve{stroke:currentColor;stroke-width:1.8;fill:none;stroke-linejoin:round}
.serial.curve{stroke-dasharray:5 3}
.grid{stroke-width:1}
.parity{stroke-width:1.3}
.ideal.curve{stroke-width:1.3;stroke-dasharray:2 3}
)";

constexpr const char* kPage = R"(:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);
  font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
  overflow-wrap:break-word;-webkit-text-size-adjust:100%}
main{max-width:1400px;margin:0 auto;padding:24px 16px 64px}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 4px}
h2{font-size:1.25rem;line-height:1.3;margin:44px 0 8px}
p,ul{margin:8px 0;max-width:60rem}
ul{padding-left:1.2em}
.pair{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 40px;align-items:start}
.pair h2{margin-top:24px}
.verdict{font-size:1.2rem;line-height:1.45;margin:16px 0}
.verdict.slower{font-weight:600}
.box{background:var(--raised);border:1px solid var(--grid);border-radius:8px;padding:10px 16px;margin:16px 0}
.pair .box h2{margin:4px 0;font-size:1.05rem}
.box ul{list-style:none;padding:0}
.box li{padding-left:5.2em;text-indent:-5.2em;margin:4px 0}
.box li b{display:inline-block;width:5.2em;text-indent:0}
svg.chart{display:block;max-width:100%;height:auto}
.narrow{display:none}
.panels{display:flex;flex-wrap:wrap;gap:20px 24px;margin:12px 0}
.panels svg{flex:none}
.legend{display:flex;flex-wrap:wrap;gap:4px 20px;margin:8px 0;padding:0;list-style:none;font-size:.875rem}
.legend svg{display:inline-block;vertical-align:-2px;margin-right:6px}
.scroll{overflow-x:auto;margin:8px 0}
table{border-collapse:separate;border-spacing:0;font-size:.78rem;line-height:1.4;font-variant-numeric:tabular-nums}
th,td{padding:5px 6px;border-bottom:1px solid var(--grid);text-align:right;white-space:nowrap;vertical-align:top}
th{font-weight:600}
thead th{color:var(--soft);vertical-align:bottom;white-space:normal;border-bottom:1px solid var(--soft)}
th:first-child{text-align:left;position:sticky;left:0;background:var(--paper);font-weight:500}
tbody th:first-child{min-width:10.5rem;max-width:17rem;white-space:normal}
tr.group th:first-child{font-weight:650;padding-top:14px;max-width:none}
tr.about td{text-align:left;padding:8px 6px 2px;border-bottom:0}
.stay{position:sticky;left:6px;width:max-content;max-width:min(72rem,calc(100vw - 44px));white-space:normal;text-align:left}
.stay .soft{font-weight:400}
td.words,th.words{text-align:left}
td.prose{text-align:left;white-space:normal;min-width:16rem;width:100%;color:var(--soft)}
td.faster,td.slower{font-weight:600}
details{margin:12px 0}
summary{cursor:pointer;font-weight:600}
dl{display:grid;grid-template-columns:max-content 1fr max-content 1fr;gap:4px 20px;font-size:.9rem}
dt{color:var(--soft)}
dd{margin:0;min-width:0;overflow-wrap:anywhere}
@media (max-width:1000px){
.pair{grid-template-columns:minmax(0,1fr)}
dl{grid-template-columns:max-content 1fr}
}
@media (max-width:760px){
.wide,.aside{display:none}.narrow{display:block}
body{font-size:15px}h1{font-size:1.4rem}.verdict{font-size:1.08rem}
main{padding:16px 12px 48px}
.panels{gap:16px 12px}
tbody th:first-child{min-width:6.5rem;max-width:40vw}
tr.group th:first-child{max-width:none}
dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:8px}
}
@media print{
main{max-width:none;padding:0}body{font-size:10pt}
h2,h2+p,.legend{break-after:avoid}tr,svg.chart{break-inside:avoid}svg.chart{max-height:23cm}thead{display:table-header-group}
.scroll{overflow:visible}.stay{position:static;max-width:none}table{font-size:6.5pt}th,td{padding:2px 4px}th:first-child{position:static}
.wide{display:block}.narrow{display:none}
}
)";

}  // namespace

std::string chart_sheet() { return colours(kLight) + in_the_dark(colours(kDark)) + kChartShapes; }

std::string page_sheet() { return page_colours(kLight) + in_the_dark(page_colours(kDark)) + chart_sheet() + kPage; }

}  // namespace bench
