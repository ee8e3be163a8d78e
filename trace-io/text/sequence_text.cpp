// SPDX-License-Identifier: MIT
#include "trace-io/text/sequence_text.hpp"

#include <algorithm>

namespace reprise::trace_io {
namespace {

__extension__ using WideTerm = __int128;

// Sequences of untrusted text stay well below what ValueSequence can count.
constexpr std::uint64_t kMostCount = std::uint64_t{1} << 62;

class TermReader {
 public:
  TermReader(Scanner& scanner, const ReadValue& read_value)
      : in_(scanner), read_value_(read_value) {}

  ReadTerms read() {
    ReadTerms result;
    const std::size_t start = in_.position();
    if (in_.next_is('(')) {
      read_list_or_loop(result.terms, 0, true);
    } else {
      result.is_bare = read_run(result.terms);
    }
    check(start, result.terms);
    return result;
  }

  void read_until(Terms& terms, std::string_view close, int depth) {
    bool first = true;
    while (!in_.accept(close)) {
      if (!first) in_.expect(",", "between the values of a list");
      read_term(terms, depth);
      first = false;
    }
  }

  void read_term(Terms& terms, int depth) {
    if (in_.next_is('('))
      read_list_or_loop(terms, depth, false);
    else
      read_run(terms);
  }

  void check(std::size_t start, const Terms& terms) {
    if (!terms.empty() && !ValueSequence::well_formed(terms))
      in_.refuse(start, "a sequence nests too deep or counts more values than 63 bits hold");
  }

 private:
  // "( … )*n"; where a list without count may stand, its terms are those of the sequence.
  void read_list_or_loop(Terms& terms, int depth, bool may_be_list) {
    if (depth >= ValueSequence::kMaxDepth) in_.refuse("a sequence nests too deep");
    in_.expect("(", "in front of a list");
    const std::size_t head = terms.size();
    terms.push_back({true, 0, 0, 0, 0});
    read_until(terms, ")", depth + 1);
    if (may_be_list && !in_.accept("*")) {
      terms.erase(terms.begin());
      return;
    }
    if (!may_be_list) in_.expect("*", "after a list within a list");
    const std::size_t at = in_.position();
    terms[head].count = in_.unsigned_number("a repeat count");
    if (in_.accept_here('/')) terms[head].stride = in_.number("a shift");
    if (terms[head].count < 2 || terms[head].count >= kMostCount)
      in_.refuse(at, "a list is repeated at least 2 times");
    if (terms.size() == head + 1) in_.refuse(at, "an empty list cannot be repeated");
    terms[head].body_terms = static_cast<std::uint32_t>(terms.size() - head - 1);
  }

  // Returns whether it is one bare value.
  bool read_run(Terms& terms) {
    ValueSequence::Term term;
    term.start = read_value_(in_);
    term.count = 1;
    bool is_bare = true;
    if (in_.accept_here('*')) {
      const std::size_t at = in_.position();
      term.count = in_.unsigned_number("a repeat count");
      if (term.count < 1 || term.count >= kMostCount)
        in_.refuse(at, "a value is repeated at least once");
      is_bare = false;
    } else if (in_.look() == '.' && in_.look(1) == '.') {
      read_range(term);
      is_bare = false;
    }
    terms.push_back(term);
    return is_bare;
  }

  void read_range(ValueSequence::Term& term) {
    in_.accept("..");
    const std::size_t at = in_.position();
    const std::int64_t last = in_.number("the last value of a run");
    term.stride = in_.accept_here('/') ? in_.number("a stride") : 1;
    const WideTerm distance = static_cast<WideTerm>(last) - term.start;
    if (term.stride == 0 || distance % term.stride != 0 || distance / term.stride < 1 ||
        distance / term.stride >= static_cast<WideTerm>(kMostCount))
      in_.refuse(at, "strides of " + std::to_string(term.stride) + " do not lead from " +
                         std::to_string(term.start) + " to " + std::to_string(last));
    term.count = static_cast<std::uint64_t>(distance / term.stride) + 1;
  }

  Scanner& in_;
  const ReadValue& read_value_;
};

class TermWriter {
 public:
  TermWriter(const Terms& terms, const WriteValue& write) : terms_(terms), write_(write) {}

  bool write(std::size_t begin, std::size_t end) {
    bool first = true;
    for (std::size_t t = begin; t < end; ++t) {
      const auto& term = terms_[t];
      if (!first) text += ", ";
      first = false;
      if (!term.is_loop) {
        if (!write_run(term)) return false;
        continue;
      }
      text += '(';
      if (!write(t + 1, t + 1 + term.body_terms)) return false;
      text += ")*" + std::to_string(term.count);
      if (term.stride != 0) {
        if (!is_plain(t + 1, t + 1 + term.body_terms)) return false;
        text.append("/").append(std::to_string(term.stride));
      }
      t += term.body_terms;
    }
    return true;
  }

  std::string text;

 private:
  // Words such as "+1" cannot be counted on from.
  bool is_plain(std::size_t begin, std::size_t end) const {
    return std::all_of(terms_.begin() + static_cast<std::ptrdiff_t>(begin),
                       terms_.begin() + static_cast<std::ptrdiff_t>(end), [&](const auto& term) {
                         return term.is_loop || write_(term.start) == std::to_string(term.start);
                       });
  }

