// SPDX-License-Identifier: MIT
#include "trace-io/merge/field_view.hpp"

#include <algorithm>
#include <utility>

#include "trace-io/base/error.hpp"

namespace reprise::trace_io {
namespace {

// The one communicator index that the rank uses in all executions.
std::optional<std::int64_t> only_index(const FieldValues& field, Rank rank) {
  const auto entry = field.size() == 1
                         ? field.begin()
                         : std::find_if(field.begin(), field.end(), [&](const FieldEntry& each) {
                             return each.ranks.contains(rank);
                           });
  if (entry == field.end() || entry->values.empty() || !entry->values.is_constant())
    return std::nullopt;
  return entry->values.front();
}

enum class Relation : std::uint8_t { different, same, first_is_prefix, second_is_prefix };

Relation relation(const ValueSequence& x, const ValueSequence& y) {
  if (x.size() == y.size())
    return x == y || x.is_prefix_of(y) ? Relation::same : Relation::different;
  if (x.size() < y.size())
    return x.is_prefix_of(y) ? Relation::first_is_prefix : Relation::different;
  return y.is_prefix_of(x) ? Relation::second_is_prefix : Relation::different;
}

// Of values and lengths together: the side that is a prefix must be so in both.
Relation common_relation(Relation values, Relation lengths) {
  if (values == lengths || lengths == Relation::same) return values;
  return values == Relation::same ? lengths : Relation::different;
}

bool is_constant(const ValueSequence& values) { return values.empty() || values.is_constant(); }

bool is_executed(const FieldEntry& entry) {
  return !entry.values.empty() || !entry.lengths.empty();
}

constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15U;

// The canonical place from which equal sequences look equal.
Position origin_of(Position position) { return {0, position.size}; }

}  // namespace

FramePositions::FramePositions(const Leaf& leaf, std::span<const FieldSpec> specs,
                               const CommunicatorTable& communicators)
    : communicators_(communicators) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].field == Field::comm) comm_ = &leaf.fields.at(i);
    if (specs[i].field == Field::new_comm) new_comm_ = &leaf.fields.at(i);
  }
}

std::optional<Position> FramePositions::of(Rank rank, PeerFrame frame) const {
  const FieldValues* field = frame == PeerFrame::comm       ? comm_
                             : frame == PeerFrame::new_comm ? new_comm_
                                                            : nullptr;
  if (frame == PeerFrame::not_a_peer) return std::nullopt;
  if (frame == PeerFrame::world) return communicators_.frame_of(rank, kWorldIndex);
  const auto index = field == nullptr ? std::nullopt : only_index(*field, rank);
  return index ? communicators_.frame_of(rank, *index) : std::nullopt;
}

std::optional<ValueSequence> seen_from(const ValueSequence& values, PeerForm form,
                                       const std::optional<Position>& from,
                                       const std::optional<Position>& to) {
  if (form == PeerForm::absolute || from == to) return values;
  if (const auto run = values.only_run(); run && run->stride == 0)  // as most peers are
    return ValueSequence::of_run(recast(run->start, form, *from, *to), 0, run->count);
  return values.mapped([&](std::int64_t code) { return recast(code, form, *from, *to); });
}

FieldView::FieldView(FieldEntry given, std::optional<Position> position)
    : entry(std::move(given)), at(position) {
  REPRISE_ASSERT(!entry.ranks.empty(), "a field entry has ranks");
  const bool is_single = entry.ranks.size() == 1;
  if (is_single) entry.form = PeerForm::absolute;  // its own values, whatever the form
  REPRISE_ASSERT(at || entry.form == PeerForm::absolute,
                 "ranks that share a form have places in the frame");
  if (!at) return;
  forms = static_cast<FormSet>(form_bit(entry.form) | entry.other_forms);
  if (is_single)
    for (const PeerForm form : kPeerForms) forms |= form_bit(form);
}

bool FieldView::join(FieldView& other, bool same_length, JoinRule rule, RankUnions& unions) {
  FieldView& low = entry.ranks.front() < other.entry.ranks.front() ? *this : other;
  FieldView& high = &low == this ? other : *this;
  if (is_executed(low.entry) != is_executed(high.entry)) return false;
  const bool sizes_differ = low.entry.values.size() != high.entry.values.size() ||
                            low.entry.lengths.size() != high.entry.lengths.size();
  if (sizes_differ && same_length) return false;
  if (sizes_differ && rule == JoinRule::same_constancy &&
      is_constant(low.entry.values) != is_constant(high.entry.values))
    return false;
  const Relation lengths = relation(low.entry.lengths, high.entry.lengths);
  if (lengths == Relation::different) return false;

  std::optional<FieldEntry> joined;
  FormSet joined_forms = 0;
  for (const PeerForm form : kPeerForms) {
    if ((low.forms & high.forms & form_bit(form)) == 0) continue;
    if (form == PeerForm::relative && low.at->size != high.at->size) continue;
    const auto as_high = seen_from(low.entry.values, form, low.at, high.at);
    if (!as_high) continue;
    const Relation both = common_relation(relation(*as_high, high.entry.values), lengths);
    if (both == Relation::different) continue;
    const bool is_high_longer = both == Relation::first_is_prefix;
    auto values =
        is_high_longer ? seen_from(high.entry.values, form, high.at, low.at) : low.entry.values;
    if (!values) continue;
    // A peer that the communicator does not have is no value that the way back restores.
    if (is_high_longer && seen_from(*values, form, low.at, high.at) != high.entry.values) continue;
    if (!joined)
      joined =
          FieldEntry{{}, form, std::move(*values), (is_high_longer ? high : low).entry.lengths, 0};
    else if (*values != joined->values)
      continue;  // what the longer side adds tells the forms apart
    else
      joined->other_forms |= form_bit(form);
    joined_forms |= form_bit(form);
  }
  if (!joined) return false;
  joined->ranks = unions.united(low.entry.ranks, high.entry.ranks);
  const std::optional<Position> position = low.at;
  entry = std::move(*joined);
  at = position;
  forms = joined_forms;
  return true;
}

std::optional<std::uint64_t> FieldView::key(PeerForm form) const {
  if ((forms & form_bit(form)) == 0) return std::nullopt;
  std::uint64_t hash = 0;
  if (form == PeerForm::absolute) {
    hash = entry.values.hash();
  } else {
    const auto canonical = seen_from(entry.values, form, at, origin_of(*at));
    if (!canonical) return std::nullopt;
    hash = canonical->hash();
  }
  return (hash * kMix + entry.lengths.hash()) * kMix + static_cast<std::uint64_t>(form);
}

std::optional<std::uint64_t> FieldView::prefix_key(PeerForm form) const {
  if ((forms & form_bit(form)) == 0) return std::nullopt;
  if (!is_executed(entry)) return static_cast<std::uint64_t>(form);
  if (entry.values.empty()) return kMix + static_cast<std::uint64_t>(form);
  std::int64_t front = entry.values.front();
  if (form != PeerForm::absolute) front = recast(front, form, *at, origin_of(*at));
  return (static_cast<std::uint64_t>(front) * kMix + 2) * kMix + static_cast<std::uint64_t>(form);
}

}  // namespace reprise::trace_io
