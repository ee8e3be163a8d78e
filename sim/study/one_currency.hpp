// SPDX-License-Identifier: MIT
// Whether all prices of a study are in one currency: that of its electricity and those of its machines.
//
// Cost    a parsed platform for each point: 0.1 ms.
// Errors  InputError at the price in a second currency, naming where the first one stands.
#pragma once

#include <span>
#include <string>

#include "sim/study/inputs.hpp"

namespace reprise::sim {

// The currency; empty where nothing has a price. To be asked before anything is simulated.
std::string one_currency(const Study&, const StudyInputs&, std::span<const Point>);

}  // namespace reprise::sim
