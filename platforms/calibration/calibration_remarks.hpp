// SPDX-License-Identifier: MIT
// What a calibration assumed, and what its measurements say of the machine, as sentences for the user.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platforms/calibration/calibrated_platform.hpp"

namespace reprise::platforms {

// What was assumed, and what was measured for nothing.
std::vector<std::string> remarks_on(const Measurements&, const Calibration&);

// Why the machine's numbers may not be those of another hour: they stay with the platform, and every answer on it repeats them.
std::vector<std::string> doubts_of(const Measurements&, const Calibration&);

// Whether a remark of the base, as doubts_of() writes them, is of messages that have been measured anew. One that names neither path is
// of both; words of others stay.
bool is_replaced(std::string_view remark, const Calibration&, bool base_has_network);

}  // namespace reprise::platforms
