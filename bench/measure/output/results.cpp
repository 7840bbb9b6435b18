#include "results.hpp"

#include <sstream>

namespace bench {

std::string Row::label() const {
  return size == 0 ? workload : workload + " " + std::to_string(size);
}

std::string without_paths(const std::string& text) {
  std::istringstream words(text);
  std::string kept;
  for (std::string word; words >> word;) {
    if (word.find('/') == std::string::npos) kept += (kept.empty() ? "" : " ") + word;
  }
  return kept;
}

const char* name_of(Group group) {
  switch (group) {
    case Group::forks:
      return "forks";
    case Group::loops:
      return "loops";
    case Group::reductions:
      return "reductions";
    case Group::behaviour:
      return "behaviour";
    case Group::micro:
      return "micro";
    case Group::instructions:
      return "instructions";
  }
  return "";
}

std::optional<Group> group_called(const std::string& name) {
  for (const Group group : {Group::forks, Group::loops, Group::reductions, Group::behaviour,
                            Group::micro, Group::instructions}) {
    if (name == name_of(group)) return group;
  }
  return std::nullopt;
}

}  // namespace bench
