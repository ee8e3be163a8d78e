// SPDX-License-Identifier: MIT
// What `reprise trace diff` finds and prints: whether two traces are of the same run, and how far their times are apart.
#pragma once

#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise::cli {

struct NamedTrace {
  std::string path;
  trace_io::Trace trace;
};

struct TraceDifference {
  bool same_structure = true;
  std::string text, json;
};

// `with_sites`: whether calls must come from the same source lines. Cost: linear in the folded traces where they are alike, else
// see trace-io/text/line_difference.hpp.
TraceDifference compare_traces(const NamedTrace& first, const NamedTrace& second, bool with_sites);

}  // namespace reprise::cli
