#include "results_json.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

namespace bench {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
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
  return out;
}

/// As short as it can be without a loss, and whole numbers without an exponent.
std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  std::array<char, 32> digits;
  char* const end = digits.data() + digits.size();
  const bool whole = std::abs(value) < 1e15 && value == std::trunc(value);
  const auto written = whole ? std::to_chars(digits.data(), end, static_cast<long long>(value))
                             : std::to_chars(digits.data(), end, value);
  return {digits.data(), written.ptr};
}

std::string number(std::uint64_t value) { return std::to_string(value); }

/// Names, each with a value that is JSON already.
using Members = std::vector<std::pair<const char*, std::string>>;

std::string object(const Members& members) {
  std::string out;
  for (const auto& [name, value] : members) {
    out += out.empty() ? '{' : ',';
    out += quoted(name);
    out += ':';
    out += value;
  }
  out += '}';
  return out;
}

template <class T, class Convert>
std::string array(const std::vector<T>& items, Convert convert) {
  std::string out = "[";
  for (const T& item : items) {
    if (out.size() > 1) out += ',';
    out += convert(item);
  }
  out += ']';
  return out;
}

struct Column {
  const char* name;
  double Sample::* value;
  bool optional = false;  // written only if something is known
};

constexpr Column kColumns[] = {{"wall_ns", &Sample::wall_ns},
                               {"cpu_ns", &Sample::cpu_ns},
                               {"peak_kib", &Sample::peak_kib},
                               {"voluntary_switches", &Sample::voluntary},
                               {"involuntary_switches", &Sample::involuntary},
                               {"calls", &Sample::calls},
                               {"busy_threads", &Sample::busy_threads, true},
                               {"heavy_fences", &Sample::heavy_fences, true}};

bool is_known(const Series& series, double Sample::* value) {
  for (const Sample& sample : series.samples) {
    if (!std::isnan(sample.*value)) return true;
  }
  return false;
}

std::string json_of(const Series& series) {
  Members members{{"family", quoted(series.family)},
                  {"contender", quoted(series.contender)},
                  {"threads", number(std::uint64_t{series.threads})},
                  {"control", series.control ? "true" : "false"}};
  for (const Column& column : kColumns) {
    if (column.optional && !is_known(series, column.value)) continue;
    members.emplace_back(column.name, array(series.samples, [&](const Sample& sample) {
                           return number(sample.*column.value);
                         }));
  }
  return object(members);
}

std::string json_of(const Row& row) {
  return object({{"workload", quoted(row.workload)},
                 {"summary", quoted(row.summary)},
                 {"group", quoted(name_of(row.group))},
                 {"size", number(std::uint64_t{row.size})},
                 {"rest_ms", number(row.rest_ms)},
                 {"span_ns", number(row.span_ns)},
                 {"series", array(row.series, [](const Series& one) { return json_of(one); })}});
}

std::string json_of(const Figure& figure) {
  return object({{"name", quoted(figure.name)},
                 {"summary", quoted(figure.summary)},
                 {"group", quoted(name_of(figure.group))},
                 {"family", quoted(figure.family)},
                 {"variant", quoted(figure.variant)},
                 {"unit", quoted(figure.unit)},
                 {"values", array(figure.values, [](double value) { return number(value); })}});
}

std::string json_of(const Border& border) {
  return object(
      {{"threads", number(std::uint64_t{border.threads})}, {"meaning", quoted(border.meaning)}});
}

std::string json_of(const Topology& topology) {
  const auto count = [](unsigned value) { return number(std::uint64_t{value}); };
  return object(
      {{"processors", count(topology.processors)},
       {"cores", count(topology.cores)},
       {"caches", count(topology.caches)},
       {"nodes", count(topology.nodes)},
       {"sockets", count(topology.sockets)},
       {"borders", array(topology.borders, [](const Border& one) { return json_of(one); })}});
}

}  // namespace

std::string to_json(const Setting& setting) {
  const auto count = [](unsigned value) { return number(std::uint64_t{value}); };
  return object({{"date", quoted(setting.date)},
                 {"processor", quoted(setting.processor)},
                 {"processors", count(setting.processors)},
                 {"affinity", count(setting.affinity)},
                 {"quota", quoted(setting.quota)},
                 {"topology", json_of(setting.topology)},
                 {"kernel", quoted(setting.kernel)},
                 {"load_before", quoted(setting.load_before)},
                 {"load_after", quoted(setting.load_after)},
                 {"stolen_percent", number(setting.stolen_percent)},
                 {"others_percent", number(setting.others_percent)},
                 {"compiler", quoted(setting.compiler)},
                 {"flags", quoted(setting.flags)},
                 {"versions", array(setting.versions, quoted)},
                 {"effort", quoted(setting.effort)},
                 {"seed", number(setting.seed)},
                 {"rounds", count(setting.rounds)},
                 {"threads", array(setting.threads, count)},
                 {"seconds", number(setting.seconds)}});
}

std::string to_json(const Results& results) {
  return object(
      {{"format", quoted("furca-bench 1")},
       {"setting", to_json(results.setting)},
       {"rows", array(results.rows, [](const Row& row) { return json_of(row); })},
       {"figures", array(results.figures, [](const Figure& one) { return json_of(one); })},
       {"failures", number(std::uint64_t{results.failures})}});
}

}  // namespace bench
