// SPDX-License-Identifier: MIT
// Points named by labels in a study file: {"machine": "10 GbE", "bandwidth": ["2x", "4x"]}.
//
// Errors  InputError at the label's place, with the nearest axis or value, or all there are.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/study/study.hpp"

namespace reprise::sim {

// An index into AXES.
std::size_t axis_called(const std::vector<Axis>& axes, const std::string& name,
                        const platforms::JsonPlace&);
// An index into the axis' values.
std::size_t value_called(const Axis&, const nlohmann::json& label, const platforms::JsonPlace&);
// The keys of an object that name axes, each with a label or a list of labels; KEYS but those in OTHERS.
Exclusion points_called(const std::vector<Axis>& axes, const nlohmann::json& object,
                        const std::vector<std::string>& others, const platforms::JsonPlace&);

}  // namespace reprise::sim
