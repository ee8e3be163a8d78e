// SPDX-License-Identifier: MIT
// The rows of all shards as one answer: a point each, seeds made a band, speed-ups against the baseline. docs/STUDIES.md has the keys.
//
// The result depends on the study and its rows alone, not on who did which, or when: equal to the last byte however it was sharded.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/study/plan.hpp"
#include "sim/study/shard_file.hpp"

namespace reprise::sim {

// The rows that a plan asks for.
struct CollectedRows {
  std::map<std::string, nlohmann::ordered_json> by_key;
  std::size_t missing = 0;     // simulations without a row
  std::size_t duplicates = 0;  // rows of a simulation that has one already
  std::size_t others = 0;      // rows of other studies, or of an older trace, file or engine
  std::size_t done = 0, failed = 0, deadlocked = 0, crashed = 0;
};

// Of several rows for one simulation the one that got furthest is taken. Throws RunError where two that are done differ.
CollectedRows collect_rows(const Plan&, const StoredRows&);

nlohmann::ordered_json results_of(const Study&, const StudyInputs&, const Plan&,
                                  const CollectedRows&);

}  // namespace reprise::sim
