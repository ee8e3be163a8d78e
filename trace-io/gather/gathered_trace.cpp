// SPDX-License-Identifier: MIT
#include "trace-io/gather/gathered_trace.hpp"

#include <algorithm>
#include <utility>

#include "trace-io/gather/byte_stream.hpp"
#include "trace-io/gather/leaf_stream.hpp"
#include "trace-io/gather/message_parts.hpp"
#include "trace-io/merge/leaf_union.hpp"
#include "trace-io/merge/merge.hpp"
#include "trace-io/merge/tables.hpp"
#include "trace-io/model/communicators.hpp"
#include "trace-io/order/order_fit.hpp"

namespace reprise::trace_io {
namespace {

void put_nesting(NestingWriter& out, const std::vector<Node>& nodes) {
  out.nodes(nodes.size());
  for (const Node& node : nodes) {
    if (const Loop* loop = std::get_if<Loop>(&node.content)) {
      out.loop();
      put_nesting(out, loop->body);
    } else {
      out.leaf(std::get<Leaf>(node.content).site);
    }
  }
}

// `fields`: how many each site has.
void take_nesting(ByteReader& in, std::vector<Node>& nodes, SiteId& next,
                  const std::vector<std::size_t>& fields, int depth) {
  if (depth > kMaxNesting) in.refuse();
  nodes.resize(in.count());
  for (Node& node : nodes) {
    const std::uint64_t head = in.take();
    if (head == 0) {
      take_nesting(in, node.content.emplace<Loop>().body, next, fields, depth + 1);
      continue;
    }
    Leaf& leaf = std::get<Leaf>(node.content);
    leaf.site = static_cast<SiteId>(std::int64_t{next} + unzigzag(head - 1));
    if (leaf.site >= fields.size()) in.refuse();
    leaf.fields.resize(fields[leaf.site]);
    next = leaf.site + 1;
  }
}

void put_nodes(LeafWriter& out, const std::vector<Node>& nodes, const RankList& context) {
  for (const Node& node : nodes) {
    out.ranks(node.ranks, context);
    if (const Loop* loop = std::get_if<Loop>(&node.content)) {
      out.loop(*loop, node.ranks);
      put_nodes(out, loop->body, node.ranks);
    } else {
      out.leaf(std::get<Leaf>(node.content), node.ranks);
    }
  }
}

void take_nodes(LeafReader& in, std::vector<Node>& nodes, const RankList& context) {
  for (Node& node : nodes) {
    node.ranks = in.ranks(context);
    if (Loop* loop = std::get_if<Loop>(&node.content)) {
      in.loop(*loop, node.ranks);
      take_nodes(in, loop->body, node.ranks);
    } else {
      in.leaf(std::get<Leaf>(node.content), node.ranks);
    }
  }
}

// Unites what is read with the nodes, which are nested alike.
class UnionInStep {
 public:
  UnionInStep(LeafReader& in, const LeafUnion& leaves) : in_(in), leaves_(leaves) {}

  void unite(std::vector<Node>& nodes, const RankList& context) {
    for (Node& node : nodes) {
      const RankList ranks = in_.ranks(context);
      if (Loop* loop = std::get_if<Loop>(&node.content)) {
        Loop other;
        in_.loop(other, ranks);
        unite(loop->body, ranks);
        leaves_.unite_heads(*loop, other);
      } else {
        Leaf& leaf = std::get<Leaf>(node.content);
        other_.site = leaf.site;
        other_.fields.resize(leaf.fields.size());
        in_.leaf(other_, ranks);
        leaves_.unite(leaf, other_);
        for (const PathDeltas& path : leaf.compute)
          for (const DeltaClass& delta : path.classes)
            kept_durations_ += trace_io::kept_durations(delta);
      }
      node.ranks = leaves_.united(node.ranks, ranks);
    }
  }
  // As limit_logs() limits them, in what was united.
  std::size_t kept_durations() const { return kept_durations_; }

