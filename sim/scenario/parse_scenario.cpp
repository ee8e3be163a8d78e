// SPDX-License-Identifier: MIT
// From JSON to a Scenario and its changes: which kind each is, and what it says.
#include <algorithm>
#include <array>

#include "platforms/json/document_kind.hpp"
#include "platforms/json/platform_keys.hpp"
#include "sim/number_ranges.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/scenario_keys.hpp"  // made of scenario.schema.json
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::sim {

using nlohmann::json;
using platforms::describe_value;
using platforms::JsonPlace;
using platforms::ObjectReader;

namespace {

constexpr std::uint64_t kMaxFanout = 65'536;
constexpr double kMostOften =
    1e-6;  // seconds; an hour of computing then has some 10⁹ interruptions

// A factor beyond these is a slip, and would take times out of what a double can tell apart.
constexpr double kLeastFactor = 1e-9, kMostFactor = 1e9;
constexpr const char* kHint = "write a number above zero, \"2x\" or \"25%\"";
constexpr const char* kFailedLink =
    "a link that fails is one of little bandwidth from \"from\" to \"to\", such as \"0.001%\": "
    "messages on it wait until \"to\"";
const char* hint_for(std::string_view key) { return key == "bandwidth" ? kFailedLink : kHint; }

double factor_in(const ObjectReader& reader, std::string_view key, const nlohmann::json& value,
                 LeastFactor least) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string())
    reader.refuse(key, "expected a factor, found " + describe_value(value), kHint);
  std::string text = value.get<std::string>();
  const bool is_percentage = text.ends_with('%');
  if (is_percentage) text.back() = 'x';
  if (!text.ends_with('x')) reader.refuse(key, '"' + text + "\" is not a factor", kHint);
  try {
    return parse_factor(text, "", least) * (is_percentage ? 0.01 : 1);
  } catch (const std::exception&) {
    reader.refuse(key, describe_value(value).substr(9) + " is not a factor above zero",
                  hint_for(key));
  }
}

// A plain number, "2x" or "25%".
double read_factor(ObjectReader& reader, std::string_view key,
                   LeastFactor least = LeastFactor::above_zero) {
  const nlohmann::json& value = reader.any(key);
  const double factor = factor_in(reader, key, value, least);
  if (factor == 0 && least == LeastFactor::zero) return 0;
  if (!(factor > 0)) reader.refuse(key, value.dump() + " is not above zero", hint_for(key));
  if (factor < kLeastFactor || factor > kMostFactor)
    reader.refuse(key, value.dump() + " is not between 1e-9 and 1e9");
  return factor;
}

// "0-3,8", or one number as it is.
NumberRanges read_ranges(ObjectReader& reader, std::string_view key) {
  const nlohmann::json& value = reader.any(key);
  const std::string where = reader.place().child(key).text();
  if (value.is_number_unsigned()) return parse_ranges(value.dump(), where);
  if (!value.is_string())
    reader.refuse(key, "expected numbers and ranges, found " + describe_value(value),
                  "write a text such as \"0-3,8\"");
  return parse_ranges(value.get<std::string>(), where);
}

SettingChange read_setting(ObjectReader& reader) {
  SettingChange change{reader.text("path"), std::nullopt, nullptr};
  if (!change.pointer.starts_with('/'))
    reader.refuse("path", '"' + change.pointer + "\" is not the path of a setting",
                  "write one such as \"/network/link/latency\"");
  if (reader.has("multiply_by") == reader.has("set_to"))
    throw InputError(reader.place().text(),
                     reader.has("set_to") ? "both \"multiply_by\" and \"set_to\""
                                          : "neither \"multiply_by\" nor \"set_to\"",
                     "use one of the two");
  if (reader.has("multiply_by"))
    change.multiply_by = read_factor(reader, "multiply_by");
  else
    change.set_to = reader.any("set_to");
  return change;
}

// "ipc" and "frequency"; none where neither is there.
std::optional<ProcessorChange> read_processor(ObjectReader& reader) {
  std::optional<ProcessorChange> change;
  const auto read = [&](const char* key, auto&& read_text) {
    if (!reader.has(key)) return;
    const json& value = reader.any(key);
    if (!change) change.emplace();
    read_text(*change, value.is_string() ? value.get<std::string>() : value.dump(),
              reader.place().child(key).text());
  };
  read("ipc", read_ipc);
  read("frequency", read_frequency);
  return change;
}

