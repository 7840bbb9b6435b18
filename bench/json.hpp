// JSON (RFC 8259), as much of it as results need: a value, its text, and the way back.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace bench {

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;  // in the order in which it is written

  Json() = default;  // null
  Json(bool value) : value_(value) {}                        // NOLINT: a value is what it is made from
  Json(double value);                                        // NOLINT: NaN and the infinities become null
  Json(std::string value) : value_(std::move(value)) {}      // NOLINT
  Json(const char* value) : value_(std::string(value)) {}    // NOLINT
  Json(Array value) : value_(std::move(value)) {}            // NOLINT
  Json(Object value) : value_(std::move(value)) {}           // NOLINT
  Json(int) = delete;                                        // would be a bool or a double

  /// Throws std::runtime_error, saying where, if the text is not JSON.
  static Json parse(const std::string& text);

  /// Objects and arrays of objects on lines of their own, arrays of plain values on one.
  std::string dump() const;

  /// These throw std::runtime_error if the value is of another kind; number() gives NaN for null.
  const std::string& string() const;
  double number() const;
  bool boolean() const;
  const Array& array() const;
  const Object& object() const;

  /// The member of an object; throws std::runtime_error if there is none.
  const Json& operator[](const std::string& name) const;
  /// Null if there is none.
  const Json* find(const std::string& name) const;

 private:
  void write(std::string& out, int depth) const;

  std::variant<std::nullptr_t, bool, double, std::string, Array, Object> value_ = nullptr;
};

}  // namespace bench
