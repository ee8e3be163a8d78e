// SPDX-License-Identifier: MIT
#include "sim/engine/observe/deadlock_report.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "sim/site_text.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::sim {

namespace {

std::string one_sided_text(trace_io::Kind kind, const std::string& peer) {
  switch (kind) {
    case trace_io::Kind::access_start:
      return " for " + peer + " to post its window";
    case trace_io::Kind::exposure_wait:
      return " for " + peer + " to complete its accesses";
    case trace_io::Kind::lock:
      return " for a lock of " + peer;
    case trace_io::Kind::lock_all:
      return " for the locks of all";
    default:
      return "";
  }
}

// What a trace says of itself that may be why; empty where it says nothing.
std::string remedy_of(const trace_io::Trace& trace) {
  for (const trace_io::Loss& loss : trace.losses)
    if (loss.severity == trace_io::Severity::error)
      return "in this trace, calls of the program are missing: " + loss.name + ", " +
             std::to_string(loss.count) + (loss.count == 1 ? " time" : " times") +
             "; record it again without that loss";
  if (trace.completions && trace.completions->represented > 0)
    return "in this trace, phases of MPI_Waitany and similar calls represent other phases; if the "
           "program itself does not hang, record it with --completions exact";
  return "";
}

}  // namespace

DeadlockReport::DeadlockReport(const Runtime& runtime, const CollectiveRuns& runs,
                               const Probes& probes, std::vector<const CollectiveHandles*> handles)
    : runtime_(runtime),
      runs_(runs),
      probes_(probes),
      handles_(std::move(handles)),
      requests_(runtime.requests()) {}

std::optional<std::uint32_t> DeadlockReport::unfinished(std::int32_t rank) const {
  for (const Actor& actor : runtime_.threads_of(rank))
    if (actor.state != Actor::State::finished)
      return static_cast<std::uint32_t>(&actor - runtime_.actors().data());
  return std::nullopt;
}

// The first request that the actor is still waiting for; of a collective, the first of its steps.
std::uint32_t DeadlockReport::first_request(std::uint32_t index) const {
  const Actor& actor = runtime_.actors()[index];
  std::uint32_t collective = kNothing;
  if (actor.state == Actor::State::in_requests || actor.state == Actor::State::in_any) {
    for (const auto& waiting :
         actor.state == Actor::State::in_any ? actor.candidates : actor.awaited) {
      const Request& request = requests_[waiting.request];
      if (request.state != Request::State::active) continue;
      if (request.kind != Request::Kind::collective) return waiting.request;
      collective = waiting.request;
      break;
    }
  }
  return runs_.awaited_step(actor, collective);
}

// Collectives that the request's peer has entered where the request's step belongs.
std::uint32_t DeadlockReport::entered(const Request& request) const {
  const std::uint32_t context = request.context.communicator();
  for (const CollectiveHandles* handles : handles_)
    if (const auto entered = handles->entered(request.peer, context)) return *entered;
  return runtime_.communicators().entered(request.peer, context);
}

DeadlockReport::Wait DeadlockReport::wait_of(std::uint32_t index) const {
  const Actor& actor = runtime_.actors()[index];
  const trace_io::SiteId site = actor.cursor.site();
  Wait wait;
  wait.actor = index;
  std::string what;
  const auto rank_text = [](std::int32_t rank) { return "rank " + std::to_string(rank); };
  const auto tag_text = [](std::int32_t tag) {
    return tag == kAnyTagValue ? "any tag" : "tag " + std::to_string(tag);
  };
  const auto message_text = [&](std::int32_t peer, std::int32_t tag) {
    return " for a message from " + (peer == kAnyPeer ? "any rank" : rank_text(peer)) + ", " +
           tag_text(tag);
  };
  const std::uint32_t found = first_request(index);
  if (actor.state == Actor::State::in_probe) {
    wait.peer = probes_.pattern(index).peer;
    what = message_text(probes_.pattern(index).peer, probes_.pattern(index).tag);
  } else if (found != kNothing) {
    const Request& request = requests_[found];
    wait.peer = request.peer;
    if (request.context.is_collective()) {
      const bool has_entered = entered(request) > static_cast<std::uint32_t>(request.tag);
      what = " for " + rank_text(request.peer) +
             (has_entered ? "" : ", which has not entered the collective");
    } else if (request.kind == Request::Kind::one_sided) {
      what = one_sided_text(actor.cursor.procedure().kind, rank_text(request.peer));
    } else if (request.kind == Request::Kind::send) {
      what =
          " for " + rank_text(request.peer) + " to receive its message, " + tag_text(request.tag);
    } else if (request.peer == kNeverComes) {
      wait.peer = -1;
      what = " for a message that was cancelled when it was recorded";
    } else {
      what = message_text(request.peer, request.tag);
    }
  }
  const std::string place = place_text(runtime_.trace(), site);
  wait.text = rank_text(actor.rank) + " waits in " + procedure_text(runtime_.trace(), site) + what +
              (place.empty() ? "" : " (" + place + ")");
  return wait;
}

// From the lowest waiting rank along the waits: the cycle that this leads into, else the whole chain; then the others by rank.
std::vector<std::uint32_t> DeadlockReport::order() const {
  std::vector<std::uint32_t> chain;
  const auto& actors = runtime_.actors();
  std::uint32_t next = 0;
  while (actors[next].state == Actor::State::finished) ++next;
  for (;;) {
    const auto seen = std::find(chain.begin(), chain.end(), next);
    if (seen != chain.end()) {
      chain.erase(chain.begin(), seen);
      std::rotate(chain.begin(), std::min_element(chain.begin(), chain.end()), chain.end());
      break;
    }
    chain.push_back(next);
    const std::int32_t peer = wait_of(next).peer;
    const auto other = peer < 0 ? std::nullopt : unfinished(peer);
    if (!other) break;
    next = *other;
  }
  for (std::uint32_t i = 0; i < actors.size(); ++i)
    if (actors[i].state != Actor::State::finished &&
        std::find(chain.begin(), chain.end(), i) == chain.end())
      chain.push_back(i);
  return chain;
}

// When the last of them stopped, with the iterations that were left out, to six digits.
std::string DeadlockReport::time_text(const std::vector<std::uint32_t>& waiting) const {
  double clock = 0;
  for (const std::uint32_t index : waiting) {
    const Actor& actor = runtime_.actors()[index];
    const double own =
        actor.state == Actor::State::in_collective ? runs_[actor.collective].clock : actor.clock;
    clock = std::max(clock, own + actor.skipped);
  }
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.6g", clock);
  return to_text(Seconds{std::strtod(digits, nullptr)});
}

ReplayError DeadlockReport::error() const {
  const std::vector<std::uint32_t> waiting = order();
  std::string text;
  std::vector<std::int32_t> finished;
  for (std::size_t i = 0; i < waiting.size() && i < kRanks; ++i) {
    const Wait wait = wait_of(waiting[i]);
    text += (text.empty() ? "" : "; ") + wait.text;
    const bool is_new = std::find(finished.begin(), finished.end(), wait.peer) == finished.end();
    if (wait.peer < 0 || unfinished(wait.peer) || !is_new) continue;
    finished.push_back(wait.peer);
    text += "; rank " + std::to_string(wait.peer) + " has finished";
  }
  if (waiting.size() > kRanks)
    text += "; " + std::to_string(waiting.size() - kRanks) + " more wait";
  return ReplayError(ReplayError::Kind::deadlock, "replay deadlocked at " + time_text(waiting),
                     text, remedy_of(runtime_.trace()));
}

}  // namespace reprise::sim
