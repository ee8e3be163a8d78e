// SPDX-License-Identifier: MIT
// The schema is for editors and for people; the parser decides. These tests keep the two from drifting apart.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/unit/platforms/corpus.hpp"

using namespace reprise::platforms;

namespace {

std::vector<std::string> sorted(std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  return words;
}

std::vector<std::string> keys_of(const nlohmann::json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, ignored] : object.items()) keys.push_back(key);
  return keys;
}

const nlohmann::json& definitions() {
  static const Document schema = load_document(REPRISE_PLATFORMS "/platform.schema.json");
  return schema.value.at("$defs");
}

}  // namespace

TEST_CASE("schema: each object has the parser's keys, the required ones required", "[platforms]") {
  for (const ObjectKeys& object : known_platform_keys()) {
    INFO(object.object);
    const nlohmann::json& definition = definitions().at(std::string(object.object));
    std::vector<std::string> required(object.required.begin(), object.required.end()),
        all = required;
    all.insert(all.end(), object.optional.begin(), object.optional.end());
    CHECK(keys_of(definition.at("properties")) == sorted(all));
    CHECK(sorted(definition.value("required", std::vector<std::string>{})) == sorted(required));
    CHECK(definition.at("additionalProperties") == false);
  }
}

TEST_CASE("schema: each closed object of the schema is known to the parser", "[platforms]") {
  std::vector<std::string> in_schema, in_parser;
  for (const auto& [name, definition] : definitions().items())
    if (definition.contains("properties")) in_schema.push_back(name);
  for (const ObjectKeys& object : known_platform_keys()) in_parser.emplace_back(object.object);
  CHECK(in_schema == sorted(in_parser));
}

TEST_CASE("schema: every reference leads to a definition", "[platforms]") {
  const std::string text = corpus::read(REPRISE_PLATFORMS "/platform.schema.json");
  const std::string mark = "\"$ref\": \"#/$defs/";
  std::size_t count = 0;
  for (std::size_t at = text.find(mark); at != std::string::npos;
       at = text.find(mark, at + 1), ++count) {
    const std::size_t begin = at + mark.size();
    CHECK(definitions().contains(text.substr(begin, text.find('"', begin) - begin)));
  }
  CHECK(count > 40);
}
