// SPDX-License-Identifier: MIT
#include "trace-io/import/ranks/imported_job.hpp"

#include <algorithm>
#include <numeric>

namespace reprise::trace_io {

bool ImportedCommunicator::has(std::int32_t rank) const {
  return extent == Extent::world || extent == Extent::self ||
         std::find(members.begin(), members.end(), rank) != members.end() ||
         std::find(remote.begin(), remote.end(), rank) != remote.end();
}

std::int32_t ImportedCommunicator::place_of(std::int32_t rank) const {
  if (extent == Extent::world) return rank;
  if (extent == Extent::self) return 0;
  for (const auto* group : {&members, &remote})
    if (const auto found = std::find(group->begin(), group->end(), rank); found != group->end())
      return static_cast<std::int32_t>(found - group->begin());
  return -1;
}

std::int32_t ImportedCommunicator::world_rank(std::int32_t place, std::int32_t self) const {
  if (extent == Extent::world) return place;
  if (extent == Extent::self) return place == 0 ? self : -1;
  if (place < 0 || static_cast<std::size_t>(place) >= members.size()) return -1;
  return members[static_cast<std::size_t>(place)];
}

std::uint32_t ImportedJob::add_communicator(std::vector<std::int32_t> members,
                                            std::vector<std::int32_t> remote) {
  using Extent = ImportedCommunicator::Extent;
  if (!remote.empty() && *std::min_element(remote.begin(), remote.end()) <
                             *std::min_element(members.begin(), members.end()))
    std::swap(members, remote);  // group 0 is the one with the lowest rank
  ImportedCommunicator added{Extent::group, std::move(members), std::move(remote), 0};
  added.copy = copies_[{added.members, added.remote}]++;
  if (!added.is_inter() && added.copy == 0 &&
      added.members.size() == static_cast<std::size_t>(ranks)) {
    std::vector<std::int32_t> all(added.members.size());
    std::iota(all.begin(), all.end(), 0);
    if (added.members == all) added.extent = Extent::world;
  }
  communicators_.push_back(std::move(added));
  return static_cast<std::uint32_t>(communicators_.size() - 1);
}

std::uint32_t ImportedJob::add_self() {
  communicators_.push_back({ImportedCommunicator::Extent::self, {}, {}, 0});
  return static_cast<std::uint32_t>(communicators_.size() - 1);
}

ImportedJob::FrameId ImportedJob::frame(std::string_view function, std::string_view file,
                                        std::uint32_t line) {
  const auto [known, is_new] = frame_ids_.try_emplace(
      {std::string(function), std::string(file), line}, static_cast<FrameId>(frames_.size()));
  if (is_new)
    frames_.push_back({Frame{0, known->second}, std::string(function), std::string(file), line});
  return known->second;
}

}  // namespace reprise::trace_io
