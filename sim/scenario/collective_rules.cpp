// SPDX-License-Identifier: MIT
#include "sim/scenario/collective_rules.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "sim/collectives/selection.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::sim {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

// For the sizes from `first` to `last`, both included.
struct Rule {
  std::uint64_t first = 0, last = kMost;
  json object;
};

// What holds for all sizes, from 0 on.
std::vector<Rule> rules_in(const json& collectives, const std::string& operation) {
  std::vector<Rule> rules;
  std::uint64_t first = 0;
  if (const auto found = collectives.find(operation); found != collectives.end()) {
    const json list = found->is_string() ? json::array({{{"algorithm", *found}}}) : *found;
    for (json object : list) {
      const bool has_end = object.contains("up_to");
      const std::uint64_t last =
          has_end ? parse_bytes(object["up_to"].get<std::string>(), operation).value : kMost;
      object.erase("up_to");
      rules.push_back({first, last, std::move(object)});
      if (!has_end) return rules;
      first = last + 1;
    }
  }
  rules.push_back({first, kMost, {{"algorithm", kLibraryChoice}}});
  return rules;
}

json object_of(const CollectiveChange& change) {
  json object = {{"algorithm", change.algorithm}};
  if (change.segment) object["segment"] = to_text(*change.segment);
  if (change.fanout > 0) object["fanout"] = change.fanout;
  return object;
}

}  // namespace

void set_algorithm(platforms::Document& document, const CollectiveChange& change) {
  json& collectives = document.value["mpi"]["collectives"];
  if (collectives.is_null()) collectives = json::object();
  const std::uint64_t first = change.above ? change.above->value + 1 : 0,
                      last = change.up_to ? change.up_to->value : kMost;
  std::vector<Rule> lower, upper;
  for (const Rule& rule : rules_in(collectives, change.operation)) {
    if (rule.first < first)
      lower.push_back({rule.first, std::min(rule.last, first - 1), rule.object});
    if (rule.last > last) upper.push_back({std::max(rule.first, last + 1), rule.last, rule.object});
  }
  lower.push_back({first, last, object_of(change)});
  lower.insert(lower.end(), upper.begin(), upper.end());
  json list = json::array();
  for (const Rule& rule : lower) {
    list.push_back(rule.object);
    if (rule.last != kMost) list.back()["up_to"] = to_text(Bytes{rule.last});
  }
  collectives[change.operation] = std::move(list);
}

}  // namespace reprise::sim
