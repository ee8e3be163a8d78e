// SPDX-License-Identifier: MIT
#include "trace-io/model/tag_steps.hpp"
#include "trace-io/text/order_text.hpp"
#include "trace-io/text/program_text.hpp"

namespace reprise::trace_io {
namespace {

PeerWord read_peer_word(Scanner& in) {
  PeerWord word;
  word.position = in.position();
  const auto special = [&](std::int64_t code) {
    word.is_special = true;
    word.number = code;
    return word;
  };
  if (in.accept("any")) return special(kAnySource);
  if (in.accept("null")) return special(kProcNull);
  if (in.accept("root")) return special(kRoot);
  if (in.accept("none")) return special(kNoPeer);
  if (in.accept("^")) {
    word.form = PeerForm::exclusive_or;
  } else if (in.next_is('+') || in.next_is('-')) {
    word.form = PeerForm::relative;
  }
  word.number = in.number("a peer (3, +1, -1, ^1, any, null, root, none)");
  if (word.form != PeerForm::relative && (word.number < 0 || word.number > INT32_MAX))
    in.refuse(word.position, "there is no such rank");
  return word;
}

std::int64_t read_tag_step(Scanner& in) {
  const std::size_t position = in.position();
  if (!in.next_is('+') && !in.next_is('-'))
    in.refuse(position, "\"last\" without a step", "write last+1, last-2, or last+0");
  const std::int64_t step = in.number("a step from the tag before");
  if (step < -kMostTag || step > kMostTag)
    in.refuse(position, "a step from the tag before that leads to no tag");
  return as_tag_step(step);
}

std::int64_t read_plain(Scanner& in, Field field) {
  const bool is_tag = field == Field::tag || field == Field::receive_tag;
  if (in.accept(is_tag ? "any" : "none")) return is_tag ? kAnyTag : kNone;
  if (field == Field::tag && in.accept("last")) return read_tag_step(in);
  return in.amount("a value");
}

std::optional<PeerForm> read_form(Scanner& in) {
  if (in.accept("absolute:")) return PeerForm::absolute;
  if (in.accept("relative:")) return PeerForm::relative;
  if (in.accept("xor:")) return PeerForm::exclusive_or;
  return std::nullopt;
}

ParsedEntry read_entry(Scanner& in, const FieldSpec& spec) {
  ParsedEntry entry;
  entry.position = in.position();
  const bool is_peer = spec.frame != PeerFrame::not_a_peer;
  if (in.accept("also")) {
    in.expect("=", "in front of the other forms");
    const std::size_t at = in.position();
    const std::uint64_t forms = in.unsigned_number("the other forms");
    if (forms == 0 || forms > 7)
      in.refuse(
          at, "other forms are 1 to 7: 1 absolute, 2 relative, 4 exclusive-or, or a sum of these");
    entry.other_forms = static_cast<std::uint8_t>(forms);
  }
  if (is_peer) entry.form = read_form(in);
  const ReadValue read_value = [&](Scanner& scanner) -> std::int64_t {
    if (!is_peer || entry.form) return read_plain(scanner, spec.field);
    entry.words.push_back(read_peer_word(scanner));
    return static_cast<std::int64_t>(entry.words.size()) - 1;
  };
  if (!spec.is_vector) {
    auto [terms, is_bare] = read_terms(in, read_value);
    entry.values = std::move(terms);
    entry.is_one_call = is_bare;
  } else if (in.next_is('[')) {
    entry.values = read_bracketed(in, read_value);
    entry.is_one_call = true;
  } else {
    in.expect("<", "or \"[\" in front of lists");
    entry.values = read_terms(in, read_value).terms;
    in.expect("|", "between the values and the lengths of lists");
    entry.lengths = read_terms(in).terms;
    in.expect(">", "after the lengths of lists");
  }
  if (!entry.words.empty())
    for (const auto& term : entry.values)
      if (term.stride != 0)
        in.refuse(entry.position, "a run of peers",
                  "list the peers, or write their codes: absolute:8..11 for 0 to 3");
  return entry;
}

template <class Item, class ReadItem>
std::vector<Item> read_per_ranks(Scanner& in, std::int32_t ranks, const ReadItem& read_item) {
  std::vector<Item> items;
  if (!in.accept("{")) {
    items.push_back(read_item());
    return items;
  }
  while (!in.accept("}")) {
    if (!items.empty()) in.expect(";", "between the values of ranks");
    const std::size_t start = in.position();
    auto list = read_ranks(in, ranks);
    in.expect(":", "after the ranks");
    items.push_back(read_item());
    items.back().ranks = std::move(list);
    items.back().position = start;
  }
  return items;
}

Nanoseconds read_nanoseconds(Scanner& in, const char* what) { return Nanoseconds{in.number(what)}; }

// "1/10, 2/50]": counts and sums.
template <class Part>
std::vector<Part> read_counted_sums(Scanner& in, const char* count_of, const char* sum_of) {
  std::vector<Part> parts;
  in.expect("[", "in front of counts and sums");
  while (!in.accept("]")) {
    if (!parts.empty()) in.expect(",", "between counts and sums");
    const std::uint64_t count = in.unsigned_number(count_of);
    in.expect("/", "between a count and its sum");
    parts.push_back({count, in.number(sum_of)});
  }
  return parts;
}

// "totals=[10/500, 10/730]", or "scale=0-3: (100*3, 130) scaled=4300"; or nothing.
void read_ranks_apart(Scanner& in, std::int32_t ranks, DeltaClass& delta) {
  if (in.accept("totals")) {
    in.expect("=", "after the name of a part");
    delta.totals = read_counted_sums<RankTotal>(in, "a rank's count", "a rank's sum");
  } else if (const bool older = in.accept("paces"); older || in.accept("scale")) {
    in.expect("=", "after the name of a part");
    RankScaleFactors scale_factors;
    scale_factors.ranks = read_ranks(in, ranks);
    in.expect(":", "after the ranks of scale factors");
    scale_factors.values = ValueSequence::from_terms(read_terms(in).terms);
    delta.scale_factors = std::make_shared<const RankScaleFactors>(std::move(scale_factors));
    in.expect(older ? "paced" : "scaled",
              "in a distribution");  // as they were called before version 0.2
    in.expect("=", "after the name of a part");
    delta.scaled_count = in.unsigned_number("a scaled count");
  }
}

// "3 count=17)", of a pool. Whether there is such a one is for who has read the trace.
DeltaClass read_member(Scanner& in, std::int32_t ranks) {
  DeltaClass delta;
  const std::size_t at = in.position();
  const std::uint64_t pool = in.unsigned_number("a pool's number");
  if (pool >= DeltaClass::kOwnTimes) in.refuse(at, "a pool's number does not fit 32 bits");
  delta.pool = static_cast<std::uint32_t>(pool);
  in.expect("count", "after the pool's number");
  in.expect("=", "after the name of a part");
  const std::uint64_t count = in.unsigned_number("a count");
  read_ranks_apart(in, ranks, delta);
  in.expect(")", "after the times of a pool");
  delta.durations = Distribution::from_parts(0, count, 0, {}, {}, {}, {});
  return delta;
}

// "limit=5 count=3 sum=60 squares=0:1400 min=10@0 max=30@2 bins=[1/10, 2/50])", times in nanoseconds.
DeltaClass read_parts(Scanner& in, std::size_t start, std::int32_t ranks) {
  const auto key = [&](const char* name) {
    in.expect(name, "in a distribution");
    in.expect("=", "after the name of a part");
  };
  const auto extreme = [&] {
    Extreme value;
    value.value = read_nanoseconds(in, "a duration in nanoseconds");
    in.expect("@", "between an extreme and its rank");
    const std::size_t at = in.position();
    const std::uint64_t rank = in.unsigned_number("a rank");
    if (rank >= static_cast<std::uint64_t>(ranks))
      in.refuse(at, "there is no rank " + std::to_string(rank) + ", the ranks are 0 to " +
                        std::to_string(ranks - 1));
    value.rank = Rank{static_cast<std::int32_t>(rank)};
    return value;
  };
  if (in.accept("pool")) {
    in.expect("=", "after the name of a part");
    return read_member(in, ranks);
  }
  key("limit");
  const std::size_t limit_at = in.position();
  const std::uint64_t limit = in.unsigned_number("a number of bins");
  if (limit > UINT32_MAX) in.refuse(limit_at, "a number of bins does not fit 32 bits");
  DeltaClass delta;
  delta.durations = Distribution(static_cast<std::uint32_t>(limit));
  if (in.accept(")")) return delta;
  key("count");
  const std::uint64_t count = in.unsigned_number("a count");
  key("sum");
  const std::int64_t sum = in.number("a sum");
  key("squares");
  Distribution::Squares squares;
  squares.high = in.unsigned_number("the high word of the sum of squares");
  in.expect(":", "between the words of the sum of squares");
  squares.low = in.unsigned_number("the low word of the sum of squares");
  key("min");
  const Extreme min = extreme();
  key("max");
  const Extreme max = extreme();
  std::vector<Distribution::Bin> bins;
  if (in.accept("bins")) {
    in.expect("=", "after the name of a part");
    bins = read_counted_sums<Distribution::Bin>(in, "a bin's count", "a bin's sum");
  }
  read_ranks_apart(in, ranks, delta);
  if (in.accept("logs")) {
    in.expect("=", "after the name of a part");
    delta.logs = read_logs(in);
  } else if (in.accept("order")) {
    in.expect("=", "after the name of a part");
    delta.order = read_order(in, ranks);
  }
  in.expect(")", "after a distribution");
  delta.durations = Distribution::from_parts(static_cast<std::uint32_t>(limit), count, sum, squares,
                                             min, max, std::move(bins));
  if (!delta.durations.consistent(delta.is_scaled()))
    in.refuse(start, "the parts of a distribution contradict each other");
  return delta;
}

}  // namespace

ParsedField read_field(Scanner& in, const FieldSpec& spec, std::int32_t ranks) {
  return read_per_ranks<ParsedEntry>(in, ranks, [&] { return read_entry(in, spec); });
}

Distribution read_pool(Scanner& in, std::int32_t ranks) {
  const std::size_t start = in.position();
  in.expect("(", "in front of the pool's times");
  DeltaClass read = read_parts(in, start, ranks);
  if (read.is_scaled() || !read.logs.empty() || read.order != nullptr ||
      read.pool != DeltaClass::kOwnTimes || read.durations.count() == 0)
    in.refuse(start, "a pool has times, and neither scale factors nor an order");
  return std::move(read.durations);
}

ParsedField read_counter(Scanner& in, std::int32_t ranks) {
  return read_field(in, {Field::bytes, false, PeerFrame::not_a_peer}, ranks);
}

std::vector<ParsedClass> read_delta_classes(Scanner& in, std::int32_t ranks) {
  return read_per_ranks<ParsedClass>(in, ranks, [&] {
    ParsedClass parsed;
    parsed.position = in.position();
    if (in.accept("("))
      parsed.durations.parts = read_parts(in, parsed.position, ranks);
    else
      parsed.durations.each = Nanoseconds{in.nanoseconds("a duration")};
    return parsed;
  });
}

}  // namespace reprise::trace_io
