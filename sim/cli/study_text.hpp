// SPDX-License-Identifier: MIT
// What `reprise study` prints.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/study/merge.hpp"
#include "sim/study/work.hpp"

namespace reprise::cli {

// The points with their times and speed-ups, the fastest marked.
std::string results_text(const nlohmann::ordered_json& results);
// Of a basket, whose points are each compared with their own application's: how to compare two applications, as of a program before and after a
// change. FILE: the results. Empty of other studies.
std::string comparing_text(const nlohmann::ordered_json& results, const std::string& file);
// "30 of 30 simulations: 29 done, 1 deadlocked", and what else there is to say about the rows.
std::string rows_text(const sim::Plan&, const sim::CollectedRows&, const sim::StoredRows&);
// "25 simulations in 1.2 s, 21 a second; 4.1% of the CPU time outside the simulations"
std::string work_text(const sim::WorkDone&);

}  // namespace reprise::cli
