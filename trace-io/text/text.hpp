// SPDX-License-Identifier: MIT
// The text form of a trace: what `reprise trace dump` prints, and what tests are written in.
//
// assemble(dump(t)) is t, byte for byte when serialised. The assembler also takes a shorter hand-written form: see text/SYNTAX.md.
#pragma once

#include <string>
#include <string_view>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

std::string dump(const Trace&);
// Throws InputError{"NAME:LINE:COLUMN", problem, hint}.
Trace assemble(std::string_view text, const std::string& name);

}  // namespace reprise::trace_io
