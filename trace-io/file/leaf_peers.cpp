// SPDX-License-Identifier: MIT
#include "trace-io/file/leaf_peers.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

namespace reprise::trace_io {
namespace {

// Each rank's entry, by its place, in the order of the ranks; empty where the entries are not of these ranks.
std::vector<std::size_t> entry_of_ranks(const FieldValues& field, const std::vector<Rank>& ranks) {
  std::vector<std::pair<Rank, std::size_t>> all;
  for (std::size_t i = 0; i < field.size(); ++i)
    for (const Rank rank : field[i].ranks.ranks()) all.emplace_back(rank, i);
  std::sort(all.begin(), all.end());
  const auto is_of = [](const auto& a, Rank b) { return a.first == b; };
  if (!std::equal(all.begin(), all.end(), ranks.begin(), ranks.end(), is_of)) return {};
  std::vector<std::size_t> entries;
  for (const auto& [rank, entry] : all) entries.push_back(entry);
  return entries;
}

// Likewise, the entries themselves; empty unless every entry is of one value.
std::vector<const FieldEntry*> entries_of(const FieldValues& field,
                                          const std::vector<Rank>& ranks) {
  std::vector<const FieldEntry*> entries;
  for (const FieldEntry& entry : field)
    if (entry.values.empty() || !entry.values.is_constant()) return {};
  for (const std::size_t place : entry_of_ranks(field, ranks)) entries.push_back(&field[place]);
  return entries;
}

// The lists of one entry, unrolled: `calls` lists of `width` values.
struct Lists {
  std::vector<std::int64_t> values;
  std::uint64_t width = 0, calls = 0;
};

std::optional<Lists> unrolled(const FieldEntry& entry) {
  Lists lists;
  if (entry.lengths.empty() || !entry.lengths.is_constant() || entry.lengths.front() < 1)
    return std::nullopt;
  lists.width = static_cast<std::uint64_t>(entry.lengths.front());
  lists.calls = entry.lengths.size();
  if (static_cast<Wide>(lists.width) * lists.calls != entry.values.size()) return std::nullopt;
  lists.values = entry.values.unrolled();
  return lists;
}

class Received {
 public:
  Received(const FieldValues& sent, const FieldValues& communicators,
           const std::vector<Rank>& ranks)
      : communicators_(communicators),
        ranks_(ranks),
        entry_(entry_of_ranks(sent, ranks)),
        index_(entry_of_ranks(communicators, ranks)) {
    for (const FieldEntry& entry : sent) {
      auto lists = unrolled(entry);
      if (!lists) entry_.clear();
      lists_.push_back(lists ? *std::move(lists) : Lists());
    }
  }

  std::optional<FieldValues> all(const CommunicatorTable& table) {
    if (entry_.empty() || index_.empty()) return std::nullopt;
    for (std::size_t i = 0; i < ranks_.size(); ++i)
      if (!add(i, table)) return std::nullopt;
    FieldValues field;
    for (Group& group : groups_)
      field.push_back({RankList::from_ranks(std::move(group.ranks)), PeerForm::absolute,
                       std::move(group.values), std::move(group.lengths), 0});
    return field;
  }

 private:
  struct Group {
    std::vector<Rank> ranks;
    ValueSequence values, lengths;
  };

  bool add(std::size_t i, const CommunicatorTable& table) {
    const ValueSequence& indices = communicators_[index_[i]].values;
    if (indices.empty() || !indices.is_constant()) return false;
    const auto place = table.place(ranks_[i], indices.front());
    const Lists& own = lists_[entry_[i]];
    if (!place || place->is_inter() || static_cast<std::uint64_t>(place->size) != own.width)
      return false;
    std::vector<const Lists*> senders;
    for (std::int32_t member = 0; member < place->size; ++member) {
      const auto rank = table.world_rank(ranks_[i], indices.front(), member);
      const auto at = rank ? std::lower_bound(ranks_.begin(), ranks_.end(), *rank) : ranks_.end();
      if (at == ranks_.end() || *at != *rank) return false;
      senders.push_back(&lists_[entry_[static_cast<std::size_t>(at - ranks_.begin())]]);
      if (senders.back()->width != own.width || senders.back()->calls != own.calls) return false;
    }
    ValueSequence values, lengths;
    for (std::uint64_t call = 0; call < own.calls; ++call)
      for (const Lists* sender : senders)
        values.append(
            sender->values[call * own.width + static_cast<std::uint64_t>(place->local_rank)]);
    lengths.append_run(place->size, 0, own.calls);
    join(ranks_[i], std::move(values), std::move(lengths));
    return true;
  }

