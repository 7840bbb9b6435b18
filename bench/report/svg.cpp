#include "svg.hpp"

#include <array>
#include <charconv>
#include <sstream>

namespace bench {
namespace {

/// Of UTF-8: bytes that begin a character.
bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

/// With one decimal, whatever the locale.
std::string fixed(double value) {
  std::array<char, 32> text{};  // pixels: a few digits
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 1).ptr};
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + escape(value) + "\"";
}

std::string attribute(const char* name, double value) { return attribute(name, fixed(value)); }

std::string list(const std::vector<Point>& points) {
  std::string text;
  for (const Point& point : points) {
    if (!text.empty()) text += ' ';
    text += fixed(point.x) + ',' + fixed(point.y);
  }
  return text;
}

/// Corners around the centre, of about the same area for every shape.
std::vector<Point> corners(Point centre, Shape shape) {
  const auto [x, y] = centre;
  switch (shape) {
    case Shape::circle: break;
    case Shape::square: return {{x - 3.8, y - 3.8}, {x + 3.8, y - 3.8}, {x + 3.8, y + 3.8}, {x - 3.8, y + 3.8}};
    case Shape::diamond: return {{x - 5.2, y}, {x, y - 5.2}, {x + 5.2, y}, {x, y + 5.2}};
    case Shape::left: return {{x - 5.5, y}, {x + 4, y - 5.2}, {x + 4, y + 5.2}};
    case Shape::right: return {{x + 5.5, y}, {x - 4, y - 5.2}, {x - 4, y + 5.2}};
  }
  return {};
}

}  // namespace

std::string escape(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      default: safe += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? ' ' : c;
    }
  }
  return safe;
}

void Svg::line(Point from, Point to, const std::string& style) {
  body_ += "<line" + attribute("class", style) + attribute("x1", from.x) + attribute("y1", from.y) + attribute("x2", to.x) +
           attribute("y2", to.y) + "/>\n";
}

void Svg::rectangle(Point corner, double width, double height, const std::string& style) {
  body_ += "<rect" + attribute("class", style) + attribute("x", corner.x) + attribute("y", corner.y) + attribute("width", width) +
           attribute("height", height) + "/>\n";
}

void Svg::mark(Point centre, Shape shape, const std::string& style) {
  if (shape == Shape::circle) {
    body_ += "<circle" + attribute("class", style) + attribute("cx", centre.x) + attribute("cy", centre.y) + attribute("r", 4.2) +
             "/>\n";
  } else {
    body_ += "<polygon" + attribute("class", style) + attribute("points", list(corners(centre, shape))) + "/>\n";
  }
}

void Svg::text(Point start, const std::string& text, const std::string& style, Anchor anchor) {
  body_ += "<text" + attribute("class", style) + attribute("x", start.x) + attribute("y", start.y);
  if (anchor != Anchor::start) body_ += attribute("text-anchor", anchor == Anchor::middle ? "middle" : "end");
  body_ += '>';
  body_ += escape(text) + "</text>\n";
}

void Svg::begin_group(const std::string& hint) { body_ += "<g><title>" + escape(hint) + "</title>\n"; }

void Svg::end_group() { body_ += "</g>\n"; }

std::string Svg::element(double width, double height, const std::string& description) const {
  return "<svg" + attribute("role", "img") + attribute("aria-label", description) + attribute("width", width) +
         attribute("height", height) + attribute("viewBox", "0 0 " + fixed(width) + " " + fixed(height)) + ">\n" + body_ +
         "</svg>\n";
}

std::string Svg::document(double width, double height, const std::string& description, const std::string& sheet) const {
  std::string text = element(width, height, description);
  text.insert(4, attribute("xmlns", "http://www.w3.org/2000/svg"));
  text.insert(text.find('\n') + 1, "<style>\n" + sheet + "</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + text;
}

double text_width(std::string_view text, double height) {
  double characters = 0;
  for (const char c : text) characters += begins_character(c) ? 1 : 0;
  return 0.6 * height * characters;
}

std::vector<std::string> wrap_text(const std::string& text, double width, double height) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.empty() && text_width(lines.back() + " " + word, height) <= width) {
      lines.back() += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

}  // namespace bench
