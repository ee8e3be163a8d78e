// SPDX-License-Identifier: MIT
#include "trace-io/calls/call_reader.hpp"

#include "trace-io/base/error.hpp"
#include "trace-io/calls/call_time_code.hpp"

namespace reprise::trace_io {

void CallReader::refuse() const {
  throw InputError(file_.paths[place_->file] + ", byte " + std::to_string(place_->offset),
                   "a block of calls does not have the number of symbols in its header",
                   "the file is damaged: record again");
}

bool CallReader::begin_block() {
  if (next_block_ == stream_.blocks.size()) return false;
  const CallBlockPlace* before = place_;
  place_ = &stream_.blocks[next_block_++];
  const CallBlockHead& head = place_->head;
  payload_ = read_payload(file_, *place_);
  zeros_.emplace(std::span<const std::byte>(payload_).first(head.bytes - head.time_bytes));
  if ((head.flags & CallBlockHead::kRestart) != 0) {
    const auto form = static_cast<LzForm>(head.form);
    memory_.assign(LzHistory::memory_bytes(form, head.window), std::byte{0});
    decoder_.emplace(LzHistory(form, head.window, memory_));
  } else if (before == nullptr || before->head.form != head.form ||
             before->head.window != head.window) {
    throw InputError(file_.paths[place_->file] + ", byte " + std::to_string(place_->offset),
                     "a block of calls depends on one that is missing",
                     "the file is damaged: record again");
  }
  left_ = head.count;
  lost_ = head.lost;
  ticks_ = 0;
  is_first_ = true;
  return true;
}

void CallReader::end_block() {
  if (decoder_ && zeros_ && !decoder_->end_block(*zeros_)) refuse();
}

std::optional<std::uint64_t> CallReader::time() {
  const CallBlockHead& head = place_->head;
  if ((head.flags & CallBlockHead::kTimed) == 0) return std::nullopt;
  ticks_ += interval_of_code(static_cast<std::uint8_t>(payload_[payload_.size() - left_]));
  if (head.ticks == 0) return head.begin_ns + ticks_;
  const double scale =
      static_cast<double>(head.end_ns - head.begin_ns) / static_cast<double>(head.ticks);
  return head.begin_ns + static_cast<std::uint64_t>(static_cast<double>(ticks_) * scale);
}

std::optional<CallEvent> CallReader::next() {
  is_first_ = false;
  while (left_ == 0) {
    if (place_ != nullptr) end_block();
    if (!begin_block()) return std::nullopt;
  }
  const auto symbol = decoder_->next(*zeros_);
  if (!symbol) refuse();
  CallEvent event{*symbol, time()};
  --left_;
  ++number_;
  return event;
}

}  // namespace reprise::trace_io
