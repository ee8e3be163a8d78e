// SPDX-License-Identifier: MIT
// The schema is for editors and for people; the parser decides. These tests keep the two from drifting apart.
#include <algorithm>
#include <catch2/catch.hpp>

#include "platforms/json/document.hpp"
#include "sim/study/study_file.hpp"

namespace {

std::vector<std::string> sorted(std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  return words;
}

nlohmann::json definitions() {
  return reprise::platforms::load_document(REPRISE_STUDY_SCHEMA).value.at("$defs");
}

}  // namespace

TEST_CASE("schema: each object has the parser's keys, the required ones required", "[study]") {
  const auto defined = definitions();
  for (const auto& object : reprise::sim::known_study_keys()) {
    INFO(object.object);
    const auto& definition = defined.at(std::string(object.object));
    std::vector<std::string> required(object.required.begin(), object.required.end()),
        all = required, properties;
    all.insert(all.end(), object.optional.begin(), object.optional.end());
    for (const auto& [key, ignored] : definition.at("properties").items())
      properties.push_back(key);
    CHECK(properties == sorted(all));
    CHECK(sorted(definition.value("required", std::vector<std::string>{})) == sorted(required));
    CHECK(definition.at("additionalProperties") == false);
  }
}

TEST_CASE("schema: each closed object of the schema is known to the parser", "[study]") {
  std::vector<std::string> in_schema, in_parser;
  const auto defined = definitions();
  for (const auto& [name, definition] : defined.items())
    if (definition.contains("additionalProperties") && definition["additionalProperties"] == false)
      in_schema.push_back(name);
  for (const auto& object : reprise::sim::known_study_keys()) in_parser.emplace_back(object.object);
  CHECK(in_schema == sorted(in_parser));
}
