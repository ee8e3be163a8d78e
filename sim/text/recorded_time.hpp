// SPDX-License-Identifier: MIT
// Recorded times beside the recorded run's: how much of it is computing, and why the recorded calls, put one after the other, do not take as
// long as the run did.
#pragma once

#include <cstdint>
#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise {

// LONGEST: what the calls of one rank take and the computing between them. A sentence where that is more than the run by 5 %: then times inside calls are
// not the rank's own.
std::string means_over_ranks_note(const trace_io::Header&, Seconds longest);

// END: of the last recorded call, since the run began. A sentence, or nothing where the two times agree to 2 % or the run's is not known.
enum class Preempted : std::uint8_t { left_out, put_back };  // of END
std::string recorded_time_note(const trace_io::Trace&, Seconds end,
                               Preempted = Preempted::left_out);

// That timelines of recorded wall-clock times have computing prolonged by what ranks were preempted for; nothing below 1 % of all ranks' run time.
std::string preempted_note(const trace_io::Trace&);

// "5.3 s of it passed in calls that had not returned when the recording ended", of the rank that hung longest: nothing where that is less than 2 % of the run.
std::string hang_text(const trace_io::Trace&);

// Computing of a rank in the mean over the ranks, all its threads together. Cost: O(leaves).
Seconds mean_computing(const trace_io::Trace&);

}  // namespace reprise
