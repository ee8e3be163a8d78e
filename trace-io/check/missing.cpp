// SPDX-License-Identifier: MIT
#include "trace-io/check/missing.hpp"

namespace reprise::trace_io {
namespace {

RankList ranks_without(const Trace& trace) {
  return RankList::all(trace.header.ranks).minus(trace.header.recorded);
}

}  // namespace

bool lacks_ranks(const Trace& trace) { return !ranks_without(trace).empty(); }

std::string missing_text(const Trace& trace) {
  if (const RankList missing = ranks_without(trace); !missing.empty())
    return "nothing was recorded for ranks " + missing.text();
  return trace.header.complete ? "" : "salvaged: the end of the run is missing on some ranks";
}

}  // namespace reprise::trace_io
