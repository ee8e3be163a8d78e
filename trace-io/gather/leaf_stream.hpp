// SPDX-License-Identifier: MIT
// What differs between ranks that execute the same program, node by node: ranks, values, durations, totals, logs.
//
// Against the file's form  no tables of what was met before, no row codes, no rounding: what is sent is read once, by one rank, at once.
// Ranks     a list that is its context's own takes a byte; others are numbered as they come.
// Cost      some 0.2 µs a call either way; taking into a leaf that was taken into before allocates next to nothing.
#pragma once

#include <unordered_map>
#include <vector>

#include "trace-io/gather/byte_stream.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

class LeafWriter {
 public:
  explicit LeafWriter(ByteWriter& out) : out_(out) {}  // which must outlive this

  void ranks(const RankList&, const RankList& context);
  // All but the site; `context`: the node's ranks. REQUIRES: no class has scale factors or an order.
  void leaf(const Leaf&, const RankList& context);
  // Iterations and exits. REQUIRES: no clusters.
  void loop(const Loop&, const RankList& context);

 private:
  void field(const FieldValues&, const RankList& context);
  void sequence(const ValueSequence&);
  void classes(const std::vector<DeltaClass>&, const RankList& context);
  void durations(const Distribution&);
  void log(const OrderLog&);

  ByteWriter& out_;
  std::unordered_map<RankList, std::uint64_t, ByHash> numbers_;  // looked up only
  std::vector<std::uint64_t> numbers_of_bins_;
};

class LeafReader {
 public:
  // `ranks`: of the job. The stream must outlive this.
  LeafReader(ByteReader& in, std::int32_t ranks, BinRule rule)
      : in_(in), ranks_(ranks), rule_(rule) {}

  RankList ranks(const RankList& context);
  // Into a leaf whose content is of no use any more; the site stays.
  void leaf(Leaf&, const RankList& context);
  void loop(Loop&, const RankList& context);

 private:
  void field(FieldValues&, const RankList& context);
  void sequence(ValueSequence&);
  void classes(std::vector<DeltaClass>&, const RankList& context);
  void durations(Distribution&);
  OrderLog log();

  ByteReader& in_;
  std::int32_t ranks_;
  BinRule rule_;
  std::vector<RankList> known_;
  std::vector<Distribution::Bin> bins_;
  std::vector<std::uint64_t> numbers_of_bins_;
  std::vector<std::uint16_t> codes_;  // of a log, as its sums
  std::vector<std::int64_t> sums_;
};

}  // namespace reprise::trace_io
