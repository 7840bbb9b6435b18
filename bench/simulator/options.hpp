#pragma once

#include "scheduler.hpp"

#include <span>
#include <string>
#include <vector>

namespace simulator {

struct Options {
  Size size = Size::normal;
  std::string filter;
  std::vector<std::size_t> workers{1, 2, 4, 16, 64, 256};
  std::vector<Wait> waits{Wait::own_subtree, Wait::greedy};
  Setting setting;  // but for workers and wait
  bool detail = false;
  bool targets = false;
  bool peers = false;
  bool whole = false;
  bool ideas = false;
  std::string idea;
  bool parts = false;
  bool loops = false;
  bool sorts = false;
};

/// Prints the usage text and exits for --help; exits with 2 and a word on why for wrong arguments.
Options parse(std::span<char* const> arguments);

}  // namespace simulator
