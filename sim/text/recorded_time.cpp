// SPDX-License-Identifier: MIT
#include "sim/text/recorded_time.hpp"

#include "sim/text/numbers.hpp"

namespace reprise {

std::string recorded_time_note(const trace_io::Header& header, Seconds end) {
  constexpr double kSame = 0.02;
  const double run = header.elapsed.seconds().value;
  if (run <= 0 || end.value >= run * (1 - kSame)) return "";
  const std::string took = "the run itself took " + seconds_text(header.elapsed.seconds());
  if (header.clock == trace_io::Clock::cpu)
    return "times are CPU time, as recorded: " + took +
           ", in which ranks also waited for cores or messages";
  return took + "; preemption and the recorder's own work are not in these times";
}

}  // namespace reprise
