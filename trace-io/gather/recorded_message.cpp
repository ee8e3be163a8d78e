// SPDX-License-Identifier: MIT
#include "trace-io/gather/recorded_message.hpp"

#include <algorithm>
#include <utility>

#include "trace-io/gather/leaf_stream.hpp"
#include "trace-io/gather/message_parts.hpp"
#include "trace-io/merge/leaf_union.hpp"
#include "trace-io/merge/tables.hpp"
#include "trace-io/model/communicators.hpp"
#include "trace-io/order/order_fit.hpp"

namespace reprise::trace_io {
namespace {

using Threads = std::span<const ThreadCompressor* const>;

constexpr std::size_t kOfStructure =
    4;  // bytes of a message for one of the structure, mostly fewer

class RecordedNodes final : public ProgramVisitor {
 public:
  RecordedNodes(ByteWriter& out, const RankList& own) : contents_(out), own_(own) {}

  void begin_nodes(std::size_t) override {}
  void loop(Loop& head) override {
    contents_.ranks(own_, own_);
    contents_.loop(head, own_);
  }
  void leaf(Leaf& leaf) override {
    contents_.ranks(own_, own_);
    contents_.leaf(leaf, own_);
  }

 private:
  LeafWriter contents_;
  const RankList& own_;
};

class RecordedNesting final : public ProgramVisitor {
 public:
  explicit RecordedNesting(ByteWriter& nesting) : nesting_(nesting) {}

  void begin_nodes(std::size_t count) override { nesting_.nodes(count); }
  void loop(Loop&) override { nesting_.loop(); }
  void leaf(Leaf& leaf) override { nesting_.leaf(leaf.site); }

 private:
  NestingWriter nesting_;
};

std::vector<std::byte> structure_of(const Trace& tables, Threads threads) {
  ByteWriter structure;
  put_tables(structure, tables);
  structure.put(threads.size());
  RecordedNesting nesting(structure);
  for (const ThreadCompressor* thread : threads) thread->visit_nesting(nesting);
  return structure.take();
}

// Unites each node with what another rank has at the same place, and writes it.
class UnitedNodes final : public ProgramVisitor {
 public:
  UnitedNodes(LeafReader& theirs, const RankList& their_ranks, const LeafUnion& leaves,
              ByteWriter& out, const RankList& both)
      : theirs_(theirs), their_ranks_(their_ranks), leaves_(leaves), contents_(out), both_(both) {}

  void begin_nodes(std::size_t) override {}
  void loop(Loop& head) override {
    if (is_too_much()) return;
    take_ranks();
    Loop other;
    theirs_.loop(other, their_ranks_);
    leaves_.unite_heads(head, other);
    contents_.ranks(both_, both_);
    contents_.loop(head, both_);
  }
  void leaf(Leaf& leaf) override {
    if (is_too_much()) return;
    take_ranks();
    other_.site = leaf.site;
    other_.fields.resize(leaf.fields.size());
    theirs_.leaf(other_, their_ranks_);
    leaves_.unite(leaf, other_);
    for (const PathDeltas& path : leaf.compute)
      for (const DeltaClass& delta : path.classes) kept_ += kept_durations(delta);
    contents_.ranks(both_, both_);
    contents_.leaf(leaf, both_);
  }
  // Which of the logs stay is a question for all of them.
  bool is_too_much() const { return kept_ > kMostKept; }

 private:
  // Every node of one rank's program is that rank's.
  void take_ranks() { theirs_.ranks(their_ranks_); }

  LeafReader& theirs_;
  const RankList& their_ranks_;
  const LeafUnion& leaves_;
  LeafWriter contents_;
  const RankList& both_;
  Leaf other_;  // its memory is used again and again
  std::size_t kept_ = 0;
};

// All before the nodes.
void put_head(ByteWriter& out, std::span<const std::byte> structure, const Trace& tables) {
  out.put(kNodeByNode);
  out.put_bytes(structure);
  put_payload(out, other_tables(tables));
}

}  // namespace

std::vector<std::byte> message_of_recording(const Trace& tables, Threads threads) {
  ByteWriter out;
  {
    const std::vector<std::byte> structure = structure_of(tables, threads);
    out.expect(kOfStructure * structure.size());
    put_head(out, structure, tables);
  }
  RecordedNodes nodes(out, tables.header.recorded);
  for (const ThreadCompressor* thread : threads) thread->visit(nodes, tables.header.recorded);
  return with_sum(out.take());
}

std::optional<std::vector<std::byte>> message_of_both(Trace tables, Threads threads,
                                                      std::span<const std::byte> message,
                                                      const std::string& from) {
  ByteReader in(without_sum(message, from), from);
  if (in.take() == kWhole) return std::nullopt;
  const std::span<const std::byte> structure = in.take_bytes();
  const Trace other = take_payload(in, from);
  check_one_job(tables, other);
  const RankList own = tables.header.recorded, theirs = other.header.recorded;
  if (theirs.size() != 1 || theirs.front() < own.front() ||
      !std::ranges::equal(structure, structure_of(tables, threads)))
    return std::nullopt;

  RankUnions unions;
  unite_tables(tables, other, unions);
  if (is_to_be_sent_whole(tables)) return std::nullopt;
  const CommunicatorTable communicators(tables);
  const LeafUnion leaves(tables, communicators, unions);
  LeafReader reader(in, other.header.ranks, other.header.bin_rule);
  ByteWriter out;
  out.expect(message.size() * 3 / 2);
  put_head(out, structure, tables);
  UnitedNodes nodes(reader, theirs, leaves, out, tables.header.recorded);
  for (const ThreadCompressor* thread : threads) thread->visit(nodes, own);
  if (nodes.is_too_much()) return std::nullopt;
  return with_sum(out.take());
}

}  // namespace reprise::trace_io
