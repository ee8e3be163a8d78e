// SPDX-License-Identifier: MIT
// Messages that are larger than any that the platform was fitted to: they take the time for a byte of the largest that was measured, though memory
// beyond the caches is slower. NPB FT class A exchanges blocks of 33.6 MB, which took 14.9 ms where sizes up to 4 MiB said 8.2.
//
// Known     where the platform's file has residuals by size (`platform calibrate`); inside nodes and between them, each for itself.
// Said      from twice the largest size that was measured, where messages are more than a hundredth of the ranks' time.
#pragma once

#include <string>
#include <vector>

#include "platforms/platform.hpp"
#include "sim/outcome.hpp"

namespace reprise::sim {

// A sentence for each of the two paths, without its full stop.
std::vector<std::string> describe_unmeasured_sizes(const platforms::Platform&, const Outcome&);

}  // namespace reprise::sim
