// SPDX-License-Identifier: MIT
#include "trace-io/file/leaf_peers.hpp"

#include <algorithm>
#include <utility>

namespace reprise::trace_io {
namespace {

// Each rank's entry, in the order of the ranks; empty unless every entry is of one value.
std::vector<const FieldEntry*> entries_of(const FieldValues& field,
                                          const std::vector<Rank>& ranks) {
  std::vector<std::pair<Rank, const FieldEntry*>> all;
  for (const FieldEntry& entry : field) {
    if (entry.values.empty() || !entry.values.is_constant()) return {};
    for (const Rank rank : entry.ranks.ranks()) all.emplace_back(rank, &entry);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto is_of = [](const auto& a, Rank b) { return a.first == b; };
  if (!std::equal(all.begin(), all.end(), ranks.begin(), ranks.end(), is_of)) return {};
  std::vector<const FieldEntry*> entries;
  for (const auto& [rank, entry] : all) entries.push_back(entry);
  return entries;
}

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

}  // namespace reprise::trace_io