  bool write_run(const ValueSequence::Term& run) {
    if (run.stride != 0) {
      if (write_(run.start) != std::to_string(run.start)) return false;
      const auto last = static_cast<std::int64_t>(static_cast<WideTerm>(run.start) +
                                                  static_cast<WideTerm>(run.stride) *
                                                      static_cast<WideTerm>(run.count - 1));
      text += std::to_string(run.start) + ".." + std::to_string(last);
      if (run.stride != 1) text.append("/").append(std::to_string(run.stride));
      return true;
    }
    const std::string value = write_(run.start);
    text += value;
    if (run.count != 1) text.append("*").append(std::to_string(run.count));
    return !value.empty();
  }

  const Terms& terms_;
  const WriteValue& write_;
};

}  // namespace

std::int64_t read_amount(Scanner& scanner) { return scanner.amount("a value"); }

ReadTerms read_terms(Scanner& scanner, const ReadValue& read_value) {
  return TermReader(scanner, read_value).read();
}

Terms read_bracketed(Scanner& scanner, const ReadValue& read_value) {
  Terms terms;
  const std::size_t start = scanner.position();
  scanner.expect("[", "in front of a list of one call");
  TermReader reader(scanner, read_value);
  reader.read_until(terms, "]", 0);
  reader.check(start, terms);
  return terms;
}

Terms read_row(Scanner& scanner) {
  Terms terms;
  const ReadValue read_value = read_amount;
  TermReader reader(scanner, read_value);
  const std::size_t start = scanner.position();
  do reader.read_term(terms, 0);
  while (scanner.next_is_digit() || scanner.next_is('('));
  reader.check(start, terms);
  return terms;
}

std::string plain_number(std::int64_t value) { return std::to_string(value); }

std::string write_terms(const Terms& terms, const WriteValue& write) {
  TermWriter writer(terms, write);
  if (!writer.write(0, terms.size())) return "";
  const bool one_term =
      !terms.empty() &&
      (terms.front().is_loop ? terms.front().body_terms + 1 == terms.size() : terms.size() == 1);
  if (!one_term) return writer.text.insert(0, 1, '(') + ")";
  // A single value needs its count, lest it be taken for one that stands for every call.
  return terms.size() == 1 && terms.front().count == 1 ? writer.text + "*1" : writer.text;
}

std::string write_bracketed(const Terms& terms, const WriteValue& write) {
  TermWriter writer(terms, write);
  return writer.write(0, terms.size()) ? writer.text.insert(0, 1, '[') + "]" : "";
}

RankList read_ranks(Scanner& scanner, std::int32_t ranks) {
  std::vector<Rank> members;
  do {
    const std::size_t start = scanner.position();
    const auto rank = [&] {
      const std::size_t at = scanner.position();
      const std::uint64_t number = scanner.unsigned_number("a rank");
      if (number >= static_cast<std::uint64_t>(ranks))
        scanner.refuse(at, "there is no rank " + std::to_string(number) + ", the ranks are 0 to " +
                               std::to_string(ranks - 1));
      return static_cast<std::int32_t>(number);
    };
    const std::int32_t first = rank();
    std::int32_t last = first, stride = 1;
    if (scanner.accept_here('-')) {
      last = rank();
      if (scanner.look() == ':' && scanner.look(1) >= '1' && scanner.look(1) <= '9') {
        scanner.accept_here(':');
        stride = static_cast<std::int32_t>(
            std::min<std::uint64_t>(scanner.unsigned_number("a stride"), INT32_MAX));
      }
    }
    if (last < first) scanner.refuse(start, "a range of ranks runs upwards");
    for (std::int64_t r = first; r <= last; r += stride)
      members.push_back(Rank{static_cast<std::int32_t>(r)});
    if (members.size() > static_cast<std::size_t>(ranks))
      scanner.refuse(start, "a rank is listed twice");
  } while (scanner.accept_here(','));
  return RankList::from_ranks(std::move(members));
}

std::optional<std::int64_t> peer_code(PeerForm form, std::int64_t distance, Position view) {
  if (form == PeerForm::exclusive_or) {
    if (distance < 0) return std::nullopt;
    const std::int64_t peer = view.me ^ distance;
    return peer < view.size ? std::optional(kFirstPeer + peer) : std::nullopt;
  }
  if (distance <= -view.size || distance >= view.size) return std::nullopt;
  return kFirstPeer + ((view.me + distance) % view.size + view.size) % view.size;
}

std::string peer_word(PeerForm form, std::int64_t code, std::optional<Position> view) {
  switch (code) {
    case kProcNull:
      return "null";
    case kAnySource:
      return "any";
    case kRoot:
      return "root";
    case kNoPeer:
      return "none";
    default:
      break;
  }
  if (code < kFirstPeer) return "";
  const std::int64_t peer = code - kFirstPeer;
  if (form == PeerForm::absolute) return std::to_string(peer);
  if (!view || peer >= view->size) return "";
  if (form == PeerForm::exclusive_or) return std::to_string(peer ^ view->me).insert(0, 1, '^');
  const std::int64_t forward = ((peer - view->me) % view->size + view->size) % view->size;
  if (forward <= view->size / 2) return std::to_string(forward).insert(0, 1, '+');
  return std::to_string(forward - view->size);
}

}  // namespace reprise::trace_io
