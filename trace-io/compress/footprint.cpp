// SPDX-License-Identifier: MIT
#include "trace-io/compress/footprint.hpp"

#include <algorithm>

#include "trace-io/model/trace.hpp"
#include "trace-io/model/value_sequence_parts.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::size_t kBlock = 16;  // of the heap, beside what is asked for

class Adding {
 public:
  Footprint sum;

  void add(const FoldBody& body) {
    sum.recorded += body.capacity() * sizeof body.front() + kBlock;
    sum.copied += body.size() * sizeof(Node) + kBlock;
    for (const auto& node : body) {
      sum.recorded += sizeof *node + kBlock;
      if (const FoldLeaf* leaf = node->leaf())
        add(*leaf->counters);
      else
        add(*node->loop());
    }
  }

 private:
  void add(const ValueSequence& values) {
    const std::size_t terms = values.term_count();
    sum.recorded += grown_heap_bytes(terms);
    sum.copied += copied_heap_bytes(terms);
  }
  // A field of the trace has a list of entries; so has each path, and what it stands for.
  void add_field() { sum.copied += sizeof(FieldValues) + sizeof(FieldEntry) + kBlock; }
  void add(const Distribution& durations) {
    const std::size_t bins = durations.bins().size_bytes() + durations.range_bytes() + kBlock;
    sum.recorded += bins;
    sum.copied += bins + sizeof(DeltaClass) + kBlock;
  }
  void add(const LeafCounters& leaf) {
    add(leaf.communicate);
    sum.recorded += sizeof leaf + 3 * kBlock;
    for (const auto& values : leaf.scalars) {
      sum.recorded += sizeof values;
      add_field();
      add(values);
    }
    for (const auto& vector : leaf.vectors) {
      sum.recorded += sizeof vector;
      add_field();
      add(vector.values);
      add(vector.lengths);
    }
    for (const auto& path : leaf.paths) {
      const std::size_t order = path.order.heap_bytes();
      sum.recorded += sizeof path + order;
      sum.copied += sizeof(PathDeltas) + kBlock + order;
      add(path.compute);
    }
  }
  void add(const FoldLoop& loop) {
    add_field();
    add_field();
    add(loop.finished.without_waiting().iterations);
    add(loop.finished.without_waiting().exits);
    sum.recorded += loop.finished.heap_bytes();
    if (loop.recorded) sum.recorded += loop.recorded->heap_bytes();
    add(loop.body);
  }
};

}  // namespace

Footprint footprint_of(const FoldBody& body) {
  Adding adding;
  adding.add(body);
  return adding.sum;
}

std::size_t coding_bytes(std::size_t trace_bytes) {
  constexpr std::size_t kUncounted = std::size_t{1} << 20U, kTables = 18'000'000;
  const std::size_t coding = std::min(trace_bytes * 7 / 2, kTables) + trace_bytes / 4;
  return coding - std::min(coding, kUncounted);
}

}  // namespace reprise::trace_io
