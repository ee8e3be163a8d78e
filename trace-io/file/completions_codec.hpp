// SPDX-License-Identifier: MIT
// What is kept of completions in the payload (FORMAT.md, section 9), for both directions: behind the levels of the order and the iterations, where
// there are any. Further calls are told leaf by leaf, counted over all programs in the order of the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace-io/file/payload_tables.hpp"
#include "trace-io/model/completions.hpp"

namespace reprise::trace_io {

template <class Io>
class CompletionsCodec {
 public:
  static constexpr std::uint64_t kPart = 2;

  CompletionsCodec(Io& io, InOut<Io, Trace>& trace) : io_(io), trace_(trace) {}

  void all() {
    if constexpr (Io::kReads) trace_.completions.emplace();
    counts(*trace_.completions);
    for (auto& program : trace_.threads)
      for_each_leaf(program, [this](InOut<Io, Leaf>& leaf) { leaves_.push_back(&leaf); });
    std::uint64_t next = 0;
    if constexpr (Io::kReads) {
      const std::uint64_t count = io_.in().count(kColumn, "calls with further ones");
      for (std::uint64_t i = 0; i < count; ++i, ++next) {
        next += io_.number(kColumn);
        if (next >= leaves_.size())
          io_.refuse(kColumn, "further calls of call " + std::to_string(next) + ", there are " +
                                  std::to_string(leaves_.size()) + " calls");
        ranks(leaves_[next]->further);
      }
    } else {
      std::uint64_t count = 0;
      for (const Leaf* leaf : leaves_) count += leaf->further.empty() ? 0 : 1;
      io_.number(kColumn, count);
      for (std::uint64_t i = 0; i < leaves_.size(); ++i) {
        if (leaves_[i]->further.empty()) continue;
        io_.number(kColumn, i - next);
        next = i + 1;
        ranks(leaves_[i]->further);
      }
    }
  }

 private:
  static constexpr Column kColumn = Column::order;

  void counts(InOut<Io, CompletionRecord>& record) {
    const std::uint64_t phases = io_.number(kColumn, record.phases);
    const std::uint64_t represented = io_.number(kColumn, record.represented);
    if constexpr (Io::kReads) record = {phases, represented};
  }

  void ranks(InOut<Io, std::vector<FurtherCalls>>& all) {
    std::int64_t next = 0;
    io_.each(kColumn, kColumn, all, "ranks with further calls", [&](InOut<Io, FurtherCalls>& one) {
      const std::uint64_t gap =
          io_.number(kColumn, static_cast<std::uint64_t>(one.rank.value - next));
      if constexpr (Io::kReads) {
        if (gap >= static_cast<std::uint64_t>(trace_.header.ranks - next))
          io_.refuse(kColumn, "further calls of a rank that does not exist");
        one.rank = Rank{static_cast<std::int32_t>(next + static_cast<std::int64_t>(gap))};
      }
      next = std::int64_t{one.rank.value} + 1;
      const std::uint64_t calls = io_.near(kColumn, static_cast<std::uint64_t>(one.calls), 0);
      if constexpr (Io::kReads) one.calls = static_cast<std::int64_t>(calls);
    });
  }

  Io& io_;
  InOut<Io, Trace>& trace_;
  std::vector<InOut<Io, Leaf>*> leaves_;
};

}  // namespace reprise::trace_io
