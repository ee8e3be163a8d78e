// SPDX-License-Identifier: MIT
// The parser's key lists are made of the schema. What a list does not say, types and which objects stand where, is held here.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "sim/network/network_model.hpp"
#include "sim/study/study_file.hpp"
#include "tests/unit/platforms/schema_check.hpp"

using namespace reprise;

namespace {

constexpr const char* kEveryKey =
    R"({"$schema": "x", "format": 1, "name": "s", "question": "q", "trace": "t.reprise",
  "record": ["mpirun", "a"], "platform": "laptop", "placement": "block", "network": "flow", "deltas": "sample", "noise": "none", "seeds": 3,
  "changes": [{"path": "/mpi/eager_limit", "set_to": "16 KiB"}],
  "axes": [{"name": "m", "values": [{"label": "a", "platform": "laptop"}, {"label": "b", "placement": "cyclic", "network": "queue"},
                                    {"label": "c", "changes": []}]},
           {"name": "b", "path": "/network/link/bandwidth", "multiply_by": [1, 2]}],
  "baseline": {"m": "a"}, "exclude": [{"m": ["b", "c"], "b": "2x"}],
  "efficiencies": false, "sensitivities": true, "models": true, "limits": {"cpu_time": "60 s", "memory": "2 GiB"}})";

constexpr const char* kEveryKeyOfBaskets =
    R"({"format": 1, "name": "s", "question": "q", "platform": "laptop", "years": 5,
  "electricity": {"price": "0.30 EUR/kWh", "co2": "380 g/kWh"},
  "axes": [{"name": "m", "values": [{"label": "a", "ranks": 4}, {"label": "b"}]}],
  "applications": [{"label": "x", "traces": ["x4.reprise", "x8.reprise"], "weight": 2, "record": ["a"], "placement": "cyclic", "ranks": 8,
                    "changes": [], "cases": [{"m": "b", "ranks": 4, "placement": "block", "changes": []}]},
                   {"label": "y", "trace": "y.reprise"}]})";

constexpr const char* kRecordings =
    R"({"format": 1, "name": "s", "question": "q", "traces": ["a.reprise", "b.reprise"]})";

}  // namespace

// The parser asserts that it reads every key which is there, so what an accepted file has, both know.
TEST_CASE("study schema: it accepts what the parser accepts, and the parser reads every key of it",
          "[study]") {
  SchemaCheck schema(REPRISE_STUDY_SCHEMA);
  std::vector<platforms::Document> documents{
      platforms::parse_document(kEveryKey, "s.json"),
      platforms::parse_document(kEveryKeyOfBaskets, "b.json"),
      platforms::parse_document(kRecordings, "r.json")};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(REPRISE_SCENARIOS))
    if (entry.path().extension() == ".json") {
      auto document = platforms::load_json(entry.path().string());
      if (document.value.contains("trace") || document.value.contains("applications"))
        documents.push_back(std::move(document));
    }
  CHECK(documents.size() == 8);
  for (const auto& document : documents) {
    INFO(document.file);
    CHECK_NOTHROW(sim::parse_study(document));
    CHECK(schema.accepts(document.value));
  }
  // Files of their own: what is named there is read with the study.
  CHECK(schema.unmet() == std::set<std::string>{"value/scenario"});
}

TEST_CASE("study schema: it refuses what no study has", "[study]") {
  SchemaCheck schema(REPRISE_STUDY_SCHEMA);
  const auto sound = nlohmann::json::parse(kEveryKey);
  REQUIRE(schema.accepts(sound));
  for (const auto& [key, value] :
       {std::pair<const char*, nlohmann::json>{"seeds", 0},
        {"deltas", "means"},
        {"seed", 3},
        {"network", "flows"},
        {"axes", nlohmann::json::parse(R"([{"name": "m", "values": []}])")},
        {"limits", nlohmann::json::parse(R"({"cpu": "1 s"})")}}) {
    auto wrong = sound;
    wrong[key] = value;
    INFO(key);
    CHECK_FALSE(schema.accepts(wrong));
  }
}

TEST_CASE("study schema: its networks are those of the registry", "[study]") {
  const SchemaCheck schema(REPRISE_STUDY_SCHEMA);
  const auto& network = schema.definitions().at("network");
  const auto names = network.at("enum").get<std::vector<std::string>>();
  CHECK(std::equal(names.begin(), names.end(), sim::network_names().begin(),
                   sim::network_names().end()));
}
