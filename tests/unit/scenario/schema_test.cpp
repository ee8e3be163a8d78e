// SPDX-License-Identifier: MIT
// The parser's key lists are made of the schema. What a list does not say, which changes there are and their types, is held here.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "sim/network/network_model.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/unit/platforms/schema_check.hpp"

using namespace reprise;

namespace {

constexpr const char* kSchema = REPRISE_SCENARIO "/scenario.schema.json";

// Each kind of change with all of its keys.
constexpr const char* kEveryKey =
    R"({"$schema": "x", "format": 1, "name": "s", "question": "q", "changes": [
  {"path": "/network/link/latency", "multiply_by": 2}, {"path": "/mpi/eager_limit", "set_to": "16 KiB"},
  {"compute": {"function": "f", "ranks": "0-3", "nodes": 1}, "multiply_by": "50%"},
  {"compute": {"call_site": "a.c:3"}, "multiply_by": 0.5},
  {"compute": {"inside_function": "dgemm*"}, "multiply_by": 0.5},
  {"compute": {"ipc": 1.5, "frequency": "3.2 GHz"}},
  {"compute": {"inside_function_exclusive": "solve"}, "multiply_by": 0.5},
  {"link": "node", "cables": "0-3", "from": "1 s", "to": "2 s", "bandwidth": "2x", "latency": 0.5},
  {"node": "0-3", "compute": 2, "from": "1 s", "to": "2 s"},
  {"noise": {"every": "1 ms", "duration": "1 us", "arrivals": "random", "ranks": 1, "nodes": "0,2"}},
  {"collective": {"operation": "bcast", "above": "1 KiB", "up_to": "1 MiB"}, "algorithm": "chain", "segment": "8 KiB", "fanout": 2},
  {"placement": "cyclic"}, {"network": "queue"}, {"memory_traffic": "8 GB/s"}]})";

}  // namespace

// The parser asserts that it reads every key which is there, so what an accepted file has, both know.
TEST_CASE(
    "scenario schema: it accepts what the parser accepts, and the parser reads every key of it",
    "[scenario]") {
  SchemaCheck schema(kSchema);
  std::vector<platforms::Document> documents{platforms::parse_document(kEveryKey, "s.json")};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(REPRISE_SCENARIOS))
    if (entry.path().extension() == ".json") {
      auto document = platforms::load_json(entry.path().string());
      if (document.value.contains("changes") && !document.value.contains("trace"))
        documents.push_back(std::move(document));
    }
  CHECK(documents.size() == 5);
  for (const auto& document : documents) {
    INFO(document.file);
    CHECK_NOTHROW(sim::parse_scenario(document));
    CHECK(schema.accepts(document.value));
  }
  CHECK(schema.unmet() == std::set<std::string>{});
}

TEST_CASE("scenario schema: each change of it is one of the list, and told apart from the others",
          "[scenario]") {
  SchemaCheck schema(kSchema);
  std::vector<std::string> changes, listed;
  for (const auto& [name, definition] : schema.definitions().items())
    if (name.ends_with("_change")) changes.push_back("#/$defs/" + name);
  for (const auto& one : schema.definitions().at("change").at("oneOf"))
    listed.push_back(one.at("$ref"));
  std::sort(listed.begin(), listed.end());
  CHECK(listed == changes);
  for (const char* wrong : {R"({"path": "/a"})", R"({"path": "/a", "multiply_by": 2, "set_to": 3})",
                            R"({"link": "node"})", R"({"node": "x", "compute": 2})", R"({})",
                            R"({"network": "flows"})"}) {
    INFO(wrong);
    CHECK_FALSE(
        schema.accepts({{"format", 1},
                        {"name", "s"},
                        {"changes", nlohmann::json::array({nlohmann::json::parse(wrong)})}}));
  }
}

TEST_CASE("scenario schema: its networks are those of the registry", "[scenario]") {
  const SchemaCheck schema(kSchema);
  const auto& change = schema.definitions().at("network_change");
  const auto names =
      change.at("properties").at("network").at("enum").get<std::vector<std::string>>();
  CHECK(std::equal(names.begin(), names.end(), sim::network_names().begin(),
                   sim::network_names().end()));
}
