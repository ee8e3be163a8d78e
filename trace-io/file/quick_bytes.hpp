// SPDX-License-Identifier: MIT
// A trace that is soon replaced, as a file's bytes.
//
// Why     a rank writes its part while the others wait for it (recorder/finish/snapshot.hpp), again and again, and the next one takes its place: what counts is the time.
// Cost    that of the coding; compressing takes some 2 ns a byte where serialise() takes up to 200, for up to a third more bytes.
#pragma once

#include <cstddef>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// As serialise(), which a reader cannot tell from it.
std::vector<std::byte> serialise_quickly(const Trace&);

}  // namespace reprise::trace_io
