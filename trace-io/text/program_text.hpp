// SPDX-License-Identifier: MIT
// A program as its text says it, before values that stand for every call are spread over the calls.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"
#include "trace-io/text/implied.hpp"
#include "trace-io/text/scanner.hpp"
#include "trace-io/text/sequence_text.hpp"

namespace reprise::trace_io {

// A peer as it was written; the terms of an entry of peers hold indices into ParsedEntry::words.
struct PeerWord {
  PeerForm form = PeerForm::absolute;
  bool is_special = false;  // any, null, root, none: alike in every form
  std::int64_t number = 0;  // code of a special one; else rank, offset or mask
  std::size_t position = 0;
};

struct ParsedEntry {
  std::size_t position = 0;
  std::optional<RankList> ranks;  // none: the node's
  std::optional<PeerForm> form;   // given: the values are codes
  std::uint8_t other_forms = 0;   // as FieldEntry's
  bool is_one_call = false;       // the terms are what every call has
  Terms values, lengths;
  std::vector<PeerWord> words;
};
using ParsedField = std::vector<ParsedEntry>;

struct ParsedDurations {
  std::optional<Nanoseconds> each;  // none: the parts
  DeltaClass parts;                 // but for the ranks
};
struct ParsedClass {
  std::size_t position = 0;
  std::optional<RankList> ranks;
  ParsedDurations durations;
};
struct ParsedPath {
  std::size_t position = 0;
  SiteId predecessor = kNoSite;
  std::vector<ParsedClass> classes;
};

struct ParsedNode {
  std::size_t position = 0;
  std::optional<RankList> ranks;  // none: those around it
  bool is_loop = false;
  // A loop:
  ParsedField iterations, exits;  // exits empty: none
  std::vector<ParsedNode> body;
  std::vector<RankIterations> clusters;
  // A call:
  std::string procedure;
  std::optional<SiteId> site;                      // none: one made from the next two
  std::string site_name;                           // after "at"
  std::size_t line = 0;                            // of the text, from 1
  std::vector<std::optional<ParsedField>> fields;  // one per FieldSpec
  std::uint64_t polls = 0;
  std::vector<FurtherCalls> further;
  std::vector<ParsedPath> compute;
  std::vector<ParsedClass> communicate;
};

// Reads the statements between the braces of a thread or a loop (SYNTAX.md, "Programs").

// Up to and with the closing brace. `tables`: header and tables, complete.
std::vector<ParsedNode> read_program(Scanner&, const Trace& tables);

// Reads one field's values as the text form writes them: "peer=+1", "bytes={0: 8; 1-3: 16}", "requests=[0, 1]".

ParsedField read_field(Scanner&, const FieldSpec&, std::int32_t ranks);
// A loop's iterations or exits: a number, or numbers per rank.
ParsedField read_counter(Scanner&, std::int32_t ranks);

// After "compute" or "communicate": "10us", "{0: 10us; 1-3: 20us}", or all parts of a distribution.
std::vector<ParsedClass> read_delta_classes(Scanner&, std::int32_t ranks);

// All parts of a distribution, of a class or a pool: "limit=5 count=3 …", and how it is read, in brackets. REQUIRES: not empty.
std::string parts_text(const Distribution&);
Distribution read_pool(Scanner&, std::int32_t ranks);

// From programs as they are written to programs as a trace holds them: sites made where none is named, values that stand for
// every call spread over the calls, peers turned into codes, fields left out given their default values.

// Adds the sites, and what they need, that calls without a number make; `name` becomes the module and the file of their frames.
void make_sites(std::vector<std::vector<ParsedNode>>& programs, Trace&, const std::string& name);

// The programs become the trace's threads. Errors are placed by the scanner that read them.
void build_programs(const std::vector<std::vector<ParsedNode>>& programs, Trace&, const Scanner&);

// Writes one thread's program in the text form, or its structure alone. Cost: linear in the folded program.

void dump_program(const Trace&, const std::vector<Node>& program, std::string& out);

// What the program does, without the times that it took: "MPI_Send at solve.c:212 peer=+1 bytes=8". Sites go by their names, so that two
// traces can be compared line by line; without sites by their procedures alone. Not to be assembled.
void dump_structure(const Trace&, const std::vector<Node>& program, bool with_sites,
                    std::string& out);

}  // namespace reprise::trace_io
