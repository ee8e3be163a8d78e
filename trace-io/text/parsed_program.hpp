// SPDX-License-Identifier: MIT
// A program as its text says it, before values that stand for every call are spread over the calls.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trace-io/text/implied.hpp"
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
  // A call:
  std::string procedure;
  std::optional<SiteId> site;                      // none: one made from the next two
  std::string site_name;                           // after "at"
  std::size_t line = 0;                            // of the text, from 1
  std::vector<std::optional<ParsedField>> fields;  // one per FieldSpec
  std::uint64_t polls = 0;
  std::vector<ParsedPath> compute;
  std::vector<ParsedClass> communicate;
};

}  // namespace reprise::trace_io
