#include "markup.hpp"

#include "svg.hpp"

namespace bench {
namespace {

std::string class_attribute(const std::string& style) { return style.empty() ? "" : " class=\"" + style + "\""; }

}  // namespace

Table::Table(std::ostream& out, const std::vector<Heading>& headings) : out_(out), columns_(headings.size()) {
  out_ << "<div class=\"scroll\"><table>\n<thead><tr>";
  for (const Heading& heading : headings) {
    out_ << "<th scope=\"col\"" << class_attribute(heading.style) << ">" << escape(heading.text) << "</th>";
  }
  out_ << "</tr></thead>\n<tbody>\n";
}

Table::~Table() {
  finish_row();
  out_ << "</tbody></table></div>\n";
}

void Table::group(const std::string& name, const std::string& about) {
  finish_row();
  out_ << "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"" << columns_ << "\"><div class=\"stay\">" << escape(name);
  if (!about.empty()) out_ << ": <span class=\"soft\">" << escape(about) << "</span>";
  out_ << "</div></th></tr>\n";
}

void Table::about(const std::string& text) {
  finish_row();
  out_ << "<tr class=\"about\"><td colspan=\"" << columns_ << "\"><div class=\"stay soft\">" << escape(text) << "</div></td></tr>\n";
}

Table& Table::row(const std::string& heading) {
  finish_row();
  out_ << "<tr><th scope=\"row\">" << escape(heading) << "</th>";
  in_row_ = true;
  return *this;
}

Table& Table::cell(const std::string& text, const std::string& style) {
  out_ << "<td" << class_attribute(style) << ">" << escape(text) << "</td>";
  return *this;
}

void Table::finish_row() {
  if (in_row_) out_ << "</tr>\n";
  in_row_ = false;
}

}  // namespace bench
