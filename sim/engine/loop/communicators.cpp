// SPDX-License-Identifier: MIT
#include "sim/engine/loop/communicators.hpp"

namespace reprise::sim {

CommunicatorView* Communicators::view(std::int32_t rank, std::int64_t index) {
  auto& views = views_[static_cast<std::size_t>(rank)];
  const auto at = static_cast<std::size_t>(index);
  if (index >= 0 && at < views.size() && views[at]) return views[at].get();
  const auto place = table_.place(Rank{rank}, index);
  if (!place) return nullptr;
  if (views.size() <= at) views.resize(at + 1);
  views[at] = std::make_unique<CommunicatorView>();
  CommunicatorView& view = *views[at];
  view.place = *place;
  view.number = place->definition ? *place->definition + 2 : static_cast<std::uint32_t>(index);
  view.context = view.number;
  return &view;
}

std::int32_t Communicators::group_member(std::uint32_t number, std::uint32_t group,
                                         std::int32_t m) const {
  if (number == 0) return m < ranks() ? m : -1;
  if (number == 1) return -1;
  const auto rank = table_.member(number - 2, group, m);
  return rank ? rank->value : -1;
}

std::uint32_t Communicators::entered(std::int32_t rank, std::uint32_t number) const {
  for (const auto& view : views_[static_cast<std::size_t>(rank)])
    if (view && view->number == number) return view->entered;
  return 0;
}

bool Communicators::is_member(std::int32_t rank, std::uint32_t number) const {
  if (number <= 1) return number == 0;
  for (const std::uint32_t group : {0U, 1U})
    for (std::int32_t m = 0;; ++m) {
      const std::int32_t member = group_member(number, group, m);
      if (member == rank) return true;
      if (member < 0) break;
    }
  return false;
}

std::int32_t Communicators::peer(std::int32_t rank, const CommunicatorView& view,
                                 std::int64_t peer) const {
  if (peer < 0 || peer >= view.frame_size()) return -1;
  if (view.number == 1) return rank;
  const std::uint32_t group = view.place.is_inter() ? 1 - view.place.group : view.place.group;
  return group_member(view.number, group, static_cast<std::int32_t>(peer));
}

std::int32_t Communicators::member(std::int32_t rank, const CommunicatorView& view,
                                   std::int32_t member) const {
  if (view.number == 1) return rank;
  if (member < view.place.size) return group_member(view.number, view.place.group, member);
  return group_member(view.number, 1 - view.place.group, member - view.place.size);
}

}  // namespace reprise::sim
