// SPDX-License-Identifier: MIT
// Random traces that hold together, for properties that must be true of every trace.
#pragma once

#include <cstdint>
#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// A program in the short text form: nested loops, rank-dependent branches, peers of every form, lists, communicators, deltas.
std::string random_text(std::uint32_t seed);

// The same program with random delta times of every encoding, names, losses, hosts and sequences longer than they are read.
Trace random_trace(std::uint32_t seed);

// Whether two traces are the same in every part; compared through their serialised forms and their dumps.
bool same_trace(const Trace&, const Trace&);

}  // namespace reprise::trace_io
