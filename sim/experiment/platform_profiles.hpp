// SPDX-License-Identifier: MIT
// What a platform says of its own links and hosts as they change while the program runs (platforms/topologies/profile.hpp), as conditions
// of a replay.
//
// Repeated profiles are written out: kMostSteps for all together, at least a repetition of each. Behind the last of them its factor holds,
//          and profiles_outrun() says where a run was longer than that.
// Cost     O(steps) in memory, 16 bytes each.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "platforms/platform.hpp"
#include "sim/conditions.hpp"

namespace reprise::sim {

inline constexpr std::size_t kMostSteps = 100'000;

void add_profiles(const platforms::Platform&, Conditions&);
// In words, for each profile that ended before the run did.
std::vector<std::string> profiles_outrun(const platforms::Platform&, Seconds end);

}  // namespace reprise::sim
