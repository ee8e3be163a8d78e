// SPDX-License-Identifier: MIT
// Another processor, by what it does in a cycle and how many cycles a second has.
//
// IPC        instructions per cycle: "1.3x" of what it was, or "2.1".
// Frequency  cycles per second of compute time: "1.1x" of what it was, or "3.2 GHz".
// Time       of the same instructions: T′ = T · (ipc / ipc′) · (f / f′), the iron law of performance (Patterson and Hennessy, Computer
//            Organization and Design, section 1.6). Factors are known without counts; what stands there in absolute terms needs what was
//            counted: with both, T′ = instructions / (ipc′ · f′).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace reprise::sim {

struct ProcessorChange {
  // At most one of each two; of all four at least one.
  std::optional<double> ipc_factor, ipc;
  std::optional<double> frequency_factor, frequency;  // Hz

  bool needs_counts() const { return ipc || frequency; }
  // What its factors alone make of compute times.
  double factor() const { return 1 / (ipc_factor.value_or(1) * frequency_factor.value_or(1)); }
};

// Whether a rule of --compute is one: it begins with "ipc=" or "frequency=".
bool is_processor_change(std::string_view text);
// "ipc=1.3x,frequency=3.2 GHz", either or both. Throws InputError{where, …}.
ProcessorChange parse_processor_change(std::string_view text, const std::string& where);
// "1.3x", "2.1"; "1.1x", "3.2 GHz".
void read_ipc(ProcessorChange&, std::string_view text, const std::string& where);
void read_frequency(ProcessorChange&, std::string_view text, const std::string& where);

// "instructions per cycle × 1.3, frequency 3.2 GHz".
std::string describe(const ProcessorChange&);

}  // namespace reprise::sim
