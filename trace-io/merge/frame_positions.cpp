// SPDX-License-Identifier: MIT
#include "trace-io/merge/frame_positions.hpp"

#include <algorithm>

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
  return values.mapped([&](std::int64_t code) { return recast(code, form, *from, *to); });
}

}  // namespace reprise::trace_io
