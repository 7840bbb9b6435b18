#include "page.hpp"

#include "../terminal/terminal.hpp"
#include "chart.hpp"
#include "curves.hpp"
#include "sheet.hpp"
#include "svg.hpp"

#include <sstream>

namespace bench {
namespace {

constexpr const char* kSheet = R"(:root{color-scheme:light dark}
body{max-width:960px;margin:0 auto;padding:16px;font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.6rem;margin:0}
pre{font:13px/1.45 ui-monospace,monospace;overflow-x:auto}
svg{display:block;max-width:100%;height:auto}
@media screen and (prefers-color-scheme:dark){
body{background:#14181d;color:#e6e9ec}
}
@media print{
pre{font-size:7pt;overflow:visible}
}
)";

}  // namespace

void write_page(std::ostream& out, const Results& results) {
  std::ostringstream summary;
  terminal::print_heading(summary, results.setting);
  terminal::print_summary(summary, results);
  std::ostringstream tables;
  terminal::print_tables(tables, results);
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>furca: benchmark</title>\n<style>\n"
      << kSheet << chart_sheet() << "</style>\n</head>\n<body>\n<h1>furca: benchmark</h1>\n<pre>\n"
      << escape(summary.str()) << "</pre>\n"
      << chart_element(results) << curves_element(results) << "<pre>" << escape(tables.str()) << "</pre>\n</body>\n</html>\n";
}

}  // namespace bench
