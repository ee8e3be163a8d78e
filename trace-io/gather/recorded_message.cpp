// SPDX-License-Identifier: MIT
#include "trace-io/gather/recorded_message.hpp"

#include "trace-io/gather/leaf_stream.hpp"
#include "trace-io/gather/message_parts.hpp"

namespace reprise::trace_io {
namespace {

// How the nodes nest, and what is in them, side by side.
class RecordedNodes final : public ProgramVisitor {
 public:
  RecordedNodes(ByteWriter& nesting, ByteWriter& contents, const RankList& own)
      : nesting_(nesting), contents_(contents), own_(own) {}

  void begin_nodes(std::size_t count) override { nesting_.nodes(count); }
  void loop(const Loop& head) override {
    nesting_.loop();
    contents_.ranks(own_, own_);
    contents_.loop(head, own_);
  }
  void leaf(const Leaf& leaf) override {
    nesting_.leaf(leaf.site);
    contents_.ranks(own_, own_);
    contents_.leaf(leaf, own_);
  }

 private:
  NestingWriter nesting_;
  LeafWriter contents_;
  const RankList& own_;
};

}  // namespace

std::vector<std::byte> message_of_recording(const Trace& tables,
                                            std::span<const ThreadCompressor* const> threads) {
  ByteWriter structure, contents;
  put_tables(structure, tables);
  structure.put(threads.size());
  RecordedNodes nodes(structure, contents, tables.header.recorded);
  for (const ThreadCompressor* thread : threads) thread->visit(nodes, tables.header.recorded);

  ByteWriter out;
  out.put(kNodeByNode);
  out.put_bytes(structure.bytes());
  put_payload(out, other_tables(tables));
  out.append(contents.bytes());
  return with_sum(out.take());
}

}  // namespace reprise::trace_io
