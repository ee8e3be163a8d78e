// SPDX-License-Identifier: MIT
#include "trace-io/gather/gathered_trace.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "trace-io/file/payload.hpp"
#include "trace-io/gather/byte_stream.hpp"
#include "trace-io/gather/leaf_stream.hpp"
#include "trace-io/iterations/ranks_iterations.hpp"
#include "trace-io/merge/leaf_union.hpp"
#include "trace-io/merge/merge.hpp"
#include "trace-io/merge/tables.hpp"
#include "trace-io/model/communicators.hpp"
#include "trace-io/order/order_fit.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::uint64_t kWhole = 0, kNodeByNode = 1;
constexpr std::size_t kSumBytes = sizeof(XXH64_hash_t);

// ------------------------------------------------------------------ the sum of all bytes

std::vector<std::byte> with_sum(std::vector<std::byte> bytes) {
  const XXH64_hash_t sum = XXH64(bytes.data(), bytes.size(), 0);
  bytes.resize(bytes.size() + kSumBytes);
  std::memcpy(bytes.data() + bytes.size() - kSumBytes, &sum, kSumBytes);
  return bytes;
}

std::span<const std::byte> without_sum(std::span<const std::byte> bytes, const std::string& from) {
  if (bytes.size() < kSumBytes) ByteReader(bytes, from).refuse();
  const auto content = bytes.first(bytes.size() - kSumBytes);
  XXH64_hash_t sum = 0;
  std::memcpy(&sum, bytes.data() + content.size(), kSumBytes);
  if (sum != XXH64(content.data(), content.size(), 0)) ByteReader(bytes, from).refuse();
  return content;
}

// ------------------------------------------------------------------ tables

void put_payload(ByteWriter& out, const Trace& trace) {
  std::uint32_t version = 0;
  const auto payload = encode_payload(trace, version);
  out.put(version);
  out.put_bytes(payload);
}

Trace take_payload(ByteReader& in, const std::string& from) {
  const auto version = static_cast<std::uint32_t>(in.take());
  return decode_payload(in.take_bytes(), version, from);
}

// What node by node has no room for; a rank that records has it only where it was asked for.
bool is_to_be_sent_whole(const Trace& trace) {
  return trace.functions != nullptr || trace.counters != nullptr || trace.messages != nullptr ||
         !trace.frame_names.empty() || has_iterations(trace) ||
         trace.header.recorded.size() == trace.header.ranks;
}

void put_text(ByteWriter& out, const std::string& text) {
  out.put_bytes(std::as_bytes(std::span(text)));
}

std::string take_text(ByteReader& in) {
  const auto bytes = in.take_bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The tables that belong to the structure.
void put_tables(ByteWriter& out, const Trace& trace) {
  out.put(trace.procedures.size());
  for (const std::string& name : trace.procedures) put_text(out, name);
  out.put(trace.modules.size());
  for (const Module& module : trace.modules) {
    put_text(out, module.path);
    put_text(out, module.build_id);
  }
  out.put(trace.call_paths.size());
  for (const CallPath& path : trace.call_paths) {
    out.put(path.frames.size());
    std::uint64_t before = 0;
    for (const Frame& frame : path.frames) {
      out.put(frame.module);
      out.put_signed(static_cast<std::int64_t>(frame.offset - std::exchange(before, frame.offset)));
    }
  }
  out.put(trace.sites.size());
  for (const Site& site : trace.sites) {
    out.put(site.procedure);
    out.put(site.call_path);
  }
}

void take_tables(ByteReader& in, Trace& trace) {
  trace.procedures.resize(in.count());
  for (std::string& name : trace.procedures) name = take_text(in);
  trace.modules.resize(in.count());
  for (Module& module : trace.modules) {
    module.path = take_text(in);
    module.build_id = take_text(in);
  }
  trace.call_paths.resize(in.count());
  for (CallPath& path : trace.call_paths) {
    path.frames.resize(in.count());
    std::uint64_t before = 0;
    for (Frame& frame : path.frames) {
      frame.module = static_cast<std::uint32_t>(in.take());
      frame.offset = before += static_cast<std::uint64_t>(in.take_signed());
    }
  }
  trace.sites.resize(in.count());
  for (Site& site : trace.sites) {
    site.procedure = static_cast<std::uint32_t>(in.take());
    site.call_path = static_cast<std::uint32_t>(in.take());
  }
}

Trace other_tables(const Trace& trace) {
  Trace other;
  other.header = trace.header;
  other.communicators = trace.communicators;
  other.communicator_indices = trace.communicator_indices;
  other.losses = trace.losses;
  other.times_apart = trace.times_apart;
  other.compensation = trace.compensation;
  other.preemptions = trace.preemptions;
  other.completions = trace.completions;
  return other;
}

// ------------------------------------------------------------------ programs

void put_nesting(ByteWriter& out, const std::vector<Node>& nodes, SiteId& next) {
  out.put(nodes.size());
  for (const Node& node : nodes) {
    if (const Loop* loop = std::get_if<Loop>(&node.content)) {
      out.put(0);
      put_nesting(out, loop->body, next);
      continue;
    }
    const SiteId site = std::get<Leaf>(node.content).site;
    out.put(1 + zigzag(std::int64_t{site} - std::int64_t{next}));
    next = site + 1;
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
      }
      node.ranks = leaves_.united(node.ranks, ranks);
    }
  }

 private:
  LeafReader& in_;
  const LeafUnion& leaves_;
  Leaf other_;  // its memory is used again and again
};

std::vector<std::size_t> field_counts(const Trace& trace) {
  std::vector<std::size_t> of_procedure, of_site;
  for (const std::string& name : trace.procedures)
    of_procedure.push_back(fields(procedure_named(name)).size());
  for (const Site& site : trace.sites) of_site.push_back(of_procedure.at(site.procedure));
  return of_site;
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
  SiteId next = 0;
  for (const auto& program : trace_.threads) put_nesting(out, program, next);
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
  out.put(kNodeByNode);
  out.put_bytes(structure());
  put_payload(out, other_tables(trace_));
  LeafWriter leaves(out);
  for (const auto& program : trace_.threads) put_nodes(leaves, program, trace_.header.recorded);
  return with_sum(out.take());
}

void GatheredTrace::add(std::span<const std::byte> message, const std::string& from) {
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
  unite_tables(trace_, other, unions);
  const CommunicatorTable communicators(trace_);
  const LeafUnion leaves(trace_, communicators, unions);
  UnionInStep in_step(reader, leaves);
  for (auto& program : trace_.threads) in_step.unite(program, ranks);
  limit_logs(trace_);
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
