// SPDX-License-Identifier: MIT
// Which recordings two answers are of, and how far the difference of their times can be told from how runs differ.
//
// Range    of the change of the mean, with a probability of 95 %. Of the same recordings on both sides Student's paired t; of different ones Welch's,
//          with Satterthwaite's degrees of freedom.
// Source   B. L. Welch, "The generalization of 'Student's' problem when several different population variances are involved", Biometrika 34, 1947.
// Units    seconds
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace reprise::sim {

struct Range {
  double low = 0, high = 0;
  bool contains(double value) const { return low <= value && value <= high; }
};

// unknown: an answer does not say.
enum class Recordings { unknown, same, different };
Recordings recordings_of(const nlohmann::ordered_json& before, const nlohmann::ordered_json& after);
const char* name_of(Recordings);  // "different"

// How many recordings an answer is of; 1 where it does not say.
std::size_t recordings_in(const nlohmann::ordered_json& answer);
// KEY: "compute_s". None with fewer than two recordings on either side.
std::optional<Range> range_of_change(const nlohmann::ordered_json& before,
                                     const nlohmann::ordered_json& after, const char* key);

// One standard error of SHARE_S of SECONDS, told by so many samples of them.
double sampling_error(double share_s, double seconds, double samples);

}  // namespace reprise::sim
