// SPDX-License-Identifier: MIT
#include "sim/engine/loop/event_stream.hpp"

#include <algorithm>
#include <utility>

namespace reprise::sim {

bool EventStream::advance() {
  if (is_plain()) return cursor_.advance();
  stored_->pop_front();
  return !stored_->empty() || cursor_.advance();
}

void EventStream::store() {
  if (!stored_) stored_ = std::make_unique<std::deque<Event>>();
  Event& event = stored_->emplace_back();
  event.site = cursor_.site();
  event.procedure = &cursor_.procedure();
  event.scalars.assign(cursor_.scalars().begin(), cursor_.scalars().end());
  const std::size_t vectors = trace_io::vector_count(*event.procedure);
  for (std::size_t i = 0; i < vectors; ++i) {
    const auto elements = cursor_.vector(i);
    event.vectors.emplace_back(elements.begin(), elements.end());
  }
  event.compute = cursor_.compute();
  event.communicate = cursor_.communicate();
}

const EventStream::Event* EventStream::peek(std::size_t n) {
  if (is_plain()) store();
  while (stored_->size() <= n) {
    if (!cursor_.advance()) return nullptr;
    store();
  }
  return &(*stored_)[n];
}

void EventStream::bring_forward(std::size_t first, std::size_t count) {
  std::swap(stored_->front().compute, (*stored_)[first].compute);
  const auto begin = stored_->begin();
  const auto from = begin + static_cast<std::ptrdiff_t>(first);
  std::rotate(begin, from, from + static_cast<std::ptrdiff_t>(count));
}

}  // namespace reprise::sim
