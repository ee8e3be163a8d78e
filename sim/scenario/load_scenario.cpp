// SPDX-License-Identifier: MIT
#include "platforms/load_parts.hpp"
#include "sim/scenario/known_keys.hpp"
#include "sim/scenario/scenario.hpp"

namespace reprise::sim {
namespace {
constexpr platforms::KeyList<5> kScenarioKeys{{"format", "name", "changes", "question", "$schema"},
                                              3};
}

Scenario parse_scenario(const platforms::Document& document) {
  platforms::ObjectReader reader(document.value, {document.file, ""}, kScenarioKeys.keys);
  const std::uint64_t format = reader.count("format", 1, 1'000'000);
  if (format != 1)
    reader.refuse("format", "format " + std::to_string(format) + " is unknown",
                  "this version reads format 1");
  Scenario scenario{document.file, reader.text("name"), "", {}};
  if (reader.has("question")) scenario.question = reader.text("question");
  if (reader.has("$schema")) reader.text("$schema");
  scenario.changes = parse_changes(reader.any("changes"), reader.place().child("changes"));
  reader.finish();
  return scenario;
}

Scenario load_scenario(const std::string& path) {
  return parse_scenario(platforms::load_document(path));
}

std::vector<platforms::ObjectKeys> known_scenario_keys() {
  auto keys = known_change_keys();
  keys.push_back(platforms::object_keys("scenario", kScenarioKeys));
  return keys;
}

}  // namespace reprise::sim
