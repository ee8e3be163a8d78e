// SPDX-License-Identifier: MIT
// Whether a trace's counts of events (model/compute_counters.hpp) can be.
//
// Checked  events ascending; ways of sites that there are, ascending, each with a count of each event; no negative time, nothing counted in
//          none by who has not counted, nor above kMostCounted. How many a processor can count in a time is not asked: processors differ.
#pragma once

#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// What is wrong, empty where nothing is.
std::string compute_counters_problem(const Trace&);

}  // namespace reprise::trace_io
