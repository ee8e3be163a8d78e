// SPDX-License-Identifier: MIT
// One simulation of a study, from its point to its row.
//
// Row     {"key":"…","point":{axis:label,…},"seed":N,"status":"done|failed|deadlocked|crashed","reason":"…","answer":{…}}, without anything
//         that would not be the same the next time. `answer` is there where it is done: docs/STUDIES.md has its keys.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/study/plan.hpp"

namespace reprise::sim {

struct Simulated {
  nlohmann::ordered_json row;
  Seconds cpu_time;  // of the answer alone
};

// Does not throw but std::bad_alloc: what goes wrong is the row's reason.
Simulated simulate(const Study&, const StudyInputs&, const Plan&, const Run&);

// The row of a simulation that did not come to its end.
nlohmann::ordered_json crashed_row(const Study&, const Plan&, const Run&,
                                   const std::string& reason);

}  // namespace reprise::sim
