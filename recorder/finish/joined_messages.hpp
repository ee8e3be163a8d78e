// SPDX-License-Identifier: MIT
// Sampled messages of which both sides are known, as statistics: while ranks' are put together, and as part of the trace.
//
// Sites    are known by a hash of their procedure and call path, because every rank numbers its own (site_hashes()).
// Memory   kMostRows rows: beyond, those of the fewest messages become rows without ranks. kMostSizes exact sizes a distance for costs:
//          further sizes are rounded to two bits, which are 126 more at most.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "recorder/capture/message_choice.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::recorder {

// By site: the same number on every rank, and in the merged trace. 0 stands for none.
std::vector<std::uint64_t> site_hashes(const trace_io::Trace&);

class JoinedMessages {
 public:
  static constexpr std::size_t kMostRows = std::size_t{1} << 16, kMostSizes = 128;

  struct Key {
    std::int32_t sender, receiver;
    std::uint64_t send_site, receive_site;  // hashes
    trace_io::MessageDistance distance;
    std::uint32_t size_class;
    auto operator<=>(const Key&) const = default;
  };
  struct Messages {
    std::uint64_t bytes = 0;
    trace_io::LatencyStat latency;
  };

  std::uint64_t sent = 0, chosen = 0, joined = 0;
  std::int64_t clock_error = 0;  // ns

  void add(const Key& key, std::uint64_t bytes, Nanoseconds latency);
  trace_io::MessageCost& cost(trace_io::MessageDistance distance, std::uint64_t bytes);
  // At most that many rows with ranks.
  void limit(std::size_t rows);
  void unite(const JoinedMessages&);

  std::vector<std::byte> bytes() const;
  static JoinedMessages from(std::span<const std::byte>);
  // `share` of 2³² was kept. Sites are numbered as in `merged`.
  trace_io::MessageTimes times(const MessageChoice&, std::uint64_t share,
                               const trace_io::Trace& merged) const;

 private:
  using Size = std::pair<trace_io::MessageDistance, std::uint64_t>;
  std::map<Key, Messages> rows_;
  std::map<Size, trace_io::MessageCost> costs_;
  std::size_t sizes_[trace_io::kMessageDistances] = {};
};

}  // namespace reprise::recorder
