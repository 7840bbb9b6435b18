// A drawing, element by element.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// For the content of elements and for attributes in double quotes, in HTML and XML. Control characters but for the ends of lines become
/// spaces.
std::string escape(std::string_view text);

struct Point {
  double x;
  double y;
};

enum class Anchor { start, middle, end };
enum class Shape { circle, square, diamond, left, right };  // the last two: triangles that point there

/// In CSS pixels, y downwards. What an element looks like is said by its class.
class Svg {
 public:
  void line(Point from, Point to, const std::string& style);
  void rectangle(Point corner, double width, double height, const std::string& style);
  void mark(Point centre, Shape shape, const std::string& style);
  void text(Point start, const std::string& text, const std::string& style, Anchor anchor = Anchor::start);

  /// What is drawn until end_group() shows the hint when pointed at.
  void begin_group(const std::string& hint);
  void end_group();

  /// The <svg> element, for a page. It keeps its proportions and shrinks with the space it is given. The description is for those who
  /// cannot see it.
  std::string element(double width, double height, const std::string& description) const;
  /// The same as a file of its own, with its style sheet.
  std::string document(double width, double height, const std::string& description, const std::string& sheet) const;

 private:
  std::string body_;
};

/// About how wide text of that many pixels' height is: nobody here knows the reader's font, so rather too wide.
double text_width(std::string_view text, double height);

/// Lines that are no wider, but for single words.
std::vector<std::string> wrap_text(const std::string& text, double width, double height);

}  // namespace bench