 private:
  LeafReader& in_;
  const LeafUnion& leaves_;
  Leaf other_;  // its memory is used again and again
  std::size_t kept_durations_ = 0;
};

std::vector<std::size_t> field_counts(const Trace& trace) {
  std::vector<std::size_t> of_procedure, of_site;
  for (const std::string& name : trace.procedures)
    of_procedure.push_back(fields(procedure_named(name)).size());
  for (const Site& site : trace.sites) of_site.push_back(of_procedure.at(site.procedure));
  return of_site;
}

// Ranks unite in pairs (recorder/finish/merge_tree.hpp): the first one's number says how many there will be.
std::int32_t ranks_in_the_end(Rank first, std::int32_t all) {
  return first.value == 0 ? all : std::min(first.value & -first.value, all - first.value);
}

// Into a trace that has the other tables.
void take_programs(Trace& trace, std::span<const std::byte> structure, LeafReader& leaves,
                   const std::string& from) {
  ByteReader in(structure, from);
  take_tables(in, trace);
  const std::vector<std::size_t> fields = field_counts(trace);
  trace.threads.resize(in.count());
  SiteId next = 0;
  for (auto& program : trace.threads) take_nesting(in, program, next, fields, 0);
  for (auto& program : trace.threads) take_nodes(leaves, program, trace.header.recorded);
}

}  // namespace

Trace trace_of_message(std::span<const std::byte> message, const std::string& from) {
  ByteReader in(without_sum(message, from), from);
  if (in.take() == kWhole) return take_payload(in, from);
  const std::span<const std::byte> structure = in.take_bytes();
  Trace trace = take_payload(in, from);
  LeafReader leaves(in, trace.header.ranks, trace.header.bin_rule);
  take_programs(trace, structure, leaves, from);
  return trace;
}

// Only from what is the same for all ranks of a program: ranks of equal structure have equal bytes.
const std::vector<std::byte>& GatheredTrace::structure() {
  if (!structure_.empty()) return structure_;
  ByteWriter out;
  put_tables(out, trace_);
  out.put(trace_.threads.size());
  NestingWriter nesting(out);
  for (const auto& program : trace_.threads) put_nesting(nesting, program);
  structure_ = out.take();
  return structure_;
}

std::vector<std::byte> GatheredTrace::message() {
  ByteWriter out;
  if (is_to_be_sent_whole(trace_)) {
    out.put(kWhole);
    put_payload(out, trace_);
    return with_sum(out.take());
  }
  out.expect(received_ * 3 / 2);
  out.put(kNodeByNode);
  out.put_bytes(structure());
  put_payload(out, other_tables(trace_));
  LeafWriter leaves(out);
  for (const auto& program : trace_.threads) put_nodes(leaves, program, trace_.header.recorded);
  return with_sum(out.take());
}

void GatheredTrace::add(std::span<const std::byte> message, const std::string& from) {
  received_ = std::max(received_, message.size());
  ByteReader in(without_sum(message, from), from);
  const std::uint64_t kind = in.take();
  if (kind == kWhole) return add_whole(take_payload(in, from));
  const std::span<const std::byte> theirs = in.take_bytes();
  Trace other = take_payload(in, from);
  check_one_job(trace_, other);
  LeafReader reader(in, other.header.ranks, other.header.bin_rule);
  const RankList ranks = other.header.recorded;
  const bool is_in_step = !trace_.header.recorded.empty() && !ranks.empty() &&
                          trace_.header.recorded.front() < ranks.front() &&
                          !is_to_be_sent_whole(trace_) && std::ranges::equal(theirs, structure());
  if (!is_in_step) {
    take_programs(other, theirs, reader, from);
    return add_whole(std::move(other));
  }
  is_sound_ = false;
  RankUnions unions;
  const Header& header = trace_.header;
  unions.foresee(header.recorded.size(), ranks_in_the_end(header.recorded.front(), header.ranks));
  unite_tables(trace_, other, unions);
  const CommunicatorTable communicators(trace_);
  const LeafUnion leaves(trace_, communicators, unions);
  UnionInStep in_step(reader, leaves);
  for (auto& program : trace_.threads) in_step.unite(program, ranks);
  if (in_step.kept_durations() > kMostKept) limit_logs(trace_);
  is_sound_ = true;
}

void GatheredTrace::add_whole(Trace other) {
  check_one_job(trace_, other);
  is_sound_ = false;
  structure_.clear();
  trace_ = unite(std::move(trace_), std::move(other));
  is_sound_ = true;
}

}  // namespace reprise::trace_io
