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
    case Verdict::faster: return Shape::right;
    case Verdict::slower: return Shape::left;
    case Verdict::not_known: return Shape::diamond;
    case Verdict::withheld: return Shape::square;
    case Verdict::tie:
    case Verdict::no_result: break;
  }
  return Shape::circle;
}

const char* style_of(Verdict verdict) {
  return verdict == Verdict::faster ? "faster" : verdict == Verdict::slower ? "slower" : "tie";
}

}  // namespace bench
