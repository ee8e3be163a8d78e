// SPDX-License-Identifier: MIT
// From JSON to a Change: which kind it is, and the keys of each kind.
#include <algorithm>
#include <array>

#include "platforms/load_parts.hpp"
#include "sim/scenario/change_reader.hpp"
#include "sim/scenario/scenario.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"

namespace reprise::sim {

using nlohmann::json;
using platforms::describe_value;
using platforms::JsonPlace;
using platforms::KeyList;
using platforms::ObjectReader;

namespace {

constexpr KeyList<3> kSettingKeys{{"path", "multiply_by", "set_to"}, 1};
constexpr KeyList<2> kComputeKeys{{"compute", "multiply_by"}, 2};
constexpr KeyList<4> kComputeWhereKeys{{"function", "call_site", "ranks", "nodes"}, 0};
constexpr KeyList<6> kLinkKeys{{"link", "cables", "from", "to", "bandwidth", "latency"}, 1};
constexpr KeyList<4> kNodeKeys{{"node", "compute", "from", "to"}, 2};
constexpr KeyList<1> kNoiseKeys{{"noise"}, 1};
constexpr KeyList<5> kNoiseSourceKeys{{"every", "duration", "arrivals", "ranks", "nodes"}, 2};
constexpr KeyList<4> kCollectiveKeys{{"collective", "algorithm", "segment", "fanout"}, 2};
constexpr KeyList<3> kCollectiveWhereKeys{{"operation", "above", "up_to"}, 1};
constexpr KeyList<1> kPlacementKeys{{"placement"}, 1};
constexpr KeyList<1> kNetworkKeys{{"network"}, 1};

constexpr std::array<std::string_view, 2> kArrivalNames{"periodic", "random"};
constexpr std::uint64_t kMaxFanout = 65'536;
constexpr double kMostOften =
    1e-6;  // seconds; an hour of computing then has some 10⁹ interruptions

SettingChange read_setting(ObjectReader& reader) {
  SettingChange change{reader.text("path"), std::nullopt, nullptr};
  if (!change.pointer.starts_with('/'))
    reader.refuse("path", '"' + change.pointer + "\" is not a path of a setting",
                  "write one such as \"/network/link/latency\"");
  if (reader.has("multiply_by") == reader.has("set_to"))
    throw InputError(reader.place().text(),
                     reader.has("set_to") ? "both \"multiply_by\" and \"set_to\""
                                          : "neither \"multiply_by\" nor \"set_to\"",
                     "say one of the two");
  if (reader.has("multiply_by"))
    change.multiply_by = read_factor(reader, "multiply_by");
  else
    change.set_to = reader.any("set_to");
  return change;
}

ComputeRule read_compute(ObjectReader& parent) {
  ComputeRule rule;
  rule.where = parent.place().text();
  ObjectReader reader(parent.any("compute"), parent.place().child("compute"),
                      kComputeWhereKeys.keys);
  if (reader.has("function") && reader.has("call_site"))
    throw InputError(reader.place().text(), "both \"function\" and \"call_site\"",
                     "say one of the two");
  for (const auto& [key, calls] : {std::pair{"function", ComputeRule::Calls::in_functions},
                                   {"call_site", ComputeRule::Calls::at_places}})
    if (reader.has(key)) {
      rule.call = reader.text(key);
      rule.calls = calls;
      rule.where = reader.place().child(key).text();
    }
  if (reader.has("ranks")) rule.ranks = read_ranges(reader, "ranks");
  if (reader.has("nodes")) rule.nodes = read_ranges(reader, "nodes");
  reader.finish();
  rule.factor = read_factor(parent, "multiply_by");
  return rule;
}

TimeSpan read_span(ObjectReader& reader) {
  TimeSpan span;
  if (reader.has("from")) span.from = reader.seconds("from").value;
  if (reader.has("to")) span.to = reader.seconds("to").value;
  if (span.to <= span.from)
    reader.refuse("to", "not after \"from\"", "leave it out where the change lasts");
  return span;
}

LinkChange read_link(ObjectReader& reader) {
  LinkChange change;
  change.where = reader.place().text();
  change.links = reader.text("link");
  if (!reader.has("bandwidth") && !reader.has("latency"))
    throw InputError(reader.place().text(), "neither \"bandwidth\" nor \"latency\"",
                     "say what is different, such as \"bandwidth\": \"25%\"");
  if (reader.has("cables")) change.cables = read_ranges(reader, "cables");
  if (reader.has("cables") && change.links.starts_with("node:"))
    reader.refuse("cables", "\"" + change.links + "\" are links already",
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
  ObjectReader reader(parent.any("noise"), parent.place().child("noise"), kNoiseSourceKeys.keys);
  change.every = reader.seconds("every").value;
  if (change.every < kMostOften)
    reader.refuse("every", describe_value(reader.any("every")).substr(9) + " is less than 1 us");
  change.duration = reader.seconds("duration").value;
  if (change.duration <= 0) reader.refuse("duration", "not above zero");
  if (reader.has("arrivals"))
    change.arrivals = static_cast<NoiseChange::Arrivals>(reader.choice("arrivals", kArrivalNames));
  if (reader.has("ranks")) change.ranks = read_ranges(reader, "ranks");
  if (reader.has("nodes")) change.nodes = read_ranges(reader, "nodes");
  reader.finish();
  return change;
}

// The operations for which a platform file may name algorithms.
std::vector<std::string_view> operations() {
  std::vector<std::string_view> names;
  for (const auto& object : platforms::known_platform_keys())
    if (object.object == "collectives")
      for (const auto key : object.optional)
        if (key != "selection" && key != "source") names.push_back(key);
  return names;
}

CollectiveChange read_collective(ObjectReader& parent) {
  CollectiveChange change;
  ObjectReader reader(parent.any("collective"), parent.place().child("collective"),
                      kCollectiveWhereKeys.keys);
  const auto names = operations();
  change.operation = names[reader.choice("operation", names)];
  if (reader.has("above")) change.above = reader.bytes("above");
  if (reader.has("up_to")) change.up_to = reader.bytes("up_to");
  if (change.up_to && change.above && *change.up_to <= *change.above)
    reader.refuse("up_to", "not above \"above\"",
                  "the change holds for sizes above the one and up to the other");
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
constexpr std::array<Kind, 8> kKinds{
    {{"path", kSettingKeys.keys, read_into<read_setting>},
     {"link", kLinkKeys.keys, read_into<read_link>},
     {"node", kNodeKeys.keys, read_into<read_node>},
     {"noise", kNoiseKeys.keys, read_into<read_noise>},
     {"collective", kCollectiveKeys.keys, read_into<read_collective>},
     {"placement", kPlacementKeys.keys, read_into<read_placement>},
     {"network", kNetworkKeys.keys, read_into<read_network>},
     {"compute", kComputeKeys.keys, read_into<read_compute>}}};

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
  throw InputError(place.text(), "no key says what is changed", "one of: " + list);
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

std::vector<platforms::ObjectKeys> known_change_keys() {
  using platforms::object_keys;
  return {object_keys("setting_change", kSettingKeys),
          object_keys("compute_change", kComputeKeys),
          object_keys("compute_where", kComputeWhereKeys),
          object_keys("link_change", kLinkKeys),
          object_keys("node_change", kNodeKeys),
          object_keys("noise_change", kNoiseKeys),
          object_keys("noise_source", kNoiseSourceKeys),
          object_keys("collective_change", kCollectiveKeys),
          object_keys("collective_where", kCollectiveWhereKeys),
          object_keys("placement_change", kPlacementKeys),
          object_keys("network_change", kNetworkKeys)};
}

}  // namespace reprise::sim
