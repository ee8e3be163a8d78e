// SPDX-License-Identifier: MIT
// What a point's simulation has shown about its changes: those of which nothing can have come, and why.
#pragma once

#include <string>
#include <vector>

#include "sim/outcome.hpp"
#include "sim/study/run_setup.hpp"

namespace reprise::sim {

// "s.json at /changes/0: /network/link/bandwidth × 2: no message is between nodes". Cost: the platform is parsed after each change.
std::vector<std::string> changes_without_effect(const Study&, const Point&, const StudyInputs&,
                                                const Outcome&);

// A message with places named from the study's folder on, so that a row does not show from where the study was called.
std::string from_study_folder(const Study&, std::string text);

}  // namespace reprise::sim
