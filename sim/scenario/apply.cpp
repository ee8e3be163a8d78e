// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "platforms/load.hpp"
#include "platforms/override.hpp"
#include "platforms/routes.hpp"
#include "sim/collectives/selection.hpp"
#include "sim/engine/compute/disturbances.hpp"
#include "sim/network/link_conditions.hpp"
#include "sim/scenario/collective_rules.hpp"
#include "sim/scenario/scenario.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::sim {
namespace {

using nlohmann::json;

std::string times(double factor) {
  char text[32];
  std::snprintf(text, sizeof text, " × %g", factor);
  return text;
}

std::string sizes(const CollectiveChange& change) {
  std::string text;
  if (change.above) text += " above " + to_text(*change.above);
  if (change.up_to) text += (text.empty() ? " up to " : " and up to ") + to_text(*change.up_to);
  return text;
}

std::string in_words(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

struct InWords {
  std::string operator()(const SettingChange& change) const {
    return change.pointer +
           (change.multiply_by ? times(*change.multiply_by) : " = " + in_words(change.set_to));
  }
  std::string operator()(const ComputeRule& rule) const { return describe(rule); }
  std::string operator()(const LinkChange& change) const {
    std::string text;
    if (change.bandwidth != 1) text += "bandwidth" + times(change.bandwidth);
    if (change.latency != 1)
      text += (text.empty() ? "" : ", ") + std::string("latency") + times(change.latency);
    const std::string cables = change.cables.empty() ? "" : " " + to_text(change.cables);
    return change.links + " links" + cables + ": " + (text.empty() ? "unchanged" : text) +
           in_words(change.when);
  }
  std::string operator()(const NodeChange& change) const {
    return "every compute time on nodes " + to_text(change.nodes) + times(change.compute) +
           in_words(change.when);
  }
  std::string operator()(const NoiseChange& change) const {
    const bool is_random = change.arrivals == NoiseChange::Arrivals::random;
    std::string text = "noise of " + to_text(Seconds{change.duration}) + " every " +
                       to_text(Seconds{change.every}) +
                       (is_random ? " of computing, both at random" : " of computing");
    if (!change.ranks.empty()) text += ", ranks " + to_text(change.ranks);
    if (!change.nodes.empty()) text += ", nodes " + to_text(change.nodes);
    return text;
  }
  std::string operator()(const CollectiveChange& change) const {
    return change.operation + sizes(change) + " by " + change.algorithm;
  }
  std::string operator()(const PlacementChange& change) const { return "placement " + change.how; }
  std::string operator()(const NetworkChange& change) const {
    return "network " + std::string(name_of(change.kind));
  }
  std::string operator()(const MemoryTrafficChange& change) const {
    return describe_memory_traffic(change.rate);
  }
};

class Applying {
 public:
  Applying(platforms::Document& document, ReplaySettings& settings, AppliedChanges& applied)
      : document_(document), settings_(settings), applied_(applied) {}

  void operator()(const SettingChange& change) {
    if (change.multiply_by)
      return multiply_value(document_, change.pointer, *change.multiply_by, place("path"));
    const json before = document_.value;
    set_value(document_, change.pointer, change.set_to.dump(), place("path"));
    if (document_.value == before)
      has_no_effect(change.pointer + " is " + in_words(change.set_to) + " already");
  }

  void operator()(const ComputeRule& rule) { settings_.compute.push_back(rule); }

  void operator()(const LinkChange& change) {
    auto platform = platforms::parse_platform(document_);
    std::vector<platforms::Cable> cables = node_links(platform);
    for (auto& cable : network_links(platform)) cables.push_back(std::move(cable));
    const auto found = std::find_if(cables.begin(), cables.end(), [&](const auto& cable) {
      return !cable.name.empty() &&
             (cable.name == change.links || cable.link_class == change.links);
    });
    if (found == cables.end() || !change.cables.empty() || !change.when.is_always()) {
      links_named(*make_route_table(platform), change);  // or it is refused here, where it stands
      settings_.conditions.links.push_back(change);
      return;
    }
    if (change.bandwidth != 1) multiply_cable(*found, "bandwidth", change.bandwidth);
    if (change.latency != 1) multiply_cable(*found, "latency", change.latency);
  }

  void operator()(const NodeChange& change) {
    if (!change.when.is_always()) return settings_.conditions.nodes.push_back(change);
    ComputeRule rule;
    rule.where = change.where;
    rule.nodes = change.nodes;
    rule.factor = change.compute;
    settings_.compute.push_back(rule);
  }

  void operator()(const NoiseChange& change) { settings_.conditions.noise.push_back(change); }

  void operator()(const CollectiveChange& change) {
    platforms::parse_platform(document_);  // what follows needs a sound document
    set_algorithm(document_, change);
    try {
      Selection(platforms::parse_platform(document_), "");
    } catch (const InputError& error) {
      throw InputError(place("algorithm"), error.problem(), error.hint());
    }
  }

  void operator()(const PlacementChange& change) {
    const auto beside = std::filesystem::path(now_->place.file).parent_path() / change.how;
    std::error_code ignored;
    const bool is_file = std::filesystem::is_regular_file(beside, ignored);
    settings_.placement = load_placement(is_file ? beside.string() : change.how,
                                         platforms::parse_platform(document_), place("placement"));
  }

  void operator()(const NetworkChange& change) {
    if (settings_.network == change.kind)
      has_no_effect("the network is " + std::string(name_of(change.kind)) + " already");
    settings_.network = change.kind;
  }

  void operator()(const MemoryTrafficChange& change) { settings_.memory_traffic = change.rate; }

  void apply(const Change& change) {
    now_ = &change;
    std::visit(*this, change.what);
  }

 private:
  // KEY ("bandwidth" or "latency") of that cable and of no other. Where the file has no figures of its own for it, it gets them.
  void multiply_cable(const platforms::Cable& cable, const std::string& key, double factor) {
    json& object = document_.value[json::json_pointer(cable.pointer)];
    if (object.is_object() && object.contains(key))
      return multiply_value(document_, cable.pointer + '/' + key, factor, place(key));
    object[key] = key == "latency" ? to_text(cable.link->latency * factor)
                                   : to_text(BytesPerSecond{cable.link->bandwidth.value * factor});
  }
  std::string place(std::string_view key) const { return now_->place.child(key).text(); }
  void has_no_effect(const std::string& why) {
    applied_.no_effect.push_back(now_->place.text() + ": " + why);
  }

  platforms::Document& document_;
  ReplaySettings& settings_;
  AppliedChanges& applied_;
  const Change* now_ = nullptr;
};

}  // namespace

std::string describe_memory_traffic(BytesPerSecond rate) {
  return "each rank moves " + to_text(rate) + " to and from memory while it computes";
}

std::string describe(const Change& change) { return std::visit(InWords{}, change.what); }

AppliedChanges apply(std::span<const Change> changes, platforms::Document& platform,
                     ReplaySettings& settings) {
  AppliedChanges applied;
  Applying applying(platform, settings, applied);
  for (const Change& change : changes) {
    applying.apply(change);
    applied.changes.push_back(describe(change));
  }
  return applied;
}

std::vector<std::string> placements_without_effect(std::span<const Change> changes,
                                                   const platforms::Platform& platform,
                                                   const platforms::SettingsUse& used) {
  const Change* placed = nullptr;  // the last one decides
  for (const Change& change : changes)
    if (std::holds_alternative<PlacementChange>(change.what)) placed = &change;
  if (placed == nullptr || std::get<PlacementChange>(placed->what).how == "block") return {};
  if (platforms::place_ranks(static_cast<std::uint32_t>(used.places.size()), platform, {}) !=
      used.places)
    return {};
  return {placed->place.text() + ": it places every rank as block does"};
}

}  // namespace reprise::sim