ComputeRule read_compute(ObjectReader& parent) {
  ComputeRule rule;
  rule.where = parent.place().text();
  ObjectReader reader(parent.any("compute"), parent.place().child("compute"), kComputeWhereKeys);
  using Calls = ComputeRule::Calls;
  using Part = ComputeRule::Part;
  struct Place {
    const char* key;
    Calls calls;
    Part part;
  };
  const char* before = nullptr;
  for (const auto& [key, calls, part] :
       {Place{"function", Calls::in_functions, Part::all},
        {"call_site", Calls::at_places, Part::all},
        {"inside_function", Calls::in_functions, Part::in_function},
        {"inside_function_exclusive", Calls::in_functions, Part::in_function_alone}})
    if (reader.has(key)) {
      if (before != nullptr)
        throw InputError(reader.place().text(),
                         "both \"" + std::string(before) + "\" and \"" + key + '"',
                         "use one of the two");
      before = key;
      rule.call = reader.text(key);
      rule.calls = calls;
      rule.part = part;
      rule.where = reader.place().child(key).text();
    }
  if (reader.has("ranks")) rule.ranks = read_ranges(reader, "ranks");
  if (reader.has("nodes")) rule.nodes = read_ranges(reader, "nodes");
  rule.processor = read_processor(reader);
  reader.finish();
  if (!rule.processor) {
    rule.factor = read_factor(parent, "multiply_by", LeastFactor::zero);  // as --compute 0x
    return rule;
  }
  if (before != nullptr || parent.has("multiply_by"))
    throw InputError(reader.place().text(),
                     "\"ipc\" or \"frequency\", and \"" +
                         std::string(before != nullptr ? before : "multiply_by") + '"',
                     "another processor applies to the whole program: make two changes");
  rule.factor = rule.processor->factor();
  return rule;
}

TimeSpan read_span(ObjectReader& reader) {
  TimeSpan span;
  if (reader.has("from")) span.from = reader.seconds("from").value;
  if (reader.has("to")) span.to = reader.seconds("to").value;
  if (span.to <= span.from)
    reader.refuse("to", "not after \"from\"", "leave it out if the change lasts to the end");
  return span;
}

LinkChange read_link(ObjectReader& reader) {
  LinkChange change;
  change.where = reader.place().text();
  change.links = reader.text("link");
  if (!reader.has("bandwidth") && !reader.has("latency"))
    throw InputError(reader.place().text(), "neither \"bandwidth\" nor \"latency\"",
                     "give the change, such as \"bandwidth\": \"25%\"");
  if (reader.has("cables")) change.cables = read_ranges(reader, "cables");
  if (reader.has("cables") && change.links.starts_with("node:"))
    reader.refuse("cables", "\"" + change.links + "\" already selects links",
                  "leave one of the two out");
  change.when = read_span(reader);
  if (reader.has("bandwidth")) change.bandwidth = read_factor(reader, "bandwidth");
  if (reader.has("latency")) change.latency = read_factor(reader, "latency");
  return change;
}

NodeChange read_node(ObjectReader& reader) {
  NodeChange change;
  change.where = reader.place().text();
  change.nodes = read_ranges(reader, "node");
  change.when = read_span(reader);
  change.compute = read_factor(reader, "compute");
  return change;
}

NoiseChange read_noise(ObjectReader& parent) {
  NoiseChange change;
  change.where = parent.place().text();
  ObjectReader reader(parent.any("noise"), parent.place().child("noise"), kNoiseSourceKeys);
  change.every = reader.seconds("every").value;
  if (change.every < kMostOften)
    reader.refuse("every", describe_value(reader.any("every")).substr(9) + " is less than 1 us");
  change.duration = reader.seconds("duration").value;
  if (change.duration <= 0) reader.refuse("duration", "not above zero");
  if (reader.has("arrivals"))
    change.arrivals =
        static_cast<NoiseChange::Arrivals>(reader.choice("arrivals", kNoiseSourceArrivalsNames));
  if (reader.has("ranks")) change.ranks = read_ranges(reader, "ranks");
  if (reader.has("nodes")) change.nodes = read_ranges(reader, "nodes");
  reader.finish();
  return change;
}

// The operations for which a platform file may name algorithms.
std::vector<std::string_view> operations() {
  std::vector<std::string_view> names;
  for (const auto key : platforms::kCollectivesKeys.keys)
    if (key != "selection" && key != "source") names.push_back(key);
  return names;
}

