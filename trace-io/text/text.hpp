// SPDX-License-Identifier: MIT
// The text form of a trace: what `reprise trace dump` prints, and what tests are written in.
//
// assemble(dump(t)) is t, byte for byte when serialised. The assembler also takes a shorter hand-written form: see text/SYNTAX.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

std::string dump(const Trace&);
// What the ranks do, line by line and without times: loops, call sites (or, without sites, procedures) and their parameters. Equal for two
// runs that did the same.
std::vector<std::string> structure_lines(const Trace&, bool with_sites);
// Throws InputError{"NAME:LINE:COLUMN", problem, hint}.
Trace assemble(std::string_view text, const std::string& name);

}  // namespace reprise::trace_io
