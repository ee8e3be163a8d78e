// SPDX-License-Identifier: MIT
#include "sim/export/timeline/request_numbering.hpp"

#include "trace-io/model/request_fields.hpp"

namespace reprise::sim {

std::int64_t RequestNumbering::number_of(std::int64_t slot) const {
  const auto found = numbers_.find(slot);
  return found == numbers_.end() ? -1 : found->second;
}

void RequestNumbering::number(TimedCall& call) {
  call.started = -1;
  call.named.clear();
  call.ended.clear();
  const trace_io::RequestFields fields = trace_io::request_fields(call.procedure);
  using Use = trace_io::RequestFields::Use;
  if (fields.use == Use::none) return;
  if (fields.use == Use::starts) {
    const std::int64_t slot = call.scalars[static_cast<std::size_t>(fields.request)];
    if (!fields.is_persistent && slot != trace_io::kNone) call.started = numbers_[slot] = next_++;
    return;
  }
  if (fields.request >= 0)
    call.named.push_back(number_of(call.scalars[static_cast<std::size_t>(fields.request)]));
  if (fields.requests >= 0)
    for (const auto slot : call.vectors[static_cast<std::size_t>(fields.requests)])
      call.named.push_back(number_of(slot));
  if (fields.use != Use::completes && fields.completed < 0) return;
  const auto end = [&](std::int64_t slot) {
    const auto number = number_of(slot);
    if (number < 0) return;
    call.ended.push_back(number);
    numbers_.erase(slot);
  };
  if (fields.completed >= 0) {
    for (const auto slot : call.vectors[static_cast<std::size_t>(fields.completed)])
      call.named.push_back(number_of(slot));
    for (const auto slot : call.vectors[static_cast<std::size_t>(fields.completed)]) end(slot);
  } else if (fields.requests >= 0) {
    for (const auto slot : call.vectors[static_cast<std::size_t>(fields.requests)]) end(slot);
  } else {
    end(call.scalars[static_cast<std::size_t>(fields.request)]);
  }
}

}  // namespace reprise::sim
