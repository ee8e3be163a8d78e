// SPDX-License-Identifier: MIT
// The streams of messages of this rank, one table for those that it sends and one for those that it receives: stream → messages so far.
//
// Stream   communicator, sender, receiver (ranks in MPI_COMM_WORLD) and tag, as one 64-bit number that both sides form alike.
// Memory   16 bytes a stream at a load of at most a half, kMost streams; messages of further ones are not counted on this side, and so
//          never joined.
// Cost     of(): a hash look-up, one or two cache lines.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/base/integers.hpp"

namespace reprise::recorder {

constexpr std::uint64_t stream_id(std::uint64_t context, int sender, int receiver, int tag) {
  const auto word = [](int number) { return std::uint64_t{static_cast<std::uint32_t>(number)}; };
  const std::uint64_t id =
      trace_io::mixed_bits(context + word(sender) * 0xd6e8feb86659fd93u +
                           word(receiver) * 0xa0761d6478bd642fu + word(tag) * 0xe7037ed1a0b428dbu);
  return id == 0 ? 1 : id;
}

class MessageStreams {
 public:
  static constexpr std::size_t kMost = std::size_t{1} << 16;
  struct Stream {
    std::uint64_t id = 0;  // 0: free
    std::uint32_t next = 0;
    std::uint16_t thread = 0;  // that was the first here, 0: none yet
    bool is_lost = false;      // its numbers are not known, or not those of the other side
  };

  MessageStreams() : streams_(256) {}

  // Null where there is no room for another one. Holds until the next call. May throw std::bad_alloc.
  Stream* of(std::uint64_t id) {
    std::size_t i = id & mask();
    for (; streams_[i].id != 0; i = (i + 1) & mask())
      if (streams_[i].id == id) return &streams_[i];
    return size_ < kMost ? &add(id) : nullptr;
  }
  bool is_lost(std::uint64_t id) const {
    for (std::size_t i = id & mask(); streams_[i].id != 0; i = (i + 1) & mask())
      if (streams_[i].id == id) return streams_[i].is_lost;
    return false;
  }
  std::uint64_t lost() const {
    std::uint64_t count = 0;
    for (const Stream& stream : streams_) count += stream.is_lost ? 1 : 0;
    return count;
  }

 private:
  std::size_t mask() const { return streams_.size() - 1; }
  Stream& add(std::uint64_t id);

  std::vector<Stream> streams_;  // a power of two
  std::size_t size_ = 0;
};

}  // namespace reprise::recorder
