// SPDX-License-Identifier: MIT
// The axes of a study file, and the paths in it.
//
// Two kinds   {"name", "values":[{"label", "platform", "placement", "network", "scenario", "changes"}, …]}: whatever differs;
//             {"name", and a change as scenarios have it, in which one value is a list}: that change with each of the list's values.
// Errors      InputError at "FILE at /json/pointer".
#pragma once

#include <string>
#include <vector>

#include "sim/study/study.hpp"
#include "sim/study/study_file.hpp"

namespace reprise::sim {

Axis parse_axis(const nlohmann::json&, const platforms::JsonPlace&, const std::string& folder);
// "scenarios": ["none", "slow_link.json", …] as an axis called "scenario"; "none" changes nothing.
Axis scenario_axis(platforms::ObjectReader& study, const std::string& folder);

NetworkKind read_network(platforms::ObjectReader&);  // at "network"
// The value that leaves the run as it is (factor 1, no changes at all), else the first.
std::size_t neutral_value(const Axis&);

// PATH as it is if absolute, else in the study's folder.
std::string beside_study(const std::string& folder, const std::string& path);
// A ready machine's name stays; a path as above.
std::string platform_beside_study(const std::string& folder, const std::string& platform);
// "block" and alike stay; else a file in the study's folder. Throws InputError where it is neither.
std::string placement_beside_study(const std::string& folder, const std::string& placement,
                                   const platforms::JsonPlace&);

}  // namespace reprise::sim
