#include "machine.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace simulator {
namespace {

struct Named {
  const char* name;
  Time Costs::* cost;
};

constexpr Named kCosts[] = {
    {"cores-per-cache", &Costs::cores_per_cache},
    {"cores-per-socket", &Costs::cores_per_socket},
    {"fork", &Costs::fork},
    {"look", &Costs::look},
    {"near", &Costs::near},
    {"transfer", &Costs::transfer},
    {"far", &Costs::far},
    {"look-miss", &Costs::look_miss},
    {"shared-read", &Costs::shared_read},
    {"fence", &Costs::fence},
    {"clock", &Costs::clock},
    {"steal", &Costs::steal},
    {"heavy-base", &Costs::heavy},
    {"heavy-each", &Costs::heavy_each},
    {"interrupt", &Costs::interrupt},
    {"pause", &Costs::pause},
    {"yield", &Costs::yield},
    {"wake-call", &Costs::wake_call},
    {"sleep-call", &Costs::sleep_call},
    {"wake-up", &Costs::wake_up},
    {"patience", &Costs::patience},
    {"most-patience", &Costs::most_patience},
    {"speed", &Costs::speed},
};

}  // namespace

Time* find_cost(Costs& costs, const std::string& name) {
  const auto* const found = std::find_if(std::begin(kCosts), std::end(kCosts),
                                         [&](const Named& one) { return name == one.name; });
  return found == std::end(kCosts) ? nullptr : &(costs.*found->cost);
}

Costs read_machine(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  Costs costs;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name;
    if (!(words >> name)) continue;
    Time value = 0;
    std::string more;
    Time* const cost = find_cost(costs, name);
    const bool understood = static_cast<bool>(words >> value) && !(words >> more);
    if (cost == nullptr || !understood)
      throw std::runtime_error(path + ", line " + std::to_string(number) +
                               ": wants the name of a cost and a number");
    *cost = value;
  }
  if (costs.cores_per_cache == 0 || costs.cores_per_socket == 0 || costs.speed == 0)
    throw std::runtime_error(path + ": cores-per-cache, cores-per-socket and speed are 1 at least");
  return costs;
}

Costs find_machine(const std::string& name) {
  return read_machine(name.find('/') != std::string::npos ? name
                                                          : FURCA_MACHINES "/" + name + ".txt");
}

}  // namespace simulator
