// SPDX-License-Identifier: MIT
#include "trace-io/import/dumpi/dumpi_communicators.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace reprise::trace_io {
namespace {

// The parts of a position in a grid whose last dimension runs fastest, that are dropped or that are kept.
std::int64_t grid_color(std::int64_t position, const std::vector<std::int64_t>& dimensions,
                        const std::vector<std::int64_t>& kept) {
  std::int64_t color = 0, weight = 1;
  for (std::size_t d = dimensions.size(); d-- > 0;) {
    const std::int64_t extent = std::max<std::int64_t>(1, dimensions[d]);
    if (kept[d] == 0) {
      color += position % extent * weight;
      weight *= extent;
    }
    position /= extent;
  }
  return color;
}

}  // namespace

DumpiCommunicators::DumpiCommunicators(std::int32_t ranks)
    : ranks_(static_cast<std::size_t>(ranks)) {
  for (auto& rank : ranks_) rank.instances = {{kWorld, 0}, {kSelf, 1}};
}

std::optional<DumpiCommunicators::Fields> DumpiCommunicators::fields_of(const DumpiRecord& record) {
  const auto& name = record.procedure;
  if (name == "MPI_Comm_dup") return Fields{0, 1};
  if (name == "MPI_Comm_create") return Fields{0, 2};
  if (name == "MPI_Comm_split") return Fields{0, 3};
  if (name == "MPI_Cart_create") return Fields{0, 3};
  if (name == "MPI_Graph_create") return Fields{1, 4};
  if (name == "MPI_Cart_sub") return Fields{1, 2};
  if (name == "MPI_Intercomm_create") return Fields{0, 5};
  if (name == "MPI_Intercomm_merge") return Fields{0, 2};
  if (name == "MPI_Comm_accept" || name == "MPI_Comm_connect") return Fields{2, 3};
  if (name == "MPI_Comm_spawn") return Fields{2, 3};
  if (name == "MPI_Comm_spawn_multiple") return Fields{3, 4};
  return {};
}

void DumpiCommunicators::add_group(OneRank& rank, const DumpiRecord& record) {
  const auto& name = record.procedure;
  const auto& fields = record.scalars;
  if (name == "MPI_Comm_group") {
    const auto found = rank.instances.find(fields[0]);
    rank.groups.erase(fields[1]);
    if (found != rank.instances.end()) rank.groups[fields[1]] = {found->second, true, {}};
    return;
  }
  const bool includes = name == "MPI_Group_incl", by_ranges = name == "MPI_Group_range_incl";
  if (!name.starts_with("MPI_Group_") || fields.empty()) return;
  if (!includes && !by_ranges) {
    // Others that make a group: it is one that is not known.
    if (name == "MPI_Group_excl" || name == "MPI_Group_range_excl" || name == "MPI_Group_union" ||
        name == "MPI_Group_intersection" || name == "MPI_Group_difference")
      rank.groups.erase(fields.back());
    return;
  }
  std::vector<std::int64_t> taken;
  if (includes && !record.lists.empty()) taken = record.lists[0];
  const auto most = static_cast<std::int64_t>(ranks_.size());
  if (by_ranges)
    for (const auto& range : record.lists) {
      if (range.size() != 3 || range[2] == 0) continue;
      for (std::int64_t r = range[0];
           (range[2] > 0 ? r <= range[1] : r >= range[1]) && r >= 0 && r < most; r += range[2])
        taken.push_back(r);
    }
  const auto from = rank.groups.find(fields[0]);
  if (from == rank.groups.end()) {
    rank.groups.erase(fields[2]);
    return;
  }
  Group made{from->second.of, false, {}};
  for (const std::int64_t r : taken) {
    const auto& old = from->second;
    if (old.is_all)
      made.ranks.push_back(r);
    else if (r >= 0 && r < static_cast<std::int64_t>(old.ranks.size()))
      made.ranks.push_back(old.ranks[static_cast<std::size_t>(r)]);
  }
  rank.groups[fields[2]] = std::move(made);
}

