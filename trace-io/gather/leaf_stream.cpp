// SPDX-License-Identifier: MIT
#include "trace-io/gather/leaf_stream.hpp"

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace reprise::trace_io {
namespace {

constexpr std::uint64_t kContext = 0, kNew = 1, kFirstKnown = 2;  // of rank lists
constexpr std::uint64_t kTotals = 1, kLogs = 2;                   // what a class has, as bits

// A distribution but for its bins, as a group of numbers.
enum : std::uint8_t {
  kLimit,
  kCount,
  kSum,
  kSquaresHigh,
  kSquaresLow,
  kLeast,
  kRange,
  kLeastRank,
  kMostRank,
  kBins,
  kHeadNumbers
};
using Head = std::array<std::uint64_t, kHeadNumbers>;

// Of fields: one entry of all ranks of the context, in absolute form, of one run, without or with a stride; else so many entries.
constexpr std::uint64_t kUsualField = 0, kEntries = 2;

std::optional<ValueSequence::Term> usual_run(const FieldValues& values, const RankList& context) {
  if (values.size() != 1) return std::nullopt;
  const FieldEntry& entry = values.front();
  if (entry.form != PeerForm::absolute || entry.other_forms != 0 || !entry.lengths.empty() ||
      !(entry.ranks == context))
    return std::nullopt;
  return entry.values.only_run();
}

}  // namespace

void LeafWriter::ranks(const RankList& ranks, const RankList& context) {
  if (ranks == context) return out_.put(kContext);
  const auto [known, is_new] = numbers_.try_emplace(ranks, kFirstKnown + numbers_.size());
  if (!is_new) return out_.put(known->second);
  out_.put(kNew);
  out_.put(ranks.terms().size());
  for (const RankList::Term& term : ranks.terms()) {
    out_.put(static_cast<std::uint32_t>(term.start.value));
    out_.put(term.dimensions.size());
    for (const auto& [count, stride] : term.dimensions) {
      out_.put(count);
      out_.put(static_cast<std::uint32_t>(stride));
    }
  }
}

void LeafWriter::leaf(const Leaf& leaf, const RankList& context) {
  for (const FieldValues& values : leaf.fields) field(values, context);
  out_.put(leaf.polls);
  out_.put(leaf.further.size());
  for (const FurtherCalls& further : leaf.further) {
    out_.put(static_cast<std::uint32_t>(further.rank.value));
    out_.put_signed(further.calls);
  }
  out_.put(leaf.compute.size());
  for (const PathDeltas& path : leaf.compute) {
    out_.put(path.predecessor == kNoSite
                 ? 0
                 : 1 + zigzag(std::int64_t{leaf.site} - std::int64_t{path.predecessor}));
    classes(path.classes, context);
  }
  classes(leaf.communicate, context);
}

void LeafWriter::loop(const Loop& loop, const RankList& context) {
  field(loop.iterations, context);
  field(loop.exits, context);
}

void LeafWriter::field(const FieldValues& values, const RankList& context) {
  const auto run = usual_run(values, context);
  if (run) {
    out_.put(kUsualField + (run->stride == 0 ? 0 : 1));
    out_.put(run->count);
    out_.put_signed(run->start);
    if (run->stride != 0) out_.put_signed(run->stride);
    return;
  }
  out_.put(kEntries + values.size());
  for (const FieldEntry& entry : values) {
    ranks(entry.ranks, context);
    out_.put(static_cast<std::uint64_t>(entry.form) | std::uint64_t{entry.other_forms} << 2U);
    sequence(entry.values);
    sequence(entry.lengths);
  }
}

void LeafWriter::sequence(const ValueSequence& values) {
  if (values.empty()) return out_.put(0);
  if (const auto run = values.only_run()) {
    out_.put(1);
    out_.put(run->count);
    out_.put_signed(run->start);
    if (run->count > 1) out_.put_signed(run->stride);
    return;
  }
  const auto terms = values.terms();
  // Of few it is found out as soon.
  const bool is_grown = values.has_terms(ValueSequence::kWindow / 2) && values.is_grown();
  out_.put(2 * terms.size() + (is_grown ? 1 : 0));
  for (const ValueSequence::Term& term : terms) {
    out_.put(std::uint64_t{term.body_terms});
    out_.put(term.count);
    out_.put_signed(term.start);
    out_.put_signed(term.stride);
  }
}

void LeafWriter::classes(const std::vector<DeltaClass>& classes, const RankList& context) {
  out_.put(classes.size());
  for (const DeltaClass& delta : classes) {
    ranks(delta.ranks, context);
    durations(delta.durations);
    out_.put((delta.totals.empty() ? 0 : kTotals) | (delta.logs.empty() ? 0 : kLogs));
    for (const RankTotal& total : delta.totals) {
      out_.put(total.count);
      out_.put(static_cast<std::uint64_t>(total.sum));
    }
    for (const OrderLog& one : delta.logs) log(one);
  }
}

void LeafWriter::durations(const Distribution& durations) {
  Head head{};
  head[kLimit] = durations.bin_limit();
  head[kCount] = durations.count();
  if (durations.count() == 0) return out_.put_group(head);
  const std::int64_t least = durations.min().value.value;
  head[kSum] = static_cast<std::uint64_t>(durations.sum().value);
  head[kSquaresHigh] = durations.squares().high;
  head[kSquaresLow] = durations.squares().low;
  head[kLeast] = static_cast<std::uint64_t>(least);
  head[kRange] = static_cast<std::uint64_t>(durations.max().value.value - least);
  head[kLeastRank] = static_cast<std::uint32_t>(durations.min().rank.value);
  head[kMostRank] = static_cast<std::uint32_t>(durations.max().rank.value);
  head[kBins] = durations.bins().size();
  out_.put_group(head);
  numbers_of_bins_.clear();
  for (const Distribution::Bin& bin : durations.bins()) {
    numbers_of_bins_.push_back(bin.count);
    numbers_of_bins_.push_back(static_cast<std::uint64_t>(bin.sum));
  }
  out_.put_group(numbers_of_bins_);
}

void LeafWriter::log(const OrderLog& log) {
  out_.put(log.count());
  out_.put(log.stride());
  out_.append(std::as_bytes(log.codes()));
  for (const std::int64_t sum : log.sums()) out_.put_signed(sum);
  out_.put(log.peaks().size());
  for (const OrderLog::Peak& peak : log.peaks()) {
    out_.put(peak.execution());
    out_.put(peak.code());
  }
}

RankList LeafReader::ranks(const RankList& context) {
  const std::uint64_t reference = in_.take();
  if (reference == kContext) return context;
  if (reference != kNew) {
    if (reference - kFirstKnown >= known_.size()) in_.refuse();
    return known_[reference - kFirstKnown];
  }
  std::vector<RankList::Term> terms(in_.count());
  for (RankList::Term& term : terms) {
    term.start = Rank{static_cast<std::int32_t>(in_.take())};
    term.dimensions.resize(in_.count());
    for (auto& [count, stride] : term.dimensions) {
      count = static_cast<std::uint32_t>(in_.take());
      stride = static_cast<std::int32_t>(in_.take());
    }
  }
  known_.push_back(RankList::from_terms(terms, ranks_, "ranks that were sent"));
  return known_.back();
}

void LeafReader::leaf(Leaf& leaf, const RankList& context) {
  for (FieldValues& values : leaf.fields) field(values, context);
  leaf.polls = in_.take();
  leaf.further.resize(in_.count());
  for (FurtherCalls& further : leaf.further) {
    further.rank = Rank{static_cast<std::int32_t>(in_.take())};
    further.calls = in_.take_signed();
  }
  leaf.compute.resize(in_.count());
  for (PathDeltas& path : leaf.compute) {
    const std::uint64_t from = in_.take();
    path.predecessor =
        from == 0 ? kNoSite : static_cast<SiteId>(std::int64_t{leaf.site} - unzigzag(from - 1));
    classes(path.classes, context);
  }
  classes(leaf.communicate, context);
}

void LeafReader::loop(Loop& loop, const RankList& context) {
  field(loop.iterations, context);
  field(loop.exits, context);
}

void LeafReader::field(FieldValues& values, const RankList& context) {
  const std::size_t head = in_.count();
  if (head < kEntries) {
    values.resize(1);
    FieldEntry& entry = values.front();
    const std::uint64_t count = in_.take();
    const std::int64_t start = in_.take_signed();
    const ValueSequence run =
        ValueSequence::of_run(start, head == kUsualField ? 0 : in_.take_signed(), count);
    entry.values = run;  // which is less than to exchange the two
    entry.lengths.clear();
    entry.form = PeerForm::absolute;
    entry.other_forms = 0;
    if (!(entry.ranks == context)) entry.ranks = context;
    return;
  }
  values.resize(head - kEntries);
  for (FieldEntry& entry : values) {
    entry.ranks = ranks(context);
    const std::uint64_t form = in_.take();
    entry.form = static_cast<PeerForm>(form & 3U);
    entry.other_forms = static_cast<std::uint8_t>(form >> 2U);
    sequence(entry.values);
    ValueSequence lengths;
    sequence(lengths);
    entry.lengths = std::move(lengths);
  }
}

void LeafReader::sequence(ValueSequence& values) {
  const std::size_t head = in_.count();
  if (head == 0) {
    if (!values.empty()) values = ValueSequence();
    return;
  }
  if (head == 1) {
    const std::uint64_t count = in_.take();
    const std::int64_t start = in_.take_signed();
    values = ValueSequence::of_run(start, count > 1 ? in_.take_signed() : 0, count);
    return;
  }
  std::vector<ValueSequence::Term> terms(head / 2);
  for (ValueSequence::Term& term : terms) {
    term.body_terms = static_cast<std::uint32_t>(in_.take());
    term.is_loop = term.body_terms > 0;
    term.count = in_.take();
    term.start = in_.take_signed();
    term.stride = in_.take_signed();
  }
  values = ValueSequence::from_terms(terms, head % 2 != 0);
}

void LeafReader::classes(std::vector<DeltaClass>& classes, const RankList& context) {
  classes.resize(in_.count());
  for (DeltaClass& delta : classes) {
    delta.ranks = ranks(context);
    durations(delta.durations);
    const std::uint64_t has = in_.take();
    delta.totals.resize((has & kTotals) != 0 ? static_cast<std::size_t>(delta.ranks.size()) : 0);
    for (RankTotal& total : delta.totals) {
      total.count = in_.take();
      total.sum = static_cast<std::int64_t>(in_.take());
    }
    delta.logs.resize((has & kLogs) != 0 ? static_cast<std::size_t>(delta.ranks.size()) : 0);
    for (OrderLog& one : delta.logs) one = log();
  }
}

void LeafReader::durations(Distribution& durations) {
  Head head{};
  in_.take_group(head);
  Extreme min, max;
  bins_.clear();
  if (head[kCount] > 0) {
    min.value = Nanoseconds{static_cast<std::int64_t>(head[kLeast])};
    max.value = Nanoseconds{static_cast<std::int64_t>(head[kLeast] + head[kRange])};
    min.rank = Rank{static_cast<std::int32_t>(head[kLeastRank])};
    max.rank = Rank{static_cast<std::int32_t>(head[kMostRank])};
    if (head[kBins] > head[kLimit]) in_.refuse();
    numbers_of_bins_.resize(2 * head[kBins]);
    in_.take_group(numbers_of_bins_);
    for (std::size_t i = 0; i < numbers_of_bins_.size(); i += 2)
      bins_.push_back({numbers_of_bins_[i], static_cast<std::int64_t>(numbers_of_bins_[i + 1])});
  }
  durations.assign_parts(static_cast<std::uint32_t>(head[kLimit]), head[kCount],
                         static_cast<std::int64_t>(head[kSum]),
                         {head[kSquaresHigh], head[kSquaresLow]}, min, max, bins_);
  durations.follow(rule_);
}

OrderLog LeafReader::log() {
  const std::uint64_t count = in_.take();
  const auto stride = static_cast<unsigned>(in_.take());
  const auto bytes = in_.take(OrderLog::kept_of(count, stride) * sizeof codes_.front());
  codes_.resize(bytes.size() / sizeof codes_.front());
  if (!bytes.empty()) std::memcpy(codes_.data(), bytes.data(), bytes.size());
  sums_.resize(OrderLog::groups_of(count, stride));
  for (std::int64_t& sum : sums_) sum = in_.take_signed();
  std::vector<OrderLog::Peak> peaks;
  for (std::size_t left = in_.count(); left > 0; --left) {
    const std::uint64_t execution = in_.take();
    peaks.emplace_back(execution, static_cast<std::uint16_t>(in_.take()));
  }
  return OrderLog::from_parts(count, stride, codes_, sums_, std::move(peaks));
}

}  // namespace reprise::trace_io
