// SPDX-License-Identifier: MIT
// The schema is for editors and for people; the parser decides. These tests keep the two from drifting apart.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"

using namespace reprise;

namespace {

std::vector<std::string> sorted(std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  return words;
}

const nlohmann::json& definitions() {
  static const platforms::Document schema =
      platforms::load_document(REPRISE_SCENARIO "/scenario.schema.json");
  return schema.value.at("$defs");
}

}  // namespace

TEST_CASE("scenario schema: each object has the parser's keys, the required ones required",
          "[scenario]") {
  for (const auto& object : sim::known_scenario_keys()) {
    INFO(object.object);
    const nlohmann::json& definition = definitions().at(std::string(object.object));
    std::vector<std::string> required(object.required.begin(), object.required.end()),
        all = required, in_schema;
    all.insert(all.end(), object.optional.begin(), object.optional.end());
    for (const auto& [key, ignored] : definition.at("properties").items()) in_schema.push_back(key);
    CHECK(in_schema == sorted(all));
    CHECK(sorted(definition.value("required", std::vector<std::string>{})) == sorted(required));
    CHECK(definition.at("additionalProperties") == false);
  }
}

TEST_CASE(
    "scenario schema: each object of the schema is known to the parser, each change is one of the "
    "list",
    "[scenario]") {
  std::vector<std::string> in_schema, in_parser, changes, listed;
  for (const auto& [name, definition] : definitions().items()) {
    if (definition.contains("properties")) in_schema.push_back(name);
    if (name.ends_with("_change")) changes.push_back("#/$defs/" + name);
  }
  for (const auto& object : sim::known_scenario_keys()) in_parser.emplace_back(object.object);
  for (const auto& one : definitions().at("change").at("oneOf")) listed.push_back(one.at("$ref"));
  CHECK(in_schema == sorted(in_parser));
  CHECK(sorted(listed) == changes);
}
