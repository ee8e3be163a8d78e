// SPDX-License-Identifier: MIT
// Tags for messages of a ScalaTrace file, which leaves them out (unless it was built with RETAIN_TAGS).
//
// Why       a program may tell messages apart by their tags alone: NPB's LU receives from anybody. Without them a receive takes a message
//           that was meant for another one, and may have no room for it.
// What      the size of a message becomes its tag, as the size's place among all sizes.
// Sound     where, for each rank, the receives have just as much room as is sent to it, by as many messages: a message is never larger than the receive
//           that takes it, so none of them was smaller either, and in the recorded run each receive took a message of its own size.
//           Tags of sizes therefore forbid nothing that happened. Where the sums differ, or a size is not known, tags stay 0.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/base/integers.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

class ScalaMessages {
 public:
  explicit ScalaMessages(std::int32_t ranks) : ranks_(static_cast<std::size_t>(ranks)) {}

  // `calls` calls with that many bytes: to a rank of the world, or of the room of a receive of such a rank.
  void sent_to(std::int32_t rank, std::int64_t bytes, std::uint64_t calls) {
    add(ranks_[static_cast<std::size_t>(rank)].sent, bytes, calls);
  }
  void received_by(std::int32_t rank, std::int64_t bytes, std::uint64_t calls) {
    add(ranks_[static_cast<std::size_t>(rank)].received, bytes, calls);
  }
  void has_tags() { has_tags_ = true; }
  void is_unknown() { is_unknown_ = true; }  // a message, or its size

  // A receive from anybody.
  void received_from_anybody(std::uint64_t calls) { from_anybody_ += calls; }
  std::uint64_t from_anybody() const { return from_anybody_; }
  // Whether a message's size may stand for its tag.
  bool sizes_are_tags() const;

  // Writes the tags into the trace of all ranks, and says in its losses what was done.
  void place_tags(Trace&) const;

 private:
  struct Sum {
    Wide bytes = 0, messages = 0;
    friend bool operator==(const Sum&, const Sum&) = default;
  };
  struct OneRank {
    Sum sent, received;
  };
  static void add(Sum& sum, std::int64_t bytes, std::uint64_t calls) {
    sum.bytes += static_cast<Wide>(bytes) * calls;
    sum.messages += calls;
  }

  std::vector<OneRank> ranks_;
  bool has_tags_ = false, is_unknown_ = false;
  std::uint64_t from_anybody_ = 0;
};

// Adds a loss to a trace's, which are ordered by their names.
void add_loss(Trace&, Loss);

}  // namespace reprise::trace_io
