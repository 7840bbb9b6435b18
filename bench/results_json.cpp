#include "results_json.hpp"

#include "json.hpp"
#include "summary.hpp"
#include "wording.hpp"

#include <cmath>
#include <stdexcept>

namespace bench {
namespace {

constexpr const char* kFormat = "furca-bench 1";

double as_number(std::uint64_t value) { return static_cast<double>(value); }

template <class T>
T as_integer(const Json& value) {
  const double number = value.number();
  if (!(number >= 0) || number > 9007199254740992.0) throw std::runtime_error("expected a whole number");
  return static_cast<T>(number);
}

template <class T, class Convert>
Json::Array as_array(const std::vector<T>& items, Convert convert) {
  Json::Array array;
  for (const T& item : items) array.push_back(convert(item));
  return array;
}

template <class T, class Convert>
std::vector<T> from_array(const Json& array, Convert convert) {
  std::vector<T> items;
  for (const Json& item : array.array()) items.push_back(convert(item));
  return items;
}

// --- samples: columns, so that a person can read one after the other ------------------------------------------------------

struct Column {
  const char* name;
  double Sample::*value;
  bool optional = false;  // files of earlier versions have none; written only if something is known
};

constexpr Column kColumns[] = {{"wall_ns", &Sample::wall_ns},     {"cpu_ns", &Sample::cpu_ns},
                               {"peak_kib", &Sample::peak_kib},   {"voluntary_switches", &Sample::voluntary},
                               {"involuntary_switches", &Sample::involuntary}, {"calls", &Sample::calls},
                               {"busy_threads", &Sample::busy_threads, true}, {"heavy_fences", &Sample::heavy_fences, true}};

bool is_known(const Series& series, double Sample::*value) {
  for (const Sample& sample : series.samples) {
    if (!std::isnan(sample.*value)) return true;
  }
  return false;
}

Json to_json(const Series& series) {
  Json::Object members{{"family", series.family},
                       {"contender", series.contender},
                       {"threads", as_number(series.threads)},
                       {"control", series.control}};
  for (const Column& column : kColumns) {
    if (column.optional && !is_known(series, column.value)) continue;
    members.emplace_back(column.name, as_array(series.samples, [&](const Sample& sample) { return Json(sample.*column.value); }));
  }
  return members;
}

Series series_from(const Json& json) {
  Series series{json["family"].string(), json["contender"].string(), as_integer<unsigned>(json["threads"]),
                json["control"].boolean(), {}};
  for (const Column& column : kColumns) {
    if (column.optional && json.find(column.name) == nullptr) continue;
    const Json::Array& values = json[column.name].array();
    if (&column == kColumns) series.samples.resize(values.size());
    if (values.size() != series.samples.size()) throw std::runtime_error("columns of different lengths");
    for (std::size_t i = 0; i < values.size(); ++i) series.samples[i].*column.value = values[i].number();
  }
  return series;
}

// --- rows and figures -----------------------------------------------------------------------------------------------------

Group group_from(const Json& json) {
  const auto group = group_called(json.string());
  if (!group) throw std::runtime_error("no such group: " + json.string());
  return *group;
}

Json to_json(const Row& row) {
  return Json::Object{{"workload", row.workload},
                      {"summary", row.summary},
                      {"group", name_of(row.group)},
                      {"size", as_number(row.size)},
                      {"rest_ms", row.rest_ms},
                      {"span_ns", row.span_ns},
                      {"series", as_array(row.series, [](const Series& one) { return to_json(one); })}};
}

Row row_from(const Json& json) {
  return {json["workload"].string(), json["summary"].string(), group_from(json["group"]), as_integer<std::size_t>(json["size"]),
          json["rest_ms"].number(), from_array<Series>(json["series"], series_from),
          json.find("span_ns") == nullptr ? kUnknown : json["span_ns"].number()};
}

Json to_json(const Figure& figure) {
  return Json::Object{{"name", figure.name},
                      {"summary", figure.summary},
                      {"group", name_of(figure.group)},
                      {"family", figure.family},
                      {"variant", figure.variant},
                      {"unit", figure.unit},
                      {"values", as_array(figure.values, [](double value) { return Json(value); })}};
}

Figure figure_from(const Json& json) {
  return {json["name"].string(),    json["summary"].string(), group_from(json["group"]), json["family"].string(),
          json["variant"].string(), json["unit"].string(),
          from_array<double>(json["values"], [](const Json& value) { return value.number(); })};
}

// --- the setting ----------------------------------------------------------------------------------------------------------

Json to_json(const Topology& topology) {
  return Json::Object{{"processors", as_number(topology.processors)},
                      {"cores", as_number(topology.cores)},
                      {"caches", as_number(topology.caches)},
                      {"nodes", as_number(topology.nodes)},
                      {"sockets", as_number(topology.sockets)},
                      {"borders", as_array(topology.borders, [](const Border& border) {
                         return Json(Json::Object{{"threads", as_number(border.threads)}, {"meaning", border.meaning}});
                       })}};
}

Topology topology_from(const Json& json) {
  return {as_integer<unsigned>(json["processors"]), as_integer<unsigned>(json["cores"]), as_integer<unsigned>(json["caches"]),
          as_integer<unsigned>(json["nodes"]), as_integer<unsigned>(json["sockets"]),
          from_array<Border>(json["borders"], [](const Json& border) {
            return Border{as_integer<unsigned>(border["threads"]), border["meaning"].string()};
          })};
}

Json to_json(const Setting& setting) {
  return Json::Object{
      {"date", setting.date},
      {"processor", setting.processor},
      {"processors", as_number(setting.processors)},
      {"affinity", as_number(setting.affinity)},
      {"quota", setting.quota},
      {"topology", to_json(setting.topology)},
      {"kernel", setting.kernel},
      {"load_before", setting.load_before},
      {"load_after", setting.load_after},
      {"stolen_percent", setting.stolen_percent},
      {"others_percent", setting.others_percent},
      {"compiler", setting.compiler},
      {"flags", setting.flags},
      {"versions", as_array(setting.versions, [](const std::string& version) { return Json(version); })},
      {"effort", setting.effort},
      {"seed", as_number(setting.seed)},
      {"rounds", as_number(setting.rounds)},
      {"threads", as_array(setting.threads, [](unsigned threads) { return Json(as_number(threads)); })},
      {"seconds", setting.seconds}};
}

Setting setting_from(const Json& json) {
  Setting setting;
  setting.date = json["date"].string();
  setting.processor = json["processor"].string();
  setting.processors = as_integer<unsigned>(json["processors"]);
  setting.affinity = as_integer<unsigned>(json["affinity"]);
  setting.quota = json["quota"].string();
  if (const Json* const topology = json.find("topology")) setting.topology = topology_from(*topology);
  setting.kernel = json["kernel"].string();
  setting.load_before = json["load_before"].string();
  setting.load_after = json["load_after"].string();
  setting.stolen_percent = json["stolen_percent"].number();
  setting.others_percent = json["others_percent"].number();
  setting.compiler = json["compiler"].string();
  setting.flags = json["flags"].string();
  setting.versions = from_array<std::string>(json["versions"], [](const Json& version) { return version.string(); });
  setting.effort = json["effort"].string();
  setting.seed = as_integer<std::uint64_t>(json["seed"]);
  setting.rounds = as_integer<unsigned>(json["rounds"]);
  setting.threads = from_array<unsigned>(json["threads"], as_integer<unsigned>);
  setting.seconds = json["seconds"].number();
  return setting;
}

// --- the summary: made anew from the samples when the file is read --------------------------------------------------------

Json verdicts(const Tally& tally) {
  return Json::Object{{"faster", as_number(tally.faster)},       {"slower", as_number(tally.slower)},
                      {"tie", as_number(tally.tie)},             {"not_known", as_number(tally.not_known)},
                      {"withheld", as_number(tally.withheld)},   {"no_result", as_number(tally.no_result)}};
}

Json to_json(const std::string& rival, unsigned threads, const FamilyTally& found) {
  return Json::Object{{"rows", name_of(found.family)},
                      {"rival", rival},
                      {"threads", as_number(threads)},
                      {"mean", found.mean.middle},
                      {"low", found.mean.low},
                      {"high", found.mean.high},
                      {"range_of", as_number(found.mean.range_of)},
                      {"verdicts", verdicts(found.tally)}};
}

Json summary(const Results& results) {
  Json::Array families;
  for (const std::string& rival : rivals(results)) {
    for (const unsigned threads : thread_counts(results)) {
      for (const FamilyTally& found : tallies_by_family(results, rival, threads)) families.push_back(to_json(rival, threads, found));
    }
  }
  return Json::Object{{"quiet", was_quiet(results.setting)},
                      {"notice", withheld_notice(results.setting)},
                      {"bounds", bounds_sentence(results)},
                      {"families", std::move(families)}};
}

}  // namespace

std::string to_json(const Results& results) {
  return Json(Json::Object{{"format", kFormat},
                           {"setting", to_json(results.setting)},
                           {"rows", as_array(results.rows, [](const Row& row) { return to_json(row); })},
                           {"figures", as_array(results.figures, [](const Figure& figure) { return to_json(figure); })},
                           {"failures", as_number(results.failures)},
                           {"summary", summary(results)}})
      .dump();
}

Results from_json(const std::string& text) {
  const Json json = Json::parse(text);
  if (json["format"].string() != kFormat)
    throw std::runtime_error("its format is \"" + json["format"].string() + "\", not \"" + kFormat + "\"");
  Results results{setting_from(json["setting"]), from_array<Row>(json["rows"], row_from),
                  from_array<Figure>(json["figures"], figure_from), as_integer<unsigned>(json["failures"])};
  if (results.setting.threads.empty()) throw std::runtime_error("no numbers of threads");
  return results;
}

}  // namespace bench
