// SPDX-License-Identifier: MIT
// One rank's logs as orders of its own, for a trace that is played as it was recorded and not written.
//
// Why      a rank's own trace holds logs (model/order_log.hpp), of which merging keeps what changes a job's answer within a budget of bytes. Played by
//          itself it needs them all: where ranks shuffle their times each for itself, all of them wait for the longest at each call.
// Exact    to 1/1024 of a duration where all executions are kept, else as order_log.hpp says.
// Cost     O(durations logged).
#pragma once

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Each class's logs become its order. Forgets the logs.
void make_exact_orders(Trace&);

}  // namespace reprise::trace_io
