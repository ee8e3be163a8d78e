// SPDX-License-Identifier: MIT
#include "sim/text/recorded_time.hpp"

#include <algorithm>

#include "sim/text/numbers.hpp"
#include "trace-io/model/end_groups.hpp"

namespace reprise {

Seconds mean_computing(const trace_io::Trace& trace) {
  double sum = 0;
  for (const auto& program : trace.threads)
    trace_io::for_each_leaf(program, [&](const trace_io::Leaf& leaf) {
      for (const auto& path : leaf.compute)
        for (const auto& one : path.classes) sum += one.durations.sum().seconds().value;
    });
  return Seconds{sum / std::max(1, trace.header.ranks)};
}

std::string means_over_ranks_note(const trace_io::Header& header, Seconds longest) {
  constexpr double kMore = 0.05;
  const Seconds run = header.elapsed.seconds();
  if (run.value <= 0 || longest <= run * (1 + kMore)) return "";
  return "times inside MPI calls are means over ranks that the trace stores together: the calls of "
         "one rank seem to take " +
         seconds_text(longest) + ", and the run took " + seconds_text(run);
}

std::string hang_text(const trace_io::Trace& trace) {
  constexpr double kMatters = 0.02;
  const Seconds hang = trace_io::longest_hang(trace).seconds();
  if (hang.value <= 0 || hang.value < kMatters * trace.header.elapsed.seconds().value) return "";
  return seconds_text(hang) +
         " of it passed in calls that had not returned when the recording ended (`reprise trace "
         "info` names them)";
}

std::string recorded_time_note(const trace_io::Trace& trace, Seconds end, Preempted preempted) {
  constexpr double kSame = 0.02;
  const trace_io::Header& header = trace.header;
  const double run = header.elapsed.seconds().value;
  if (run <= 0 || end.value >= run * (1 - kSame)) return "";
  const std::string took = "the run itself took " + seconds_text(header.elapsed.seconds());
  if (const std::string hang = hang_text(trace); !hang.empty())
    return took + ", and " + hang + "; that is not in these times";
  if (header.clock == trace_io::Clock::cpu)
    return "times are CPU time, as recorded: " + took +
           ", in which ranks also waited for cores or messages";
  return took + (preempted == Preempted::put_back
                     ? "; the recorder's own work is not in these times"
                     : "; preemption and the recorder's own work are not in these times");
}

std::string preempted_note(const trace_io::Trace& trace) {
  constexpr double kTold = 0.01;
  if (trace.header.clock == trace_io::Clock::cpu || !trace.preemptions) return "";
  Seconds sum;
  for (const auto& row : trace.preemptions->ranks) sum = sum + row.time.seconds();
  const Seconds run = trace.header.elapsed.seconds() * std::max(1, trace.header.ranks);
  if (sum.value <= 0 || sum < run * kTold) return "";
  return "computing is longer by what ranks were preempted for, " + seconds_text(sum) +
         " of all ranks, each rank's in proportion";
}

}  // namespace reprise
