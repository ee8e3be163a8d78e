// SPDX-License-Identifier: MIT
// What is in a trace, in numbers: what `reprise trace info` prints.
//
// How      Counts of unrolled events come from the loops' sequences (executions.hpp): a leaf in loops is counted by adding up
//          iterations and exits in closed form, per rank. No event is walked.
// Cost     O(Σ over nodes of the ranks that list them) + O(terms of the sequences); with persistent sends, also what persistent_sends.hpp says.
// Errors   exact for every trace that check_structure() accepts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

struct ProcedureSummary {
  std::string name;
  std::uint64_t calls = 0;  // over all ranks
  // Bytes of the send arguments: `bytes` of calls that send or put, `send_bytes` and `send_bytes_list` of collectives (per peer where
  // the argument is per peer). A persistent send moves its bytes in the call that starts it (persistent_sends.hpp).
  std::uint64_t bytes_sent = 0;                     // saturates, as do the others
  bool has_null_sends = false;                      // some of these go to MPI_PROC_NULL, so nowhere
  bool has_unknown_bytes = false;                   // starts of persistent sends: bytes_sent is 0
  std::uint64_t bytes_fetched = 0;                  // one-sided operations that only bring data
  std::uint64_t bytes_read = 0, bytes_written = 0;  // of files, as asked for
  std::uint64_t bytes() const {
    return bytes_sent + bytes_fetched + bytes_read + bytes_written;
  }  // a procedure has one of them
};

struct Summary {
  std::string program;
  std::int32_t ranks = 0;
  std::uint64_t operations = 0;  // events as they are played, unrolled, over all ranks
  std::uint64_t calls() const {  // that were made (model/completions.hpp); saturates
    std::uint64_t sum = 0;
    for (const auto& procedure : procedures)
      sum = procedure.calls > UINT64_MAX - sum ? UINT64_MAX : sum + procedure.calls;
    return sum;
  }
  std::uint64_t compressed_operations = 0;   // leaves of the folded programs
  std::vector<ProcedureSummary> procedures;  // ordered by name; those that are called
  std::vector<Loss> losses;
};

Summary summarise(const Trace&);

// Why a trace is as large as it is: the fields whose values take the most terms, and what about them does not fold.
//
// Cost   O(terms of all sequences · log).
// Bytes  of the terms as written, before zstd: what a field costs in the file is at most about that.

struct Contributor {
  std::string where;  // the call site in words (site_text()), or "a loop"
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
