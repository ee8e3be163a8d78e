// SPDX-License-Identifier: MIT
// A trace as columns of numbers (FORMAT.md, "Payload"), before compression and after decompression.
//
// Cost    linear in the trace; interning look-ups are by hash, whose order never reaches the result.
// Errors  decode_payload() throws InputError{"NAME at payload byte N", …}; the trace it returns has sound tables and
//         indices, but the checks of check_structure() are the caller's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

std::vector<std::byte> encode_payload(const Trace&);
// Likewise; VERSION becomes the least that can hold it.
// With IS_CODED numbers are coded by context where that is shorter (context_coder.hpp).
std::vector<std::byte> encode_payload(const Trace&, std::uint32_t& version, bool is_coded = false);
// VERSION: of the file format that the payload is in.
Trace decode_payload(std::span<const std::byte>, std::uint32_t version, const std::string& name);

}  // namespace reprise::trace_io
