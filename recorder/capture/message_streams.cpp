// SPDX-License-Identifier: MIT
#include "recorder/capture/message_streams.hpp"

namespace reprise::recorder {

MessageStreams::Stream& MessageStreams::add(std::uint64_t id) {
  if (2 * (size_ + 1) > streams_.size()) {
    std::vector<Stream> old(2 * streams_.size());
    old.swap(streams_);
    for (const Stream& stream : old) {
      if (stream.id == 0) continue;
      std::size_t i = stream.id & mask();
      while (streams_[i].id != 0) i = (i + 1) & mask();
      streams_[i] = stream;
    }
  }
  ++size_;
  std::size_t i = id & mask();
  while (streams_[i].id != 0) i = (i + 1) & mask();
  streams_[i].id = id;
  return streams_[i];
}

}  // namespace reprise::recorder