  void join(Rank rank, ValueSequence values, ValueSequence lengths) {
    const auto [known, is_new] = by_hash_.emplace(values.hash(), groups_.size());
    if (!is_new && groups_[known->second].values == values &&
        groups_[known->second].lengths == lengths)
      groups_[known->second].ranks.push_back(rank);
    else
      groups_.push_back({{rank}, std::move(values), std::move(lengths)});
  }

  const FieldValues& communicators_;
  const std::vector<Rank>& ranks_;
  std::vector<std::size_t> entry_, index_;
  std::vector<Lists> lists_;
  std::vector<Group> groups_;
  std::unordered_map<std::uint64_t, std::size_t> by_hash_;  // looked up only
};

}  // namespace

const FieldValues* LeafPeers::communicators() const {
  for (std::size_t i = 0; i < fields_.size(); ++i)
    if (specs_[i].field == Field::comm) return &fields_[i];
  return nullptr;
}

bool LeafPeers::may_name(std::size_t field) const {
  return field < fields_.size() && specs_[field].frame == PeerFrame::comm &&
         !specs_[field].is_vector;
}

std::optional<std::vector<Rank>> LeafPeers::named_by(std::size_t field, const RankList& of) const {
  const FieldValues* const communicators = this->communicators();
  if (!may_name(field) || communicators == nullptr) return std::nullopt;
  const std::vector<Rank> ranks = of.ranks();
  const auto peers = entries_of(fields_[field], ranks), indices = entries_of(*communicators, ranks);
  if (peers.empty() || indices.empty()) return std::nullopt;
  const CommunicatorTable& table = table_();
  const auto index_of = [&](Rank rank) {
    const auto at = std::lower_bound(ranks.begin(), ranks.end(), rank);
    return indices[static_cast<std::size_t>(at - ranks.begin())]->values.front();
  };
  std::vector<Rank> partners;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const FieldEntry& entry = *peers[i];
    const Rank first = entry.ranks.front();
    const std::int64_t index = index_of(ranks[i]);
    const auto from = table.frame_of(first, index_of(first)), to = table.frame_of(ranks[i], index);
    if (!from || !to) return std::nullopt;
    const std::int64_t code = recast(entry.values.front(), entry.form, *from, *to);
    const auto partner =
        code < kFirstPeer ? std::nullopt : table.world_rank(ranks[i], index, code - kFirstPeer);
    if (!partner) return std::nullopt;
    partners.push_back(*partner);
  }
  return partners;
}

// Lists seen from the other side: what a rank receives in an all-to-all is what the others send it.

std::uint64_t LeafPeers::listed_values(std::size_t field) const {
  if (field >= fields_.size() || !specs_[field].is_vector) return 0;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  Wide all = 0;
  for (const FieldEntry& entry : fields_[field])
    all += static_cast<Wide>(entry.values.size()) * static_cast<std::uint64_t>(entry.ranks.size());
  return all < kMost ? static_cast<std::uint64_t>(all) : kMost;
}

std::optional<FieldValues> LeafPeers::received_from(std::size_t field,
                                                    const RankList& ranks) const {
  const FieldValues* const communicators = this->communicators();
  if (communicators == nullptr || communicators->empty() || listed_values(field) == 0)
    return std::nullopt;
  const std::vector<Rank> members = ranks.ranks();
  if (const FieldEntry& first = communicators->front();
      !first.values.empty()) {  // in a partly merged trace, most are not here
    const auto place = table_().place(first.ranks.front(), first.values.front());
    if (place && static_cast<std::size_t>(place->size) > members.size()) return std::nullopt;
  }
  return Received(fields_[field], *communicators, members).all(table_());
}

}  // namespace reprise::trace_io
