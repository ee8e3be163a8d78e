// SPDX-License-Identifier: MIT
#include "sim/engine/compute/node_sharing.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace reprise::sim {

NodeSharing::NodeSharing(std::span<const platforms::RankLocation> locations,
                         const platforms::Nodes& nodes, const Disturbances* disturbances,
                         BytesPerSecond demand) {
  std::vector<double> ranks_on;
  for (const auto& location : locations) {
    node_of_.push_back(location.node);
    if (ranks_on.size() <= location.node) ranks_on.resize(location.node + 1);
    ++ranks_on[location.node];
  }
  const auto bandwidth = [&](std::uint32_t node) {
    return demand.value > 0 ? nodes.memory_bandwidth_of(node).value_or(BytesPerSecond{}).value : 0;
  };
  for (std::uint32_t node = 0; node < ranks_on.size(); ++node) {
    const double memory = bandwidth(node);
    is_shared_.push_back(ranks_on[node] > nodes.cores_of(node) ||
                         (memory > 0 && ranks_on[node] * demand.value > memory));
    any_shared_ = any_shared_ || is_shared_.back();
  }
  if (any_shared_) nodes_.resize(ranks_on.size());
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    nodes_[node].cores = nodes.cores_of(node);
    nodes_[node].bandwidth = bandwidth(node);
    if (disturbances != nullptr)
      nodes_[node].speed = disturbances->speed_of_node(static_cast<platforms::NodeIndex>(node));
  }
}

// Classes without stretches are dropped, so that there are never more of them than stretches.
void NodeSharing::set_speeds(Node& node) {
  std::size_t kept = 0, stretches = 0;
  for (std::size_t i = 0; i < node.classes.size(); ++i) {
    if (node.classes[i].stretches.empty() && node.classes.size() > 1) continue;
    if (kept != i) {
      node.classes[kept] = std::move(node.classes[i]);
      node.demands[kept] = node.demands[i];
    }
    node.demands[kept].stretches = node.classes[kept].stretches.size();
    stretches += node.demands[kept++].stretches;
  }
  node.classes.resize(kept);
  node.demands.resize(kept);
  if (stretches == 0) return;
  const double of_cores = std::min(1.0, node.cores / static_cast<double>(stretches));
  if (node.bandwidth > 0) return share_memory(node.demands, of_cores, node.bandwidth);
  for (MemoryDemand& demand : node.demands) demand.speed = of_cores;
}

void NodeSharing::update(Node& node, double now) {
  const double passed =
      node.speed == nullptr ? now - node.updated : node.speed->done(node.updated, now);
  for (std::size_t i = 0; i < node.classes.size(); ++i) {
    Class& one = node.classes[i];
    if (one.stretches.empty()) continue;
    const double done = passed * node.demands[i].speed;
    one.virtual_time += done;
    if (!node.demands[i].is_bound || now <= node.updated) continue;
    one.at_memory += now - node.updated;
    one.longer += now - node.updated - done;
    node.was_at_memory = true;
  }
  node.updated = now;
}

NodeSharing::Class& NodeSharing::class_of(Node& node, double demand) {
  const auto at =
      std::ranges::lower_bound(node.demands, demand, {}, &MemoryDemand::bytes_per_second);
  const auto index = at - node.demands.begin();
  if (at != node.demands.end() && at->bytes_per_second == demand)
    return node.classes[static_cast<std::size_t>(index)];
  node.demands.insert(at, {demand, 0, 1, false});
  return *node.classes.insert(node.classes.begin() + index, Class{});
}

NodeSharing::End NodeSharing::next_end(std::uint32_t index, double now) {
  Node& node = nodes_[index];
  set_speeds(node);
  double alone = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < node.classes.size(); ++i) {
    const Class& one = node.classes[i];
    if (one.stretches.empty()) continue;
    const double left = std::max(0.0, one.stretches.front().end - one.virtual_time);
    alone = std::min(alone, left / node.demands[i].speed);
  }
  const std::uint32_t ticket = tickets_.take();
  tickets_[ticket] = {index, ++node.changes};
  return {node.speed == nullptr ? now + alone : node.speed->end(now, alone), ticket};
}

NodeSharing::End NodeSharing::begin(std::int32_t rank, std::uint32_t actor, double work,
                                    double demand, double now) {
  const std::uint32_t index = node_of_[static_cast<std::size_t>(rank)];
  Node& node = nodes_[index];
  update(node, now);
  Class& one = class_of(node, node.bandwidth > 0 ? demand : 0);
  one.stretches.push_back({one.virtual_time + work, sequence_++, actor, one.at_memory, one.longer});
  std::push_heap(one.stretches.begin(), one.stretches.end(), std::greater<>{});
  return next_end(index, now);
}

std::optional<NodeSharing::End> NodeSharing::on_end(std::uint32_t number, double now,
                                                    std::vector<Ended>& done) {
  const Ticket ticket = tickets_[number];
  tickets_.give_back(number);
  Node& node = nodes_[ticket.node];
  if (ticket.change != node.changes) return std::nullopt;
  update(node, now);
  // Some stretch ends now by construction; those that end with it but for rounding end with it.
  std::vector<std::pair<std::uint64_t, Ended>> ended;
  const auto end_of = [&](std::size_t i) {
    return std::max(0.0, node.classes[i].stretches.front().end - node.classes[i].virtual_time) /
           node.demands[i].speed;
  };
  double first = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < node.classes.size(); ++i)
    if (!node.classes[i].stretches.empty()) first = std::min(first, end_of(i));
  bool is_any_left = false;
  for (std::size_t i = 0; i < node.classes.size(); ++i) {
    Class& one = node.classes[i];
    if (one.stretches.empty()) continue;
    const double end = one.stretches.front().end, margin = 1e-12 * std::max(1.0, end);
    if (end_of(i) <= first + margin)
      while (!one.stretches.empty() && one.stretches.front().end <= end + margin) {
        const Stretch& over = one.stretches.front();
        ended.push_back({over.sequence,
                         {over.actor, one.at_memory - over.at_memory, one.longer - over.longer}});
        std::pop_heap(one.stretches.begin(), one.stretches.end(), std::greater<>{});
        one.stretches.pop_back();
      }
    is_any_left = is_any_left || !one.stretches.empty();
  }
  if (node.classes.size() > 1) std::ranges::sort(ended, {}, &decltype(ended)::value_type::first);
  for (const auto& [sequence, one] : ended) done.push_back(one);
  if (!is_any_left) return std::nullopt;
  return next_end(ticket.node, now);
}

std::uint32_t NodeSharing::nodes_at_memory() const {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(nodes_, [](const Node& node) { return node.was_at_memory; }));
}

}  // namespace reprise::sim
