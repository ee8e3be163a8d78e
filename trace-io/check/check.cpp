// SPDX-License-Identifier: MIT
#include "trace-io/check/check.hpp"

#include <algorithm>
#include <map>

#include "trace-io/base/units.hpp"
#include "trace-io/check/executions.hpp"
#include "trace-io/check/message_tally.hpp"
#include "trace-io/check/missing.hpp"
#include "trace-io/check/rank_walk.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/model/end_groups.hpp"
#include "trace-io/model/time_pools.hpp"
#include "trace-io/model/unseen_time.hpp"

namespace reprise::trace_io {
namespace {

std::string name_of_definition(std::int64_t definition) {
  return definition == kWorldDefinition ? "MPI_COMM_WORLD"
                                        : "communicator " + std::to_string(definition);
}

std::string rank_word(Rank rank) { return std::to_string(rank.value).insert(0, "rank "); }

void check_completeness(const Trace& trace, std::vector<Finding>& findings) {
  if (const std::string missing = missing_text(trace); !missing.empty())
    findings.push_back({Severity::partial, lacks_ranks(trace) ? "trace" : kLossPlace, missing});
  for (const std::string& end : end_texts(trace))
    findings.push_back({Severity::notice, kLossPlace, end});
  for (const auto& loss : trace.losses)
    findings.push_back({loss.severity, kLossPlace,
                        loss.name + ": " + std::to_string(loss.count) +
                            (counts_mib(loss.name) ? " MiB, " : " times, ") +
                            to_text(Nanoseconds{std::max<std::int64_t>(loss.time.value, 0)}) +
                            " in all"});
}

void name_pools(const Trace& trace, std::vector<Finding>& findings) {
  if (trace.pools.empty()) return;
  findings.push_back(
      {Severity::notice, kLossPlace,
       pools_text(trace) + ": sums over all calls are exact, those of one call are not"});
}

std::string collective_text(const Trace& trace, std::int64_t what) {
  const auto root = what & 0xffffffff;
  const std::string& name = trace.procedures[static_cast<std::size_t>(what >> 32)];
  return root == 0 ? name : name + " with root " + std::to_string(root - 1);
}

void check_by_walking(const Trace& trace, std::vector<Finding>& findings) {
  const CommunicatorTable communicators(trace);
  const Programs programs(trace);
  MessageTally tally;
  bool has_threads = false;
  for (const Rank rank : trace.header.recorded.ranks()) {
    std::vector<std::size_t> threads;
    for (std::size_t t = 0; t < trace.threads.size(); ++t)
      if (programs.has(rank, t)) threads.push_back(t);
    has_threads = has_threads || threads.size() > 1;
    RankWalk walk(trace, communicators, tally, findings, rank);
    for (const auto thread : threads) walk.walk(programs, thread, threads.size() <= 1);
    walk.finish();
  }
  if (has_threads) {
    findings.push_back({Severity::notice, "trace",
                        "some ranks called MPI from several threads, whose order is not in the "
                        "trace: requests and messages were not checked"});
    return;
  }
  tally.report(trace, findings, [&](std::int64_t what) { return collective_text(trace, what); });
}

// Without the events' order: as many receives as sends at least, and as many collectives on every rank.
void check_by_counting(const Trace& trace, std::uint64_t events, std::uint64_t limit,
                       std::vector<Finding>& findings) {
  findings.push_back(
      {Severity::notice, "trace",
       std::to_string(events) + " events are more than the limit of " + std::to_string(limit) +
           ": requests were not checked, messages and collectives only by their numbers"});
  std::uint64_t sends = 0, receives = 0;
  std::map<std::uint32_t, std::vector<std::uint64_t>>
      collectives;  // on the world: by procedure, per rank
  const VisitNode count = [&](const NodeExecutions& executed) {
    const auto* leaf = std::get_if<Leaf>(&executed.node.content);
    if (leaf == nullptr) return;
    const std::uint32_t procedure = trace.sites[leaf->site].procedure;
    const Kind kind = procedure_named(trace.procedures[procedure]).kind;
    std::uint64_t calls = 0;
    for (const auto times : executed.executions) calls += times;
    if (kind == Kind::send || kind == Kind::start_send || kind == Kind::sendrecv) sends += calls;
    if (kind == Kind::receive || kind == Kind::start_receive || kind == Kind::sendrecv)
      receives += calls;
    if (kind != Kind::collective && kind != Kind::start_collective) return;
    for (const auto& entry : leaf->fields.front())  // the communicator
      if (entry.values.empty() || !entry.values.is_constant() ||
          entry.values.front() != kWorldIndex)
        return;
    auto& per_rank = collectives[procedure];
    per_rank.resize(static_cast<std::size_t>(trace.header.ranks));
    for (std::size_t i = 0; i < executed.ranks.size(); ++i)
      per_rank[static_cast<std::size_t>(executed.ranks[i].value)] += executed.executions[i];
  };
  for (const auto& program : trace.threads)
    walk_executions(program, trace.header.recorded, count, [](const Node&, const std::string&) {});
  if (sends != receives)
    findings.push_back({Severity::notice, "trace",
                        std::to_string(sends) + " sends, but " + std::to_string(receives) +
                            " receives (without persistent ones)"});
  for (const auto& [procedure, per_rank] : collectives)
    for (const Rank rank : trace.header.recorded.ranks()) {
      const std::uint64_t first =
          per_rank[static_cast<std::size_t>(trace.header.recorded.front().value)];
      const std::uint64_t own = per_rank[static_cast<std::size_t>(rank.value)];
      if (own == first) continue;
      findings.push_back({Severity::partial, "MPI_COMM_WORLD",
                          "rank " + std::to_string(trace.header.recorded.front().value) +
                              " enters " + trace.procedures[procedure] + " " +
                              std::to_string(first) + " times, rank " + std::to_string(rank.value) +
                              " " + std::to_string(own) + " times"});
      break;
    }
}

}  // namespace

void MessageTally::add_send(std::int64_t definition, Rank source, Rank destination) {
  ++pairs_[{definition, destination, source}].sent;
}

void MessageTally::add_receive(std::int64_t definition, Rank source, Rank destination) {
  ++pairs_[{definition, destination, source}].received;
}

void MessageTally::add_wildcard(std::int64_t definition, Rank destination) {
  ++wildcards_[{definition, destination}];
}

void MessageTally::add_collective(std::int64_t definition, Rank member, std::int64_t what) {
  collectives_[{definition, member}].append(what);
}

void MessageTally::report_messages(const Trace& trace, std::vector<Finding>& findings) const {
  auto wildcards = wildcards_;
  const auto add = [&](std::int64_t definition, Severity severity, const std::string& problem) {
    findings.push_back({severity, name_of_definition(definition), problem});
  };
  std::uint64_t cut_pairs = 0;  // with messages under way where an incomplete recording ends
  std::string first_cut;
  for (const auto& [key, counts] : pairs_) {
    const auto& [definition, destination, source] = key;
    if (!trace.header.recorded.contains(source) || !trace.header.recorded.contains(destination))
      continue;
    if (counts.received > counts.sent)
      add(definition, Severity::error,
          rank_word(destination) + " received " + std::to_string(counts.received) +
              " messages from " + rank_word(source) + ", which sent " +
              std::to_string(counts.sent));
    if (counts.sent <= counts.received) continue;
    const auto pool = wildcards.find({definition, destination});
    const std::uint64_t spare =
        pool == wildcards.end() ? 0 : std::min(pool->second, counts.sent - counts.received);
    if (spare > 0) pool->second -= spare;
    if (counts.sent <= counts.received + spare) continue;
    const std::string problem = rank_word(source) + " sent " + std::to_string(counts.sent) +
                                " messages to " + rank_word(destination) + ", which received " +
                                std::to_string(counts.received + spare);
    if (trace.header.complete)
      add(definition, Severity::partial, problem);
    else if (cut_pairs++ == 0)
      first_cut = problem;
  }
  if (cut_pairs > 0)
    findings.push_back(
        {Severity::partial, kLossPlace,
         "messages under way where the recording ends, of " + std::to_string(cut_pairs) +
             (cut_pairs == 1 ? " pair of ranks (" : " pairs of ranks, such as these (") +
             first_cut + ")"});
  if (!trace.header.complete) return;  // a missing rank may have sent them
  for (const auto& [key, left] : wildcards)
    if (left > 0)
      add(key.first, Severity::error,
          rank_word(key.second) + " received " + std::to_string(left) +
              " messages from any source that nobody sent");
}

std::vector<MessageTally::Difference> MessageTally::collective_differences(
    const Trace& trace) const {
  std::vector<Difference> differences;
  const ValueSequence none;
  const auto of = [&](std::int64_t definition, Rank member) -> const ValueSequence& {
    const auto found = collectives_.find({definition, member});
    return found == collectives_.end() ? none : found->second;
  };
  std::int64_t done = kWorldDefinition - 1;
  for (const auto& [key, sequence] : collectives_) {
    const std::int64_t definition = key.first;
    if (definition == done) continue;
    done = definition;
    // Compare every recorded member with the lowest one.
    std::vector<Rank> members;
    if (definition == kWorldDefinition) {
      members = trace.header.recorded.ranks();
    } else {
      for (const auto& group : trace.communicators[static_cast<std::size_t>(definition)].groups)
        for (ValueSequence::Cursor cursor(group); !cursor.at_end();) {
          const Rank member{static_cast<std::int32_t>(cursor.next())};
          if (trace.header.recorded.contains(member)) members.push_back(member);
        }
      std::sort(members.begin(), members.end());
    }
    for (const Rank member : members) {
      const ValueSequence &a = of(definition, members.front()), &b = of(definition, member);
      if (a == b) continue;
      ValueSequence::Cursor x(a), y(b);
      std::uint64_t place = 0;
      std::int64_t first = -1, second = -1;
      do {
        first = x.at_end() ? -1 : x.next();
        second = y.at_end() ? -1 : y.next();
        ++place;
      } while (first == second && first >= 0);
      if (first == second) continue;
      differences.push_back(
          {name_of_definition(definition), members.front(), member, place - 1, first, second});
      break;  // one per communicator tells enough
    }
  }
  return differences;
}

std::vector<Finding> check(const Trace& trace, std::uint64_t event_limit) {
  std::vector<Finding> findings = check_structure(trace);
  if (!findings.empty()) return findings;
  check_completeness(trace, findings);
  name_pools(trace, findings);
  const std::uint64_t events = summarise(trace).operations;
  if (events <= event_limit)
    check_by_walking(trace, findings);
  else
    check_by_counting(trace, events, event_limit, findings);
  return findings;
}

}  // namespace reprise::trace_io
