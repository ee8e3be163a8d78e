// SPDX-License-Identifier: MIT
// Ranks that compute on cores which they share (core_sharing.hpp). Time in MPI takes no core: a rank that waits yields its own.
#include "sim/engine/interpreter.hpp"

namespace reprise::sim {

// The stretch before the current event; the event is carried out when it is over.
void Interpreter::compute(std::uint32_t index, double seconds) {
  Actor& actor = actors_[index];
  actor.to_compute = seconds;
  actor.state = Actor::State::computing;
  if (is_ahead(actor))
    network_.start_delay(Seconds{actor.clock},
                         Transport::delay_id(Transport::Delay::compute, index));
  else
    begin_computing(index);
}

void Interpreter::begin_computing(std::uint32_t index) {
  const Actor& actor = actors_[index];
  const auto end = cores_.begin(actor.rank, index, actor.to_compute, network_.now().value);
  network_.start_delay(Seconds{end.time}, Transport::delay_id(Transport::Delay::cores, end.ticket));
}

void Interpreter::on_cores(std::uint32_t ticket) {
  std::vector<std::uint32_t> done;
  const double now = network_.now().value;
  if (const auto next = cores_.on_end(ticket, now, done))
    network_.start_delay(Seconds{next->time},
                         Transport::delay_id(Transport::Delay::cores, next->ticket));
  for (const std::uint32_t index : done) {
    Actor& actor = actors_[index];
    if (disturbances_) disturbances_->note(actor.rank, actor.clock, now);
    actor.compute += now - actor.clock;
    actor.expected += now - actor.clock;
    actor.clock = actor.entered = now;
    actor.ahead = 0;
    actor.repeats_event = true;
    run(index);
  }
}

}  // namespace reprise::sim
