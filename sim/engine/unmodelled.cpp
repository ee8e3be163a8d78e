// SPDX-License-Identifier: MIT
// Calls that the trace holds as time only, and the losses that a replay reports.
#include <algorithm>
#include <map>

#include "sim/engine/interpreter.hpp"
#include "sim/site_text.hpp"

namespace reprise::sim {

// The call takes the time that it took; a request that it makes is complete at once.
void Interpreter::replay_as_delay(std::uint32_t index, const EventFields& fields) {
  Actor& actor = actors_[index];
  const auto* durations = actor.cursor.communicate();
  const double time = durations == nullptr ? 0 : deltas_.play(*durations, actor.deltas).value;
  actor.clock += time;
  Unmodelled& unmodelled = unmodelled_[actor.cursor.site()];
  ++unmodelled.count;
  if (forward_) forward_->forbid("calls replayed as their recorded time are counted one by one");
  unmodelled.seconds += time;
  if (!fields.has(trace_io::Field::request)) return;
  const std::uint32_t made = transport_.requests().take();
  Request& request = transport_.requests()[made];
  request = Request{};
  request.state = Request::State::complete;
  request.actor = index;
  request.done = request.partner_ready = actor.clock;
  slot_of(actor, fields.scalar(trace_io::Field::request)) = made;
}

std::vector<trace_io::Loss> Interpreter::losses() const {
  std::map<std::string, trace_io::Loss> by_name;
  for (const trace_io::Loss& loss : trace_.losses) by_name[loss.name] = loss;
  const auto add = [&by_name](const std::string& name, std::uint64_t count, double seconds) {
    trace_io::Loss& loss = by_name[name];
    loss.name = name;
    loss.severity = trace_io::Severity::partial;
    loss.count += count;
    loss.time += Nanoseconds{static_cast<std::int64_t>(seconds * 1e9 + 0.5)};
  };
  for (trace_io::SiteId site = 0; site < unmodelled_.size(); ++site)
    if (unmodelled_[site].count > 0)
      add(procedure_text(trace_, site) + " replayed as its recorded time", unmodelled_[site].count,
          unmodelled_[site].seconds);
  if (foreign_waits_ > 0)
    add("waits for requests that another thread had not started yet", foreign_waits_, 0);
  if (different_sizes_ > 0)
    add("collectives entered with another size than the first member's, which was used",
        different_sizes_, 0);
  std::vector<trace_io::Loss> losses;
  for (const auto& [name, loss] : by_name) losses.push_back(loss);
  return losses;
}

}  // namespace reprise::sim