void DumpiCommunicators::add(std::int32_t number, const DumpiRecord& record) {
  OneRank& rank = ranks_[static_cast<std::size_t>(number)];
  if (record.is_function) return;
  const auto fields = fields_of(record);
  if (!fields) return add_group(rank, record);
  const auto& values = record.scalars;
  Making making;
  const auto parent = rank.instances.find(values[fields->old_comm]);
  making.parent = parent == rank.instances.end() ? kNoInstance : parent->second;
  const std::int64_t made = values[fields->new_comm];
  making.result = made <= kNull ? kNoInstance : rank.next_instance++;
  if (made > kNull) rank.instances[made] = making.result;
  const auto& name = record.procedure;
  if (name == "MPI_Comm_dup") {
    making.way = Way::same;
  } else if (name == "MPI_Comm_split") {
    making.way = Way::split;
    making.color = values[1];
    making.key = values[2];
  } else if (name == "MPI_Comm_create") {
    making.way = Way::some;
    making.may_reorder = true;
    const auto group = rank.groups.find(values[1]);
    if (group != rank.groups.end() && group->second.of == making.parent) {
      making.may_reorder = false;
      making.list = group->second.ranks;
    }
  } else if (name == "MPI_Cart_create") {
    making.way = Way::cart;
    making.list = record.lists.empty() ? std::vector<std::int64_t>{} : record.lists[0];
    making.may_reorder = values[2] != 0;
  } else if (name == "MPI_Graph_create") {
    making.way = Way::some;
    making.may_reorder = values[3] != 0;
  } else if (name == "MPI_Cart_sub" && !record.lists.empty()) {
    making.way = Way::sub;
    making.list = record.lists[0];
  }
  if (making.parent != kNoInstance) rank.on[making.parent].push_back(rank.makings.size());
  rank.makings.push_back(std::move(making));
}

void DumpiCommunicators::resolve(ImportedJob& job) {
  std::vector<std::int32_t> all(ranks_.size());
  std::iota(all.begin(), all.end(), 0);
  job.add_communicator(all);
  job.add_self();
  std::vector<Known> known = {{all, std::vector<std::size_t>(all.size(), 0), {}}};
  for (const std::int32_t rank : all) known.push_back({{rank}, {1}, {}});
  while (!known.empty()) {
    std::vector<Known> next;
    for (const Known& one : known) make_on(one, job, next);
    known = std::move(next);
  }
}

void DumpiCommunicators::make_on(const Known& old, ImportedJob& job, std::vector<Known>& next) {
  for (std::size_t k = 0;; ++k) {
    std::vector<Making*> calls;
    for (std::size_t m = 0; m < old.members.size(); ++m) {
      OneRank& rank = ranks_[static_cast<std::size_t>(old.members[m])];
      const auto found = rank.on.find(old.instances[m]);
      if (found == rank.on.end() || k >= found->second.size()) return;
      calls.push_back(&rank.makings[found->second[k]]);
      if (calls.back()->way != calls.front()->way) return;
    }
    make(old, calls, job, next);
  }
}

void DumpiCommunicators::make(const Known& old, const std::vector<Making*>& calls, ImportedJob& job,
                              std::vector<Known>& next) {
  const Way way = calls.front()->way;
  if (way == Way::unknown) return;
  const auto& kept = calls.front()->list;
  if (way == Way::sub && (old.dimensions.empty() || kept.size() != old.dimensions.size())) return;
  // Of each member: the color of its new communicator, then its place in it.
  std::vector<std::tuple<std::int64_t, std::int64_t, std::size_t>> order;
  bool is_assumed = false;
  for (std::size_t m = 0; m < calls.size(); ++m) {
    const Making& call = *calls[m];
    if (call.result == kNoInstance) continue;
    std::int64_t color = 0, key = 0;
    if (way == Way::split)
      color = call.color, key = call.key;
    else if (way == Way::sub)
      color = grid_color(static_cast<std::int64_t>(m), old.dimensions, kept);
    else if (way == Way::some && !call.list.empty())
      key = std::find(call.list.begin(), call.list.end(), static_cast<std::int64_t>(m)) -
            call.list.begin();
    is_assumed |= call.may_reorder;
    order.emplace_back(color, key, m);
  }
  std::sort(order.begin(), order.end());
  if (is_assumed) ++orders_assumed_;
  for (std::size_t begin = 0; begin < order.size();) {
    Known made;
    if (way == Way::cart) made.dimensions = kept;
    const std::size_t first = begin;
    for (; begin < order.size() && std::get<0>(order[begin]) == std::get<0>(order[first]);
         ++begin) {
      const std::size_t m = std::get<2>(order[begin]);
      made.members.push_back(old.members[m]);
      made.instances.push_back(calls[m]->result);
    }
    if (way == Way::same) made.dimensions = old.dimensions;
    if (way == Way::sub)
      for (std::size_t d = 0; d < kept.size(); ++d)
        if (kept[d] != 0) made.dimensions.push_back(old.dimensions[d]);
    const std::uint32_t number = job.add_communicator(made.members);
    for (std::size_t i = first; i < begin; ++i) calls[std::get<2>(order[i])]->made = number;
    next.push_back(std::move(made));
  }
}

std::optional<std::uint32_t> DumpiCommunicators::made(std::int32_t rank, std::size_t nth) const {
  const auto& makings = ranks_[static_cast<std::size_t>(rank)].makings;
  return nth < makings.size() ? makings[nth].made : std::nullopt;
}

}  // namespace reprise::trace_io
