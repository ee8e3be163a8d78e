// SPDX-License-Identifier: MIT
// Why a trace is as large as it is: the fields whose values take the most terms, and what about them does not fold.
//
// Cost   O(terms of all sequences · log).
// Bytes  of the terms as written, before zstd: what a field costs in the file is at most about that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

struct Contributor {
  std::string where;  // the call site in words (site_text.hpp), or "a loop"
  std::string field;  // "tag", "send_bytes_list", "iterations" …
  std::uint64_t terms = 0, bytes = 0;
  // "irregular: 1 200 distinct values in 5 000", "different on 64 groups of ranks" or both
  std::string reason;
};

// Fields of less terms are what every program has.
inline constexpr std::uint64_t kManyTerms = 32;

// Those of kManyTerms or more, largest first (ties: in program order), at most `most`.
std::vector<Contributor> contributors(const Trace&, std::size_t most);

}  // namespace reprise::trace_io
