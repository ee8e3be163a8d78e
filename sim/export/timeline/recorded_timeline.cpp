// SPDX-License-Identifier: MIT
#include "sim/export/timeline/recorded_timeline.hpp"

#include <cmath>

namespace reprise::sim {

using trace_io::RequestEnding;
using trace_io::RequestFields;

RecordedTimeline::RecordedTimeline(const trace_io::Programs& programs, DeltaPlayer& compute,
                                   DeltaPlayer& communicate, Rank rank)
    : cursor_(programs, rank, 0), compute_(compute), communicate_(communicate) {
  computed_.rank = communicated_.rank = rank;
}

bool RecordedTimeline::next() {
  if (!cursor_.advance()) return false;
  const auto pass = [&](const trace_io::DeltaClass* durations, DeltaPlayer& player,
                        DeltaState& state) {
    if (durations != nullptr)
      now_ += static_cast<long double>(player.play(*durations, state).value) * 1e9L;
    return static_cast<std::int64_t>(std::llround(now_));
  };
  call_.begin = pass(cursor_.compute(), compute_, computed_);
  call_.end = pass(cursor_.communicate(), communicate_, communicated_);
  call_.site = cursor_.site();
  call_.procedure = cursor_.procedure();
  call_.scalars = cursor_.scalars();
  call_.vectors.clear();
  for (std::size_t i = 0; i < trace_io::vector_count(call_.procedure); ++i)
    call_.vectors.push_back(cursor_.vector(i));
  number_requests();
  return true;
}

std::int64_t RecordedTimeline::number_of(std::int64_t slot) const {
  const auto found = numbers_.find(slot);
  return found == numbers_.end() ? -1 : found->second;
}

void RecordedTimeline::number_requests() {
  call_.started = -1;
  call_.named.clear();
  call_.ended.clear();
  const RequestFields fields = request_fields(call_.procedure);
  using Use = RequestFields::Use;
  if (fields.use == Use::none) return;
  if (fields.use == Use::starts) {
    if (!fields.is_persistent)
      call_.started = numbers_[call_.scalars[static_cast<std::size_t>(fields.request)]] =
          next_number_++;
    return;
  }
  if (fields.request >= 0)
    call_.named.push_back(number_of(call_.scalars[static_cast<std::size_t>(fields.request)]));
  if (fields.requests >= 0)
    for (const auto slot : call_.vectors[static_cast<std::size_t>(fields.requests)])
      call_.named.push_back(number_of(slot));
  if (fields.use != Use::completes && fields.completed < 0) return;
  const auto end = [&](std::int64_t slot) {
    const auto number = number_of(slot);
    if (number < 0) return;
    call_.ended.push_back(number);
    numbers_.erase(slot);
  };
  if (fields.completed >= 0) {
    for (const auto slot : call_.vectors[static_cast<std::size_t>(fields.completed)])
      call_.named.push_back(number_of(slot));
    for (const auto slot : call_.vectors[static_cast<std::size_t>(fields.completed)]) end(slot);
  } else if (fields.requests >= 0) {
    for (const auto slot : call_.vectors[static_cast<std::size_t>(fields.requests)]) end(slot);
  } else {
    end(call_.scalars[static_cast<std::size_t>(fields.request)]);
  }
}

}  // namespace reprise::sim
