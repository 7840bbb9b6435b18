#include "json.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string_view>

namespace bench {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Json document() {
    Json value = this->value(0);
    skip_space();
    if (at_ != text_.size()) fail("nothing more");
    return value;
  }

 private:
  static constexpr int kMostNested = 100;

  [[noreturn]] void fail(const std::string& expected) const {
    std::size_t line = 1;
    for (std::size_t i = 0; i < at_; ++i) line += text_[i] == '\n' ? 1 : 0;
    throw std::runtime_error("not JSON: line " + std::to_string(line) + ": expected " + expected);
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) ++at_;
  }

  bool accept(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  bool accept_next(std::string_view word) {
    skip_space();
    return accept(word);
  }

  void expect(std::string_view word) {
    if (!accept_next(word)) fail(std::string("'").append(word) + "'");
  }

  Json value(int depth) {
    if (depth > kMostNested) fail("less nesting");
    skip_space();
    if (accept("null")) return {};
    if (accept("true")) return true;
    if (accept("false")) return false;
    if (peek() == '"') return string();
    if (accept("[")) return array(depth);
    if (accept("{")) return object(depth);
    return number();
  }

  Json number() {
    double value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc{} || !std::isfinite(value)) fail("a value");
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  Json array(int depth) {
    Json::Array items;
    if (accept_next("]")) return items;
    do items.push_back(value(depth + 1));
    while (accept_next(","));
    expect("]");
    return items;
  }

  Json object(int depth) {
    Json::Object members;
    if (accept_next("}")) return members;
    do {
      skip_space();
      std::string name = string();
      expect(":");
      members.emplace_back(std::move(name), value(depth + 1));
    } while (accept_next(","));
    expect("}");
    return members;
  }

  std::string string() {
    if (!accept("\"")) fail("a string");
    std::string text;
    while (peek() != '"') {
      if (at_ >= text_.size() || static_cast<unsigned char>(peek()) < 0x20) fail("the end of a string");
      if (accept("\\")) {
        escape(text);
      } else {
        text += text_[at_++];
      }
    }
    ++at_;
    return text;
  }

  void escape(std::string& text) {
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const auto known = kNames.find(peek());
    if (at_ < text_.size() && known != std::string_view::npos) {
      ++at_;
      text += kMeanings[known];
      return;
    }
    if (!accept("u")) fail("an escape");
    unsigned code = 0;
    const char* const begin = text_.data() + at_;
    const char* const end = text_.data() + std::min(at_ + 4, text_.size());
    if (std::from_chars(begin, end, code, 16).ptr != begin + 4) fail("four hexadecimal digits");
    at_ += 4;
    if (code >= 0xD800 && code < 0xE000) fail("a character of the basic plane");
    if (code < 0x80) {
      text += static_cast<char>(code);
    } else if (code < 0x800) {
      text += static_cast<char>(0xC0U | (code >> 6U));
      text += static_cast<char>(0x80U | (code & 0x3FU));
    } else {
      text += static_cast<char>(0xE0U | (code >> 12U));
      text += static_cast<char>(0x80U | ((code >> 6U) & 0x3FU));
      text += static_cast<char>(0x80U | (code & 0x3FU));
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

void write_string(std::string& out, const std::string& text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> escaped;
      std::snprintf(escaped.data(), escaped.size(), "\\u%04x", static_cast<unsigned>(c));
      out += escaped.data();
    } else {
      out += c;
    }
  }
  out += '"';
}

void write_number(std::string& out, double value) {
  std::array<char, 32> digits;
  const bool whole = std::abs(value) < 1e15 && value == std::trunc(value);  // "100000", where the shortest is "1e+05"
  const auto end = whole ? std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<long long>(value))
                         : std::to_chars(digits.data(), digits.data() + digits.size(), value);
  out.append(digits.data(), end.ptr);
}

/// Opens, writes each item, closes; on lines of their own or all on one.
template <class Items, class WriteItem>
void write_items(std::string& out, const Items& items, char open, char close, bool lines, int depth, WriteItem write_item) {
  out += open;
  const char* separator = "";
  for (const auto& item : items) {
    out += separator;
    if (lines) out += '\n' + std::string(2 * static_cast<std::size_t>(depth + 1), ' ');
    write_item(item);
    separator = lines ? "," : ", ";
  }
  if (lines && !items.empty()) out += '\n' + std::string(2 * static_cast<std::size_t>(depth), ' ');
  out += close;
}

}  // namespace

Json::Json(double value) {
  if (std::isfinite(value)) value_ = value;
}

Json Json::parse(const std::string& text) { return Parser(text).document(); }

std::string Json::dump() const {
  std::string out;
  write(out, 0);
  return out + '\n';
}

void Json::write(std::string& out, int depth) const {
  if (const auto* const text = std::get_if<std::string>(&value_)) {
    write_string(out, *text);
  } else if (const auto* const value = std::get_if<double>(&value_)) {
    write_number(out, *value);
  } else if (const auto* const flag = std::get_if<bool>(&value_)) {
    out += *flag ? "true" : "false";
  } else if (const auto* const items = std::get_if<Array>(&value_)) {
    const bool lines = !items->empty() && (std::holds_alternative<Object>(items->front().value_) || std::holds_alternative<Array>(items->front().value_));
    write_items(out, *items, '[', ']', lines, depth, [&](const Json& item) { item.write(out, depth + 1); });
  } else if (const auto* const members = std::get_if<Object>(&value_)) {
    write_items(out, *members, '{', '}', true, depth, [&](const auto& member) {
      write_string(out, member.first);
      out += ": ";
      member.second.write(out, depth + 1);
    });
  } else {
    out += "null";
  }
}

namespace {

template <class T, class Value>
const T& as(const Value& value, const char* kind) {
  if (const T* const found = std::get_if<T>(&value)) return *found;
  throw std::runtime_error(std::string("expected ") + kind);
}

}  // namespace

const std::string& Json::string() const { return as<std::string>(value_, "a string"); }
bool Json::boolean() const { return as<bool>(value_, "true or false"); }
const Json::Array& Json::array() const { return as<Array>(value_, "an array"); }
const Json::Object& Json::object() const { return as<Object>(value_, "an object"); }

double Json::number() const {
  if (std::holds_alternative<std::nullptr_t>(value_)) return std::numeric_limits<double>::quiet_NaN();
  return as<double>(value_, "a number");
}

const Json& Json::operator[](const std::string& name) const {
  const Json* const value = find(name);
  if (value == nullptr) throw std::runtime_error("no \"" + name + "\"");
  return *value;
}

const Json* Json::find(const std::string& name) const {
  for (const auto& [key, value] : object()) {
    if (key == name) return &value;
  }
  return nullptr;
}

}  // namespace bench
