// SPDX-License-Identifier: MIT
// Why two runs do not take the same time: what the change is made of, by critical path, wait states and call sites.
//
// Answers  as docs/JSON.md has a replay's, or a point of a study's results. What both have is compared: the critical path's parts, which add
//          up to the run times, so that their changes add up to the change; wait states and call sites, which are sums over ranks;
//          else the mean times of the ranks.
// Match    parts by what they are spent on, where (of links their class, if both paths go over the same classes), and the call's procedure and place; so two traces of one program, on other numbers
//          of ranks or recorded again, can be compared.
// Errors   InputError naming the file: not JSON, no answer of a replay, no such point.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/comparison/recordings.hpp"

namespace reprise::sim {

struct PartChange {
  std::string what;
  double before = 0, after = 0;  // seconds
  std::optional<Range>
      range;  // of the change, with a probability of 95 %; none where it is not known
  double change() const { return after - before; }
};
// Computing, or waiting, which follows from it: between two recordings this may be no more than how runs differ.
bool is_of_computing(const PartChange&);

struct ChangeTable {
  std::string name, key;            // "critical path"; "critical_path"
  std::vector<PartChange> changes;  // the biggest first; those that are nothing left out
  bool is_sum = false;              // over ranks: no share of the run time
  std::string range_from = {};      // of what the ranges tell: "by sampling"; empty: there are none
  std::size_t unchanged = 0;        // rows that are left out,
  double unchanged_s = 0;           // and their sum, on either side
};

struct Comparison {
  std::string names[2];
  double times[2] = {0, 0};
  Recordings recordings = Recordings::unknown;
  std::string how_sure;
  std::vector<ChangeTable> tables;
  std::vector<std::string>
      notes;  // what the changes do not say by themselves, and what each answer says
};

// PLACE: a file, or "FILE:POINT" with POINT the place of a point in a study's results, from 0. A point's "trace_keys" are those of its recordings, where
// the results tell.
nlohmann::ordered_json load_answer(const std::string& place);
Comparison compare(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b);

nlohmann::ordered_json to_json(const Comparison&);
std::string csv_of(
    const Comparison&);  // table, what, before_s, after_s, change_s; the first row, of table "run", has the predicted run times
std::string text_of(const Comparison&);

}  // namespace reprise::sim
