// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "platforms/load.hpp"
#include "platforms/override.hpp"
#include "sim/collectives/selection.hpp"
#include "sim/scenario/cables.hpp"
#include "sim/scenario/collective_rules.hpp"
#include "sim/scenario/scenario.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"
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

std::string in_words(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

struct InWords {
  std::string operator()(const SettingChange& change) const {
    return change.pointer + (change.multiply_by ? times(*change.multiply_by) : " = " + in_words(change.set_to));
  }
  std::string operator()(const ComputeRule& rule) const { return describe(rule); }
  std::string operator()(const LinkChange& change) const {
    std::string text;
    if (change.bandwidth != 1) text += "bandwidth" + times(change.bandwidth);
    if (change.latency != 1) text += (text.empty() ? "" : ", ") + std::string("latency") + times(change.latency);
    return change.links + " links: " + (text.empty() ? "as they are" : text);
  }
  std::string operator()(const CollectiveChange& change) const {
    return change.operation + sizes(change) + " by " + change.algorithm;
  }
  std::string operator()(const PlacementChange& change) const { return "placement " + change.how; }
  std::string operator()(const NetworkChange& change) const { return "network " + std::string(name_of(change.kind)); }
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
    if (document_.value == before) has_no_effect(change.pointer + " is " + in_words(change.set_to) + " already");
  }

  void operator()(const ComputeRule& rule) { settings_.compute.push_back(rule); }

  void operator()(const LinkChange& change) {
    const auto cables = cables_of(platforms::parse_platform(document_));
    const auto found = std::find_if(cables.begin(), cables.end(), [&](const Cable& cable) { return cable.name == change.links; });
    if (found == cables.end()) refuse_links(change.links, cables);
    if (change.bandwidth != 1) multiply_cable(document_, *found, "bandwidth", change.bandwidth, place("bandwidth"));
    if (change.latency != 1) multiply_cable(document_, *found, "latency", change.latency, place("latency"));
  }

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
    settings_.placement =
        load_placement(is_file ? beside.string() : change.how, platforms::parse_platform(document_), place("placement"));
  }

  void operator()(const NetworkChange& change) {
    if (settings_.network == change.kind) has_no_effect("the network is " + std::string(name_of(change.kind)) + " already");
    settings_.network = change.kind;
  }

  void apply(const Change& change) {
    now_ = &change;
    std::visit(*this, change.what);
  }

 private:
  std::string place(std::string_view key) const { return now_->place.child(key).text(); }
  void has_no_effect(const std::string& why) { applied_.no_effect.push_back(now_->place.text() + ": " + why); }

  [[noreturn]] void refuse_links(const std::string& name, const std::vector<Cable>& cables) const {
    std::vector<std::string> names;
    std::string list;
    for (const Cable& cable : cables) {
      names.push_back(cable.name);
      list += (list.empty() ? "" : ", ") + cable.name;
    }
    const auto nearest = nearest_word(name, names);
    throw InputError(place("link"), "the platform has no links \"" + name + '"',
                     nearest ? "did you mean \"" + *nearest + "\"?" : "there are: " + list);
  }

  platforms::Document& document_;
  ReplaySettings& settings_;
  AppliedChanges& applied_;
  const Change* now_ = nullptr;
};

}  // namespace

std::string describe(const Change& change) { return std::visit(InWords{}, change.what); }

AppliedChanges apply(std::span<const Change> changes, platforms::Document& platform, ReplaySettings& settings) {
  AppliedChanges applied;
  Applying applying(platform, settings, applied);
  for (const Change& change : changes) {
    applying.apply(change);
    applied.changes.push_back(describe(change));
  }
  return applied;
}

}  // namespace reprise::sim
