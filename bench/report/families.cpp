#include "families.hpp"

#include "../summary.hpp"

namespace bench {

std::vector<std::string> parallel_families(const Results& results) {
  std::vector<std::string> families = rivals(results);
  families.insert(families.begin(), "furca");
  return families;
}

std::string style_of(const std::string& family) {
  if (family == "furca" || family == "serial") return family;
  return family == "oneTBB" ? "rival" : "other";
}

Shape shape_of(const std::string& family) {
  if (family == "furca") return Shape::circle;
  return family == "oneTBB" ? Shape::square : Shape::diamond;
}

Shape shape_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster:
      return Shape::right;
    case Verdict::slower:
      return Shape::left;
    case Verdict::tie:
    case Verdict::unknown:
      break;
  }
  return Shape::circle;
}

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster:
      return "faster";
    case Verdict::slower:
      return "slower";
    case Verdict::tie:
      return "tie";
    case Verdict::unknown:
      break;
  }
  return "unknown";
}

}  // namespace bench
