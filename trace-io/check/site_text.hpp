// SPDX-License-Identifier: MIT
// A call site in words: "MPI_Recv at solve.c:212", or "MPI_Recv at libsolve.so+0x1f40" where frames have no names.
#pragma once

#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// The innermost frame of the site's call path; only the procedure where the path is empty, and
// "site N, which does not exist" where an index is out of its table.
std::string site_text(const Trace&, SiteId);
std::string frame_text(const Trace&, const Frame&);

}  // namespace reprise::trace_io
