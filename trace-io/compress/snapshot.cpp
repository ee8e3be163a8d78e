// SPDX-License-Identifier: MIT
#include "trace-io/compress/snapshot.hpp"

#include <algorithm>
#include <utility>

namespace reprise::trace_io {
namespace {

FieldValues only_entry(const RankList& rank, ValueSequence values, ValueSequence lengths = {}) {
  return {FieldEntry{rank, PeerForm::absolute, std::move(values), std::move(lengths)}};
}

Leaf snapshot(const FoldLeaf& from, const RankList& rank) {
  Leaf leaf;
  leaf.site = from.site;
  leaf.fields.reserve(from.scalars.size() + from.vectors.size());
  for (const auto& values : from.scalars) leaf.fields.push_back(only_entry(rank, values));
  for (const auto& vector : from.vectors)
    leaf.fields.push_back(only_entry(rank, vector.values, vector.lengths));
  for (const auto& path : from.paths)
    leaf.compute.push_back({path.predecessor, {DeltaClass{rank, path.compute}}});
  std::ranges::sort(leaf.compute, {}, &PathDeltas::predecessor);
  leaf.communicate = {DeltaClass{rank, from.communicate}};
  leaf.polls = from.polls;
  return leaf;
}

Loop snapshot(const FoldLoop& from, const RankList& rank) {
  ValueSequence iterations = from.iterations, exits = from.exits;
  iterations.append(static_cast<std::int64_t>(from.passes));
  exits.append(static_cast<std::int64_t>(from.position));
  return {only_entry(rank, std::move(iterations)), only_entry(rank, std::move(exits)),
          snapshot(from.body, rank)};
}

std::size_t heap_bytes(const ValueSequence& sequence) {
  const std::size_t terms = sequence.term_count();
  return terms > 1 ? terms * sizeof(ValueSequence::Term) : 0;
}

std::size_t heap_bytes(const Distribution& durations) {
  return durations.bins().size_bytes() + durations.range_bytes();
}

std::size_t heap_bytes(const FoldLeaf& leaf) {
  std::size_t bytes = heap_bytes(leaf.communicate);
  for (const auto& values : leaf.scalars) bytes += sizeof values + heap_bytes(values);
  for (const auto& vector : leaf.vectors)
    bytes += sizeof vector + heap_bytes(vector.values) + heap_bytes(vector.lengths);
  for (const auto& path : leaf.paths) bytes += sizeof path + heap_bytes(path.compute);
  return bytes;
}

}  // namespace

std::vector<Node> snapshot(const FoldBody& body, const RankList& rank) {
  std::vector<Node> nodes;
  nodes.reserve(body.size());
  for (const auto& node : body) {
    if (const FoldLeaf* leaf = node->leaf())
      nodes.push_back({rank, snapshot(*leaf, rank)});
    else
      nodes.push_back({rank, snapshot(*node->loop(), rank)});
  }
  return nodes;
}

std::size_t memory_bytes(const FoldBody& body) {
  std::size_t bytes = body.capacity() * sizeof body.front();
  for (const auto& node : body) {
    bytes += sizeof *node;
    if (const FoldLeaf* leaf = node->leaf())
      bytes += heap_bytes(*leaf);
    else
      bytes += heap_bytes(node->loop()->iterations) + heap_bytes(node->loop()->exits) +
               memory_bytes(node->loop()->body);
  }
  return bytes;
}

namespace {

void coarsen(Distribution& durations, std::uint32_t bins) {
  Distribution coarse(bins, durations.rule());
  coarse.merge(durations);  // the smaller limit holds
  durations = std::move(coarse);
}

}  // namespace

void coarsen(const FoldBody& body, std::uint32_t bins) {
  for (const auto& node : body) {
    if (FoldLeaf* leaf = node->leaf()) {
      coarsen(leaf->communicate, bins);
      for (auto& path : leaf->paths) coarsen(path.compute, bins);
    } else {
      coarsen(node->loop()->body, bins);
    }
  }
}

}  // namespace reprise::trace_io
