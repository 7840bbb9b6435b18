#include "costs.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <variant>

namespace counted {

namespace {

struct Entry {
  const char* name;
  std::variant<Time Costs::*, int Costs::*, double Costs::*> member;
};

constexpr Entry kEntries[] = {
    {"cores-per-cache", &Costs::cores_per_cache},
    {"cores-per-socket", &Costs::cores_per_socket},
    {"threads-per-core", &Costs::threads_per_core},
    {"slowdown", &Costs::slowdown},
    {"body", &Costs::body},
    {"hit", &Costs::hit},
    {"near", &Costs::near},
    {"transfer", &Costs::transfer},
    {"far", &Costs::far},
    {"follow", &Costs::follow},
    {"locked", &Costs::locked},
    {"fence", &Costs::fence},
    {"clock", &Costs::clock},
    {"pause", &Costs::pause},
    {"yield", &Costs::yield},
    {"syscall", &Costs::syscall},
    {"heavy-base", &Costs::heavy_base},
    {"heavy-each", &Costs::heavy_each},
    {"interrupt", &Costs::interrupt},
    {"wait-call", &Costs::wait_call},
    {"wake-call", &Costs::wake_call},
    {"wake-up", &Costs::wake_up},
    {"thread-start", &Costs::thread_start},
    {"slice", &Costs::slice},
    {"change", &Costs::change},
    {"taken-every", &Costs::taken_every},
    {"taken-for", &Costs::taken_for},
    {"own-cache", &Costs::own_cache},
    {"shared-cache", &Costs::shared_cache},
    {"shared-rate", &Costs::shared_rate},
    {"memory-rate", &Costs::memory_rate},
    {"far-rate", &Costs::far_rate},
    {"socket-rate", &Costs::socket_rate},
};

double get(const Costs& costs, Time Costs::* member) {
  return static_cast<double>(costs.*member) / 1'000;
}
double get(const Costs& costs, int Costs::* member) { return costs.*member; }
double get(const Costs& costs, double Costs::* member) { return costs.*member; }

void set(Costs& costs, const std::string& name, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value >= 0) || value > 1e12)
    throw std::runtime_error(name + " wants a number, not \"" + text + "\"");
  for (const Entry& entry : kEntries) {
    if (name != entry.name) continue;
    if (const auto* const time = std::get_if<Time Costs::*>(&entry.member)) {
      costs.** time = nanoseconds(value);
    } else if (const auto* const count = std::get_if<int Costs::*>(&entry.member)) {
      if (value < 1) throw std::runtime_error(name + " is 1 at least");
      costs.** count = static_cast<int>(value);
    } else {
      costs.*std::get<double Costs::*>(entry.member) = value;
    }
    return;
  }
  throw std::runtime_error("there is no cost \"" + name + "\"");
}

}  // namespace

Costs read_costs(const std::string& file) {
  std::ifstream lines(file);
  if (!lines) throw std::runtime_error("there is no machine " + file);
  Costs costs;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name;
    std::string value;
    if (words >> name) {
      words >> value;
      set(costs, name, value);
    }
  }
  return costs;
}

void set_cost(Costs& costs, const std::string& assignment) {
  const std::size_t at = assignment.find('=');
  if (at == std::string::npos) throw std::runtime_error("not NAME=VALUE: " + assignment);
  set(costs, assignment.substr(0, at), assignment.substr(at + 1));
}

std::string list(const Costs& costs) {
  std::ostringstream text;
  for (const Entry& entry : kEntries) {
    const auto value = [&](auto member) { return get(costs, member); };
    text << entry.name << ' ' << std::visit(value, entry.member) << '\n';
  }
  return text.str();
}

}  // namespace counted
