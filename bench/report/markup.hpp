// HTML tables, row by row.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace bench {

/// Writes a table as it is told of its parts; closed when it is destroyed. The first cell of every row heads it.
class Table {
 public:
  struct Heading {
    std::string text;
    const char* style = "";  // "words": the column holds words, and is aligned to the left
  };

  Table(std::ostream& out, const std::vector<Heading>& headings);
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  /// A line that names the rows below it, and may say what they are.
  void group(const std::string& name, const std::string& about = "");

  /// A line that says what the rows below it are.
  void about(const std::string& text);

  /// Cells are appended to the row begun last.
  Table& row(const std::string& heading);
  Table& cell(const std::string& text, const std::string& style = "");

 private:
  void finish_row();

  std::ostream& out_;
  std::size_t columns_;
  bool in_row_ = false;
};

}  // namespace bench