CollectiveChange read_collective(ObjectReader& parent) {
  CollectiveChange change;
  ObjectReader reader(parent.any("collective"), parent.place().child("collective"),
                      kCollectiveWhereKeys);
  const auto names = operations();
  change.operation = names[reader.choice("operation", names)];
  if (reader.has("above")) change.above = reader.bytes("above");
  if (reader.has("up_to")) change.up_to = reader.bytes("up_to");
  if (change.up_to && change.above && *change.up_to <= *change.above)
    reader.refuse("up_to", "not above \"above\"",
                  "the change applies to sizes above \"above\", up to \"up_to\"");
  reader.finish();
  change.algorithm = parent.text("algorithm");
  if (parent.has("segment")) change.segment = parent.bytes("segment");
  if (parent.has("fanout"))
    change.fanout = static_cast<std::uint32_t>(parent.count("fanout", 1, kMaxFanout));
  return change;
}

PlacementChange read_placement(ObjectReader& reader) { return {reader.text("placement")}; }

NetworkChange read_network(ObjectReader& reader) {
  return {static_cast<NetworkKind>(reader.choice("network", network_names()))};
}

MemoryTrafficChange read_memory_traffic(ObjectReader& reader) {
  return {reader.bandwidth("memory_traffic")};
}

template <auto kRead>
void read_into(ObjectReader& reader, Change& change) {
  change.what = kRead(reader);
}

// The key that tells the kind; `compute` is also a key of others, so it comes last.
struct Kind {
  std::string_view key;
  std::span<const std::string_view> keys;
  void (*read)(ObjectReader&, Change&);
};
constexpr std::array<Kind, 9> kKinds{
    {{"path", kSettingChangeKeys.keys, read_into<read_setting>},
     {"link", kLinkChangeKeys.keys, read_into<read_link>},
     {"node", kNodeChangeKeys.keys, read_into<read_node>},
     {"noise", kNoiseChangeKeys.keys, read_into<read_noise>},
     {"collective", kCollectiveChangeKeys.keys, read_into<read_collective>},
     {"placement", kPlacementChangeKeys.keys, read_into<read_placement>},
     {"network", kNetworkChangeKeys.keys, read_into<read_network>},
     {"memory_traffic", kMemoryTrafficChangeKeys.keys, read_into<read_memory_traffic>},
     {"compute", kComputeChangeKeys.keys, read_into<read_compute>}}};

[[noreturn]] void refuse_kind(const json& value, const JsonPlace& place) {
  std::vector<std::string> names;
  std::string list;
  for (const Kind& kind : kKinds) {
    names.emplace_back(kind.key);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  for (const auto& [key, ignored] : value.items())
    if (const auto nearest = nearest_word(key, names))
      throw InputError(place.text(), "unknown key \"" + key + '"',
                       "did you mean \"" + *nearest + "\"?");
  throw InputError(place.text(), "no key names what to change", "one of: " + list);
}

}  // namespace

Change parse_change(const json& value, const JsonPlace& place) {
  if (!value.is_object())
    throw InputError(place.text(), "expected an object, found " + describe_value(value));
  const auto kind = std::find_if(kKinds.begin(), kKinds.end(),
                                 [&](const Kind& one) { return value.contains(one.key); });
  if (kind == kKinds.end()) refuse_kind(value, place);
  Change change{place, value, {}};
  ObjectReader reader(value, place, kind->keys);
  kind->read(reader, change);
  reader.finish();
  return change;
}

std::vector<Change> parse_changes(const json& list, const JsonPlace& place) {
  if (!list.is_array())
    throw InputError(place.text(), "expected a list, found " + describe_value(list));
  std::vector<Change> changes;
  for (std::size_t i = 0; i < list.size(); ++i)
    changes.push_back(parse_change(list[i], place.child(i)));
  return changes;
}

Scenario parse_scenario(const platforms::Document& document) {
  refuse_other_kind(document, platforms::DocumentKind::scenario);
  platforms::ObjectReader reader(document.value, {document.file, ""}, kScenarioKeys);
  reader.expect_format_1();
  Scenario scenario{document.file, reader.text("name"), "", {}};
  if (reader.has("question")) scenario.question = reader.text("question");
  if (reader.has("$schema")) reader.text("$schema");
  scenario.changes = parse_changes(reader.any("changes"), reader.place().child("changes"));
  reader.finish();
  return scenario;
}

Scenario load_scenario(const std::string& path) {
  return parse_scenario(platforms::load_json(path));
}

}  // namespace reprise::sim
