// SPDX-License-Identifier: MIT
#include "sim/engine/compute/core_sharing.hpp"

#include <algorithm>
#include <functional>

namespace reprise::sim {

CoreSharing::CoreSharing(std::span<const platforms::RankLocation> locations,
                         const platforms::Nodes& nodes, const Disturbances* disturbances) {
  for (const auto& location : locations) {
    node_of_.push_back(location.node);
    if (ranks_on_.size() <= location.node) ranks_on_.resize(location.node + 1);
    ++ranks_on_[location.node];
  }
  for (std::uint32_t node = 0; node < ranks_on_.size(); ++node) {
    cores_.push_back(nodes.cores_of(node));
    if (is_shared(node)) any_shared_ = true;
  }
  if (any_shared_) nodes_.resize(ranks_on_.size());
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    nodes_[node].cores = cores_[node];
    if (disturbances != nullptr)
      nodes_[node].speed = disturbances->speed_of_node(static_cast<platforms::NodeIndex>(node));
  }
}

double CoreSharing::rate(const Node& node) const {
  return std::min(1.0, node.cores / static_cast<double>(node.stretches.size()));
}

void CoreSharing::update(Node& node, double now) const {
  const double passed =
      node.speed == nullptr ? now - node.updated : node.speed->done(node.updated, now);
  if (!node.stretches.empty()) node.virtual_time += passed * rate(node);
  node.updated = now;
}

CoreSharing::End CoreSharing::next_end(std::uint32_t index, double now) {
  Node& node = nodes_[index];
  const double left = std::max(0.0, node.stretches.front().end - node.virtual_time);
  const std::uint32_t ticket = tickets_.take();
  tickets_[ticket] = {index, ++node.changes};
  const double alone = left / rate(node);
  return {node.speed == nullptr ? now + alone : node.speed->end(now, alone), ticket};
}

CoreSharing::End CoreSharing::begin(std::int32_t rank, std::uint32_t actor, double work,
                                    double now) {
  const std::uint32_t index = node_of_[static_cast<std::size_t>(rank)];
  Node& node = nodes_[index];
  update(node, now);
  node.stretches.push_back({node.virtual_time + work, sequence_++, actor});
  std::push_heap(node.stretches.begin(), node.stretches.end(), std::greater<>{});
  return next_end(index, now);
}

std::optional<CoreSharing::End> CoreSharing::on_end(std::uint32_t number, double now,
                                                    std::vector<std::uint32_t>& done) {
  const Ticket ticket = tickets_[number];
  tickets_.give_back(number);
  Node& node = nodes_[ticket.node];
  if (ticket.change != node.changes) return std::nullopt;
  update(node, now);
  // The first stretch ends now by construction; those that end with it but for rounding end with it.
  const double end = node.stretches.front().end, margin = 1e-12 * std::max(1.0, end);
  while (!node.stretches.empty() && node.stretches.front().end <= end + margin) {
    done.push_back(node.stretches.front().actor);
    std::pop_heap(node.stretches.begin(), node.stretches.end(), std::greater<>{});
    node.stretches.pop_back();
  }
  if (node.stretches.empty()) return std::nullopt;
  return next_end(ticket.node, now);
}

}  // namespace reprise::sim
