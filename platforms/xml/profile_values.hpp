// SPDX-License-Identifier: MIT
// SimGrid's profiles: what a bandwidth, a latency or a speed is, from which time on.
//
// Text     a line for each: TIME VALUE, in seconds and ascending; of two at one time the last holds. Lines of '#' and '%' are comments.
//          PERIODICITY P: all of it comes again every P seconds. LOOPAFTER D: it comes again when D seconds have passed since its last
//          line and the time of its first line once more: every (last time + D) seconds.
// Not read are STOCHASTIC profiles, of which no two runs are alike: `is_stochastic`, and no values.
// Source   SimGrid 3.32, src/kernel/resource/profile/ProfileBuilder.cpp and Profile.cpp.
// Errors   InputError{FILE:LINE, …}: a line that is none of these, times that descend, a loop that cannot be.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace-io/base/quantity.hpp"

namespace reprise::platforms {

struct ProfileValues {
  struct Step {
    Seconds from;
    double value = 0;
  };
  std::vector<Step> steps;
  Seconds repeat_every;  // 0: once
  bool is_stochastic = false;
};

// FIRST_LINE: where TEXT begins in FILE. PERIODICITY: of a <trace>; 0: it has none.
ProfileValues parse_profile(std::string_view text, const std::string& file,
                            std::uint64_t first_line, double periodicity);

}  // namespace reprise::platforms
