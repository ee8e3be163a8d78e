// SPDX-License-Identifier: MIT
// Folded sequences in the text form: "7", "7*100", "0..9", "0..18/2", "(1, 2, 3)*10", "((1, 2)*3, 5)",
// "(0*4)*10/1".
//
// A term is a value, a value*count, a first..last run (with /stride where it is not 1), or a (list of terms)*count (with /shift where each pass is
// greater than the one before).
// What is one bare value is marked as such: it stands for every call (see implied.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "trace-io/model/communicators.hpp"
#include "trace-io/text/implied.hpp"
#include "trace-io/text/scanner.hpp"

namespace reprise::trace_io {

// How one value is read; the default takes Scanner::amount().
using ReadValue = std::function<std::int64_t(Scanner&)>;
// How one value is written; an empty text means that it cannot be.
using WriteValue = std::function<std::string(std::int64_t)>;

struct ReadTerms {
  Terms terms;
  bool is_bare = false;  // one value, without count
};

std::int64_t read_amount(Scanner&);
ReadTerms read_terms(Scanner&, const ReadValue& = read_amount);
// The terms between brackets: "[0, 1]", "[0..3]", "[]".
Terms read_bracketed(Scanner&, const ReadValue& = read_amount);
// One or more terms on a line, blanks between them: "0 1 4..7".
Terms read_row(Scanner&);

std::string plain_number(std::int64_t);
// Empty where a value cannot be written.
std::string write_terms(const Terms&, const WriteValue& = plain_number);
std::string write_bracketed(const Terms&, const WriteValue& = plain_number);

// "0-3,8,10-14:2", as RankList::text() writes it.
RankList read_ranks(Scanner&, std::int32_t ranks);

// Peers as people write them (3, +1, -1, ^1, any, null, root, none), to and from the codes that a trace stores.

// The code for an offset (relative) or a mask (exclusive_or) seen from a rank; none where no such rank can be meant.
std::optional<std::int64_t> peer_code(PeerForm, std::int64_t distance, Position);
// "+1", "-2", "^4", "3", "any": what means the code in this form; empty where the code has no such word.
std::string peer_word(PeerForm, std::int64_t code, std::optional<Position>);

}  // namespace reprise::trace_io
