// SPDX-License-Identifier: MIT
// For how many periods of a loop the sizes of its messages only scatter, where they do not repeat.
//
// Similar    at each place in a period, none is more than twice the mean, or all are small (4 KiB); a block of a collective is nothing only
//            where all are, as it may depend on that who sends any; and they are of one phase.
// One phase  each half, quarter, eighth and sixteenth of them has the mean of all, but for DRIFT and what chance explains. How much sizes
//            scatter by chance follows from how they change from one to the next (von Neumann et al., Annals of Mathematical Statistics 12,
//            1941), without the largest of these changes: those are where phases meet, and of few periods they would explain
//            everything. Drift is relative to the mean, or to 4 KiB where that is more: what a message takes whatever its size.
// Several    end where the sum of what is above the mean is largest (Page, Biometrika 41, 1954); the first of them is looked at again.
#pragma once

#include <cstdint>

#include "trace-io/model/value_sequence.hpp"
#include "trace-io/walk/field_plan.hpp"

namespace reprise::trace_io {

// From here on, of so many values each; 0 where already the first ones are not similar. Cost: O(values), up to 2²⁰ of them.
std::uint64_t periods_of_similar_sizes(ValueSequence::Cursor values, SizeOf size_of,
                                       std::uint64_t a_period, double drift);

}  // namespace reprise::trace_io
