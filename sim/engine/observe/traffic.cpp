// SPDX-License-Identifier: MIT
#include "sim/engine/observe/traffic.hpp"

#include <algorithm>

namespace reprise::sim {

TrafficMeter::TrafficMeter(const platforms::Platform& platform,
                           std::vector<platforms::NodeIndex> end_of_rank,
                           std::span<const LinkChange> changes)
    : platform_(platform),
      ends_(std::move(end_of_rank)),
      routes_(platforms::make_route_table(platform_)),
      conditions_(std::make_unique<LinkConditions>(*routes_, changes)),
      cache_(*routes_),
      links_(routes_->link_count() + (routes_->receiver_bound() ? ends_.size() : 0)),
      cells_(std::min(ends_.size(), kCells)),
      matrix_(cells_ * cells_) {}

void TrafficMeter::add(const Kind& kind, std::uint64_t times) {
  const auto from = ends_[static_cast<std::size_t>(kind.from)],
             to = ends_[static_cast<std::size_t>(kind.to)];
  const Bytes bytes{kind.bytes};
  const double wire = static_cast<double>(times) * static_cast<double>(bytes.value);
  const RouteCache::Route route = cache_.find(from, to);
  const double taken =
      static_cast<double>(times) * platform_.mpi_between_ends(from, to)
                                       .passage(bytes, route.latency, route.bandwidth)
                                       .wire_bytes;
  for (const auto link : route.links) {
    // In place of the one that stands for all receivers, that of this one.
    LinkLoad& load = link == routes_->receiver_bound()
                         ? links_[routes_->link_count() + static_cast<std::size_t>(kind.to)]
                         : links_[link];
    load.bytes += wire;
    load.busy += taken / routes_->link(link).bandwidth.value;
  }
  Cell& cell = matrix_[cell_of(kind.from) * cells_ + cell_of(kind.to)];
  cell.messages += times;
  cell.bytes += times * kind.bytes;
}

double TrafficMeter::mean_bandwidth(std::size_t link, Seconds run_time) const {
  if (link >= routes_->link_count() || run_time.value <= 0) return 1;
  return conditions_->mean_bandwidth(static_cast<platforms::LinkIndex>(link), run_time.value);
}

std::int32_t TrafficMeter::first_rank(std::size_t cell) const {
  return static_cast<std::int32_t>((cell * ends_.size() + cells_ - 1) / cells_);
}

void TrafficPairs::add(std::int32_t from, const Cell& more) {
  auto& row = rows_[static_cast<std::size_t>(from)];
  const auto place =
      std::lower_bound(row.begin(), row.end(), more.to,
                       [](const Cell& cell, std::int32_t to) { return cell.to < to; });
  if (place == row.end() || place->to != more.to) {
    row.insert(place, more);
    return;
  }
  place->messages += more.messages;
  place->bytes += more.bytes;
}

std::uint64_t TrafficPairs::messages() const {
  std::uint64_t sum = 0;
  for (const auto& row : rows_)
    for (const Cell& cell : row) sum += cell.messages;
  return sum;
}

std::uint64_t TrafficPairs::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& row : rows_)
    for (const Cell& cell : row) sum += cell.bytes;
  return sum;
}

}  // namespace reprise::sim
