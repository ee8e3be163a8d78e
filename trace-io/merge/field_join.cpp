// SPDX-License-Identifier: MIT
#include "trace-io/merge/field_join.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "trace-io/merge/field_view.hpp"

namespace reprise::trace_io {
namespace {

using FieldViews = std::vector<FieldView>;

// Where to look among a's entries for a partner.
class Candidates {
 public:
  static constexpr std::size_t kFew = 4;           // so many are tried one by one
  static constexpr std::size_t kPrefixTrials = 8;  // of entries that begin alike

  explicit Candidates(const FieldViews& views) : views_(views) {
    if (views.size() <= kFew) return;
    for (std::size_t i = 0; i < views.size(); ++i) add(i);
  }

  // Calls attempt(i) until it returns true; tells whether it did.
  template <class Attempt>
  bool any(const FieldView& wanted, bool same_length, Attempt attempt) const {
    if (views_.size() <= kFew) {
      for (std::size_t i = 0; i < views_.size(); ++i)
        if (attempt(i)) return true;
      return false;
    }
    for (const PeerForm form : kPeerForms) {
      const auto key = same_length ? wanted.key(form) : wanted.prefix_key(form);
      const auto& places = same_length ? by_values_ : by_beginning_;
      const auto found = key ? places.find(*key) : places.end();
      if (found == places.end()) continue;
      const std::size_t trials = std::min(found->second.size(), kPrefixTrials);
      for (std::size_t trial = 0; trial < trials; ++trial)
        if (attempt(found->second[trial])) return true;
    }
    return false;
  }

 private:
  using Places = std::unordered_map<std::uint64_t, std::vector<std::size_t>>;  // looked up only

  void add(std::size_t i) {
    for (const PeerForm form : kPeerForms) {
      if (const auto key = views_[i].key(form)) by_values_[*key].push_back(i);
      if (const auto key = views_[i].prefix_key(form)) by_beginning_[*key].push_back(i);
    }
  }

  const FieldViews& views_;
  Places by_values_, by_beginning_;
};

FieldValues joined(FieldViews a, FieldViews b, JoinRule rule, RankUnions& unions) {
  {
    const Candidates candidates(a);
    FieldViews left_over;
    for (FieldView& view : b) {
      const auto join_to = [&](bool same_length) {
        return candidates.any(view, same_length, [&](std::size_t i) {
          return a[i].join(view, same_length, rule, unions);
        });
      };
      // Equal values first: a prefix must not take the place of the entry that it equals.
      if (!join_to(true) && !join_to(false)) left_over.push_back(std::move(view));
    }
    b = std::move(left_over);
  }
  FieldValues values;
  values.reserve(a.size() + b.size());
  for (FieldViews* views : {&a, &b})
    for (FieldView& view : *views) values.push_back(std::move(view.entry));
  sort_by_lowest_rank(values);
  return values;
}

template <class PositionOf>
FieldViews views_of(FieldValues& values, PositionOf position_of) {
  FieldViews views;
  views.reserve(values.size());
  for (FieldEntry& entry : values) {
    const auto position = position_of(entry.ranks.front());
    views.emplace_back(std::move(entry), position);
  }
  return views;
}

// Whether the places of ranks, which peer fields of the same call are counted by, follow from this field.
bool is_frame_of_peers(std::span<const FieldSpec> specs, std::size_t i) {
  const auto is_framed_by = [&](const FieldSpec& spec) {
    return (spec.frame == PeerFrame::comm && specs[i].field == Field::comm) ||
           (spec.frame == PeerFrame::new_comm && specs[i].field == Field::new_comm);
  };
  return std::any_of(specs.begin(), specs.end(), is_framed_by);
}

bool are_equal(const ValueSequence& a, const ValueSequence& b) {
  if (const auto run = a.only_run())
    if (const auto other = b.only_run()) return *run == *other;
  return a == b;
}

// The usual case: either side has one entry, of the same values. REQUIRES: they are no peers.
bool are_alike(const FieldValues& a, const FieldValues& b) {
  return a.size() == 1 && b.size() == 1 && are_equal(a.front().values, b.front().values) &&
         a.front().lengths == b.front().lengths &&
         a.front().ranks.front() < b.front().ranks.front();
}

}  // namespace

FieldValues joined_plain(FieldValues a, FieldValues b, RankUnions& unions) {
  const auto no_position = [](Rank) { return std::optional<Position>(); };
  return joined(views_of(a, no_position), views_of(b, no_position), JoinRule::any_prefix, unions);
}

void join_fields(Leaf& a, Leaf& b, std::span<const FieldSpec> specs,
                 const CommunicatorTable& communicators, RankUnions& unions) {
  const bool has_peers = std::ranges::any_of(
      specs, [](const FieldSpec& spec) { return spec.frame != PeerFrame::not_a_peer; });
  if (!has_peers) {
    for (std::size_t i = 0; i < specs.size(); ++i) join_plain(a.fields[i], b.fields[i], unions);
    return;
  }
  // The positions are read from the communicator fields, which therefore stay in the leaves until all others are done.
  const FramePositions positions_a(a, specs, communicators), positions_b(b, specs, communicators);
  const auto join_field = [&](std::size_t i, JoinRule rule) {
    FieldValues &in_a = a.fields.at(i), &in_b = b.fields.at(i);
    if (specs[i].frame == PeerFrame::not_a_peer && are_alike(in_a, in_b)) {
      in_a.front().ranks = unions.united(in_a.front().ranks, in_b.front().ranks);
      return;
    }
    const auto position_a = [&](Rank rank) { return positions_a.of(rank, specs[i].frame); };
    const auto position_b = [&](Rank rank) { return positions_b.of(rank, specs[i].frame); };
    in_a = joined(views_of(in_a, position_a), views_of(in_b, position_b), rule, unions);
  };
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (!is_frame_of_peers(specs, i)) join_field(i, JoinRule::any_prefix);
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (is_frame_of_peers(specs, i)) join_field(i, JoinRule::same_constancy);
}

void join_plain(FieldValues& a, FieldValues& b, RankUnions& unions) {
  if (are_alike(a, b))
    a.front().ranks = unions.united(a.front().ranks, b.front().ranks);
  else
    a = joined_plain(std::move(a), std::move(b), unions);
}

}  // namespace reprise::trace_io
