// SPDX-License-Identifier: MIT
#include "recorder/capture/phase_calls.hpp"

#include <algorithm>
#include <tuple>

namespace reprise::recorder {
namespace {

using trace_io::Field;
using trace_io::Kind;

CallShape::Role role_of(Kind kind) {
  switch (kind) {
    case Kind::start_send:
    case Kind::start_receive:
      return CallShape::Role::start;
    case Kind::wait_any:
    case Kind::wait_some:
      return CallShape::Role::completion;
    default:
      return CallShape::Role::other;
  }
}

}  // namespace

CallShape shape_of(const trace_io::Procedure& procedure) {
  CallShape shape{trace_io::request_fields(procedure)};
  shape.role = role_of(procedure.kind);
  shape.is_receive = procedure.kind == Kind::start_receive;
  int scalar = 0, vector = 0;
  for (const trace_io::FieldSpec& spec : fields(procedure)) {
    const int here = spec.is_vector ? vector++ : scalar++;
    switch (spec.field) {
      case Field::matched_peers:
        shape.peers = here;
        break;
      case Field::matched_tags:
        shape.tags = here;
        break;
      case Field::comm:
        shape.comm = here;
        break;
      case Field::peer:
        shape.peer = here;
        break;
      case Field::tag:
        shape.tag = here;
        break;
      default:
        break;
    }
  }
  return shape;
}

void PhaseCall::assign(const trace_io::EventView& event, const CallShape& its_shape) {
  site = event.site;
  shape = &its_shape;
  scalars.assign(event.scalars.begin(), event.scalars.end());
  vectors.resize(event.vectors.size());
  for (std::size_t i = 0; i < vectors.size(); ++i)
    vectors[i].assign(event.vectors[i].begin(), event.vectors[i].end());
  compute = event.compute;
  communicate = event.communicate;
  polls = event.polls;
  bytes = event.bytes;
  further = event.further;
  has_tag = event.has_tag;
}

trace_io::EventView PhaseCall::event(std::vector<std::span<const std::int64_t>>& spans) const {
  spans.assign(vectors.begin(), vectors.end());
  trace_io::EventView view;
  view.site = site;
  view.scalars = scalars;
  view.vectors = spans;
  view.compute = compute;
  view.communicate = communicate;
  view.polls = polls;
  view.further = further;
  view.bytes = bytes;
  view.has_tag = has_tag;
  return view;
}

void PhaseCall::sort_completed() {
  const int numbers = shape->use == CallShape::Use::completes ? shape->requests : shape->completed;
  if (numbers < 0) return;
  auto& completed = list(numbers);
  if (std::ranges::is_sorted(completed)) return;
  auto &peers = list(shape->peers), &tags = list(shape->tags);
  std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>> rows;
  rows.reserve(completed.size());
  for (std::size_t i = 0; i < completed.size(); ++i)
    rows.emplace_back(completed[i], peers[i], tags[i]);
  std::ranges::sort(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) std::tie(completed[i], peers[i], tags[i]) = rows[i];
}

void PhaseCall::add_times(const PhaseCall& other) {
  compute += other.compute;
  communicate += other.communicate;
  polls += other.polls;
}

}  // namespace reprise::recorder
