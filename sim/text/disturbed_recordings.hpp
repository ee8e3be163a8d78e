// SPDX-License-Identifier: MIT
// Notes on several disturbed recordings as one: "5 recordings were disturbed: of …".
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace reprise {

// What a note says of one recording that is named (sim/experiment/remarks.cpp).
struct DisturbedRecording {
  std::string recording;   // "r1.reprise"
  std::string what, rest;  // "rank 0 was preempted for … (…)", "; the prediction …"
};
std::optional<DisturbedRecording> disturbed_recording(const std::string& note);

// One note of those that have the same REST, at least one: of up to three each with its figures, of more the first with them and the others by name.
std::string describe(const std::vector<DisturbedRecording>&);

// NOTES with those on disturbed recordings made one, in the place of the first. A single one stays as it is.
std::vector<std::string> with_disturbances_as_one(const std::vector<std::string>& notes);

}  // namespace reprise
