// SPDX-License-Identifier: MIT
// The machines that a study runs on, as its results name them.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "sim/study/inputs.hpp"

namespace reprise::sim {

// Each once, in the order of the points: {"platform","name","nodes","cores","source","states_uncertainty"}, as the file says, before any change.
// "platform" is what the study calls it: empty for the machine of the recording.
nlohmann::ordered_json machines_json(const Study&, const StudyInputs&, const std::vector<Point>&);

// "ethernet-10g and infiniband-hdr (their files state no uncertainty; example machines)": those of MACHINES that PLATFORMS names.
std::string uncalibrated_text(const nlohmann::ordered_json& machines,
                              const std::vector<std::string>& platforms);

}  // namespace reprise::sim
