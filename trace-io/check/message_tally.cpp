// SPDX-License-Identifier: MIT
#include "trace-io/check/message_tally.hpp"

#include <algorithm>

namespace reprise::trace_io {
namespace {

std::string name_of_definition(std::int64_t definition) {
  return definition == kWorldDefinition ? "MPI_COMM_WORLD"
                                        : "communicator " + std::to_string(definition);
}

std::string rank_word(Rank rank) { return std::to_string(rank.value).insert(0, "rank "); }

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
    if (counts.sent > counts.received + spare)
      add(definition, Severity::partial,
          rank_word(source) + " sent " + std::to_string(counts.sent) + " messages to " +
              rank_word(destination) + ", which received " +
              std::to_string(counts.received + spare));
  }
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

}  // namespace reprise::trace_io
