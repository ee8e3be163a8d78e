// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "tests/unit/scenario/texts.hpp"

using namespace reprise;
using namespace reprise::test;

TEST_CASE("scenario: a file is a name, a question and its changes in order", "[scenario]") {
  const auto read = sim::parse_scenario(platforms::parse_document(
      R"({"$schema": "x", "format": 1, "name": "n", "question": "what if?", "changes": [{"network": "queue"}, {"placement": "cyclic"}]})",
      "s.json"));
  CHECK(read.file == "s.json");
  CHECK(read.name == "n");
  CHECK(read.question == "what if?");
  REQUIRE(read.changes.size() == 2);
  CHECK(std::get<sim::NetworkChange>(read.changes[0].what).kind == sim::NetworkKind::queue);
  CHECK(std::get<sim::PlacementChange>(read.changes[1].what).how == "cyclic");
  CHECK(read.changes[1].place.text() == "s.json at /changes/1");
  CHECK(read.changes[1].written.dump() == R"({"placement":"cyclic"})");
}

TEST_CASE("scenario: factors are numbers, times or percentages", "[scenario]") {
  const auto changes =
      scenario(
          R"({"path": "/a", "multiply_by": 0.5}, {"path": "/a", "multiply_by": "2x"}, {"path": "/a", "multiply_by": "25%"})")
          .changes;
  CHECK(std::get<sim::SettingChange>(changes[0].what).multiply_by == 0.5);
  CHECK(std::get<sim::SettingChange>(changes[1].what).multiply_by == 2);
  CHECK(std::get<sim::SettingChange>(changes[2].what).multiply_by == 0.25);
}

TEST_CASE("scenario: a change of computing is a rule for functions or places, ranks and nodes",
          "[scenario]") {
  const auto changes =
      scenario(
          R"({"compute": {"function": "solve*", "ranks": "0-3,8", "nodes": 2}, "multiply_by": 0.5},
                                   {"compute": {"call_site": "solve.c:*"}, "multiply_by": 2}, {"compute": {}, "multiply_by": 3})")
          .changes;
  const auto& rule = std::get<sim::ComputeRule>(changes[0].what);
  CHECK(rule.call == "solve*");
  CHECK(rule.calls == sim::ComputeRule::Calls::in_functions);
  CHECK(to_text(rule.ranks) == "0-3,8");
  CHECK(to_text(rule.nodes) == "2");
  CHECK(rule.factor == 0.5);
  CHECK(rule.where == "s.json at /changes/0/compute/function");
  CHECK(std::get<sim::ComputeRule>(changes[1].what).calls == sim::ComputeRule::Calls::at_places);
  CHECK(std::get<sim::ComputeRule>(changes[2].what).call.empty());
}
