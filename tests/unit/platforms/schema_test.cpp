// SPDX-License-Identifier: MIT
// The parser's key lists are made of the schema. What a list does not say, types, limits and which objects stand where, is held here.
#include <catch2/catch.hpp>
#include <filesystem>

#include "platforms/topologies/registry.hpp"
#include "tests/unit/platforms/corpus.hpp"
#include "tests/unit/platforms/schema_check.hpp"

using namespace reprise::platforms;

namespace {

constexpr const char* kSchema = REPRISE_PLATFORMS "/platform.schema.json";

// A machine for each example that the schema gives of a topology.
std::vector<Document> examples(const SchemaCheck& schema) {
  std::vector<Document> documents;
  for (const std::string_view kind : topology_kinds())
    for (const auto& topology : schema.definitions().at(std::string(kind)).at("examples")) {
      documents.push_back(corpus::document("accepted/star.json"));
      documents.back().file = REPRISE_CORPUS "/accepted/star.json";  // others may be beside it
      documents.back().value["nodes"]["count"] = 4U;                 // as a file's would be
      documents.back().value["network"]["topology"] = topology;
    }
  return documents;
}

}  // namespace

// The parser asserts that it reads every key which is there, so what an accepted file has, both know.
TEST_CASE("schema: it accepts what the parser accepts, and the parser reads every key of it",
          "[platforms]") {
  SchemaCheck schema(kSchema);
  std::vector<Document> documents = examples(schema);
  for (const char* folder : {REPRISE_CORPUS "/accepted", REPRISE_PLATFORMS "/machines"})
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      documents.push_back(load_json(entry.path().string()));
  for (const Document& document : documents) {
    INFO(document.file << document.value.dump());
    CHECK_NOTHROW(parse_platform(document));
    CHECK(schema.accepts(document.value));
  }
  CHECK(schema.unmet() == std::set<std::string>{});
}

TEST_CASE("schema: it refuses misspelt keys, wrong types and values out of range", "[platforms]") {
  SchemaCheck schema(kSchema);
  const std::string pointers[] = {"/nodes/count", "/network/link/latency", "/mpi/eager_limit"};
  const Document sound = corpus::document("accepted/star.json");
  REQUIRE(schema.accepts(sound.value));
  for (const std::string& pointer : pointers) {
    nlohmann::json wrong = sound.value;
    wrong[nlohmann::json::json_pointer(pointer)] = -1;
    CHECK_FALSE(schema.accepts(wrong));
    wrong = sound.value;
    wrong[nlohmann::json::json_pointer(pointer + "s")] = 1;
    CHECK_FALSE(schema.accepts(wrong));
  }
}

TEST_CASE("schema: the topologies are those of the registry", "[platforms]") {
  const SchemaCheck schema(kSchema);
  std::vector<std::string> kinds;
  for (const auto& one :
       schema.definitions().at("network").at("properties").at("topology")["oneOf"]) {
    const auto name = one.at("$ref").get<std::string>().substr(8);
    kinds.push_back(name);
    CHECK(schema.definitions().at(name).at("properties").at("kind").at("const") == name);
  }
  const auto known = topology_kinds();
  CHECK(kinds == std::vector<std::string>(known.begin(), known.end()));
}
