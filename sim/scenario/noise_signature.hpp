// SPDX-License-Identifier: MIT
// Noise that is not written down change by change: what `--noise` and a study's "noise" name.
//
//   none      nothing: the time that ranks lost their cores for is left out
//   recorded  the preemptions of the recording, rank by rank: as many, together as long, spread evenly over what the rank computes
//   FILE      a machine's signature, as `reprise-probe --noise` measures it: for each core how often it is interrupted, and how long
//             the interruptions take. A rank has the signature of its core, by number modulo those that were measured.
// Errors    InputError: a file that is not such a signature; a trace that does not tell who was preempted.
#pragma once

#include <optional>
#include <string>

#include "sim/conditions.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

struct NamedNoise {
  std::optional<NoiseChange> change;  // none: nothing interrupts
  std::string told;                   // in words; empty for "none"
};

// WHERE: who names it, for messages.
NamedNoise named_noise(const std::string& name, const trace_io::Trace&, const std::string& where);

}  // namespace reprise::sim
