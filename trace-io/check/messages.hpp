// SPDX-License-Identifier: MIT
// Whether a trace's times of sampled messages (model/message_times.hpp) can be.
//
// Checked  ranks and sites that exist, or none; rows and costs in order, none twice; of each set of times, buckets that ascend, hold its
//          count, and its least and longest time at their ends; bytes within the size class; no more joined than chosen than sent.
// Cost     O(buckets).
#pragma once

#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Empty where all is well, or none were sampled.
std::string messages_problem(const Trace&);

}  // namespace reprise::trace_io
