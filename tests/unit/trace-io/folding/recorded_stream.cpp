// SPDX-License-Identifier: MIT
#include "tests/unit/trace-io/folding/recorded_stream.hpp"

#include <random>
#include <utility>

#include "trace-io/walk/cursor.hpp"

namespace reprise::trace_io::testing {

Trace trace_with_sites(std::uint32_t sites, Rank rank, std::int32_t ranks) {
  Trace trace;
  trace.header.ranks = ranks;
  trace.header.recorded = RankList::single(rank);
  trace.procedures = {"MPI_Barrier", "MPI_Send", "MPI_Waitany", "MPI_Init"};
  trace.call_paths.resize(sites);
  for (std::uint32_t site = 0; site < sites; ++site) trace.sites.push_back({site % 4, site});
  return trace;
}

Event event_at(SiteId site, std::uint64_t seed) {
  std::mt19937_64 random(seed * 1000003 + site);
  const auto below = [&](std::uint64_t limit) {
    return static_cast<std::int64_t>(random() % limit);
  };
  Event event{site, {}, {}};
  switch (site % 4) {
    case 0:
      event.scalars = {below(3)};
      break;
    case 1:
      event.scalars = {0, kFirstPeer + below(8), below(4), 8 << below(8)};
      break;
    case 2:
      for (int vector = 0; vector < 4; ++vector) {
        event.vectors.emplace_back();
        for (auto left = below(5); left > 0; --left) event.vectors.back().push_back(below(6));
      }
      break;
    default:
      break;
  }
  return event;
}

Stream stream_of(const std::vector<SiteId>& sites) {
  Stream stream;
  for (const SiteId site : sites) stream.push_back(event_at(site));
  return stream;
}

void append(ThreadCompressor& compressor, const Event& event, Nanoseconds compute,
            Nanoseconds communicate) {
  const std::vector<std::span<const std::int64_t>> vectors(event.vectors.begin(),
                                                           event.vectors.end());
  compressor.append({event.site, event.scalars, vectors, compute, communicate, 0});
}

Stream decoded(const Trace& trace, Rank rank) {
  const Programs programs(trace);
  Stream stream;
  if (!programs.has(rank, 0)) return stream;
  for (Cursor cursor(programs, rank, 0); cursor.advance();) {
    Event event{cursor.site(), {cursor.scalars().begin(), cursor.scalars().end()}, {}};
    for (std::size_t i = 0; i < vector_count(cursor.procedure()); ++i)
      event.vectors.emplace_back(cursor.vector(i).begin(), cursor.vector(i).end());
    stream.push_back(std::move(event));
  }
  return stream;
}

Stream decoded(std::vector<Node> program, std::uint32_t sites, Rank rank) {
  Trace trace = trace_with_sites(sites, rank, rank.value + 1);
  trace.threads.push_back(std::move(program));
  return decoded(trace, rank);
}

std::size_t node_count(const std::vector<Node>& body) {
  std::size_t count = 0;
  for (const Node& node : body) {
    ++count;
    if (const Loop* loop = std::get_if<Loop>(&node.content)) count += node_count(loop->body);
  }
  return count;
}

std::size_t size_of(const std::vector<Node>& body) {
  const auto terms = [](const FieldValues& values) {
    std::size_t count = 0;
    for (const auto& entry : values)
      count += entry.values.term_count() + entry.lengths.term_count();
    return count;
  };
  std::size_t size = 0;
  for (const Node& node : body) {
    ++size;
    if (const Loop* loop = std::get_if<Loop>(&node.content)) {
      size += terms(loop->iterations) + terms(loop->exits) + size_of(loop->body);
    } else {
      for (const auto& field : std::get<Leaf>(node.content).fields) size += terms(field);
    }
  }
  return size;
}

std::string shape(const std::vector<Node>& body) {
  std::string text;
  for (const Node& node : body) {
    if (!text.empty()) text += ' ';
    if (const Loop* loop = std::get_if<Loop>(&node.content))
      text += "loop(" + shape(loop->body) + ")";
    else
      text += static_cast<char>('A' + std::get<Leaf>(node.content).site);
  }
  return text;
}

std::vector<Node> folded(const Stream& stream) {
  ThreadCompressor compressor({});
  for (const Event& event : stream) append(compressor, event);
  return compressor.program();
}

}  // namespace reprise::trace_io::testing
