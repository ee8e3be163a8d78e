// SPDX-License-Identifier: MIT
#include "recorder/wrappers/message_exchange.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "recorder/capture/handles.hpp"
#include "recorder/finish/message_join.hpp"
#include "recorder/finish/node_clocks.hpp"
#include "recorder/wrappers/ranks.hpp"
#include "trace-io/base/integers.hpp"

namespace reprise::recorder {
namespace {

using trace_io::MessageDistance;
using trace_io::Severity;

constexpr const char* kEventsVariable = "REPRISE_MESSAGE_EVENTS";
constexpr int kClockTag = 11;
constexpr int kRoundTrips = 24;

struct Sampling {
  RecordingClock::Moment first{};
  std::vector<std::uint64_t> nodes;  // by rank: a hash of its node's name
  std::vector<int> leaders;          // the lowest rank of each node, ascending
  ClockOffset offset;                // of this rank's node when MPI began
};
Sampling* sampling = nullptr;  // while messages are sampled

std::int64_t now() {
  return static_cast<std::int64_t>(RecordingClock::system_time(CLOCK_MONOTONIC));
}

template <class Part>
bool completed(const Part& part) noexcept {
  try {
    part();
    return true;
  } catch (...) {
    return false;
  }
}

// Collective.
bool all_ranks(bool here, MPI_Comm comm) {
  int own = here ? 1 : 0, all = 0;
  PMPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, comm);
  return all != 0;
}

std::uint64_t hash_of(std::string_view text) {
  trace_io::WordHash hash;
  for (const char c : text) hash.add(static_cast<unsigned char>(c));
  return hash.value();
}

// Round trips from the first node's leader to another one's, told to that one.
ClockOffset offset_from_first(int leader, int rank, MPI_Comm comm) {
  std::array<RoundTrip, kRoundTrips> trips;
  std::int64_t token = 0;
  for (RoundTrip& trip : trips) {
    if (rank == leader) {
      PMPI_Recv(&token, 1, MPI_INT64_T, 0, kClockTag, comm, MPI_STATUS_IGNORE);
      token = now();
      PMPI_Send(&token, 1, MPI_INT64_T, 0, kClockTag, comm);
    } else {
      trip.sent = now();
      PMPI_Send(&token, 1, MPI_INT64_T, leader, kClockTag, comm);
      PMPI_Recv(&trip.answered, 1, MPI_INT64_T, leader, kClockTag, comm, MPI_STATUS_IGNORE);
      trip.received = now();
    }
  }
  ClockOffset offset;
  if (rank != leader) offset = offset_of(trips);
  static_assert(sizeof(ClockOffset) == 3 * sizeof(std::int64_t));
  if (rank != leader)
    PMPI_Send(&offset, 3, MPI_INT64_T, leader, kClockTag, comm);
  else
    PMPI_Recv(&offset, 3, MPI_INT64_T, 0, kClockTag, comm, MPI_STATUS_IGNORE);
  return offset;
}

// Collective. What this rank's node has to add to its clock; nothing on the first node.
ClockOffset compare_clocks(int rank, MPI_Comm comm) {
  const std::vector<std::uint64_t>& nodes = sampling->nodes;
  const auto ranks = static_cast<int>(nodes.size());
  ClockOffset mine;
  if (rank == 0)
    for (const int leader : sampling->leaders)
      if (leader != 0) offset_from_first(leader, rank, comm);
  if (rank != 0 && std::ranges::binary_search(sampling->leaders, rank))
    mine = offset_from_first(rank, rank, comm);
  const std::uint64_t node = nodes[static_cast<std::size_t>(rank)];
  const auto leader = static_cast<int>(std::find(nodes.begin(), nodes.end(), node) - nodes.begin());
  if (leader == 0) return {};
  if (rank != leader) {
    PMPI_Recv(&mine, 3, MPI_INT64_T, leader, kClockTag, comm, MPI_STATUS_IGNORE);
    return mine;
  }
  for (int other = rank + 1; other < ranks; ++other)
    if (nodes[static_cast<std::size_t>(other)] == node)
      PMPI_Send(&mine, 3, MPI_INT64_T, other, kClockTag, comm);
  return mine;
}

constexpr std::size_t kSideWords = 7;

void put(std::uint64_t* to, const TimedSide& side) {
  const std::array<std::uint64_t, kSideWords> words = {side.stream,
                                                       side.number << 1 | (side.tells_cost ? 1 : 0),
                                                       static_cast<std::uint64_t>(side.begin),
                                                       static_cast<std::uint64_t>(side.end),
                                                       side.bytes,
                                                       side.site,
                                                       static_cast<std::uint64_t>(side.stay)};
  std::ranges::copy(words, to);
}
TimedSide side_at(const std::uint64_t* words) {
  TimedSide side;
  side.stream = words[0];
  side.number = words[1] >> 1;
  side.tells_cost = (words[1] & 1) != 0;
  side.begin = static_cast<std::int64_t>(words[2]);
  side.end = static_cast<std::int64_t>(words[3]);
  side.bytes = words[4];
  side.site = words[5];
  side.stay = static_cast<std::int64_t>(words[6]);
  return side;
}

std::vector<TimedSide> timed(const std::vector<MessageSample>& samples, const CommonClock& clock,
                             const std::vector<std::uint64_t>& sites) {
  std::vector<TimedSide> sides;
  sides.reserve(samples.size());
  for (const MessageSample& sample : samples)
    sides.push_back({sample.stream, sample.number, clock.at(sample.begin), clock.at(sample.end),
                     clock.at(sample.stay), sample.bytes,
                     sample.site < sites.size() ? sites[sample.site] : 0, sample.peer,
                     sample.tells_cost});
  return sides;
}

// Collective: what each rank received goes to whoever sent it.
class ReceiveExchange {
 public:
  // May throw std::bad_alloc, before anything is sent.
  ReceiveExchange(std::vector<TimedSide> receives, int ranks)
      : to_(static_cast<std::size_t>(ranks)),
        from_(to_.size()),
        to_at_(to_.size()),
        from_at_(to_.size()) {
    std::ranges::stable_sort(receives, {}, &TimedSide::peer);
    out_.resize(receives.size() * kSideWords);
    for (std::size_t i = 0; i < receives.size(); ++i) {
      put(out_.data() + i * kSideWords, receives[i]);
      to_[static_cast<std::size_t>(receives[i].peer)] += static_cast<int>(kSideWords);
    }
  }
  void exchange_counts(MPI_Comm comm) {
    PMPI_Alltoall(to_.data(), 1, MPI_INT, from_.data(), 1, MPI_INT, comm);
  }
  void make_room() {
    std::size_t words = 0;
    for (std::size_t i = 0, at = 0; i < to_.size(); ++i) {
      to_at_[i] = static_cast<int>(at);
      from_at_[i] = static_cast<int>(words);
      at += static_cast<std::size_t>(to_[i]);
      words += static_cast<std::size_t>(from_[i]);
    }
    in_.resize(words);
  }
  void exchange(MPI_Comm comm) {
    PMPI_Alltoallv(out_.data(), to_.data(), to_at_.data(), MPI_UINT64_T, in_.data(), from_.data(),
                   from_at_.data(), MPI_UINT64_T, comm);
  }
  std::vector<TimedSide> received() const {
    std::vector<TimedSide> sides;
    for (std::size_t at = 0; at < in_.size(); at += kSideWords)
      sides.push_back(side_at(in_.data() + at));
    return sides;
  }

 private:
  std::vector<int> to_, from_, to_at_, from_at_;  // words
  std::vector<std::uint64_t> out_, in_;
};

void tell_losses(Recording& recording, const MessageSampler& sampler, const MessageJoin& join) {
  const auto tell = [&](const char* what, Severity severity, std::uint64_t count) {
    if (count > 0) recording.losses.add(what, severity, {}, count);
  };
  tell("ranks whose messages cannot be distinguished, none of them sampled", Severity::notice,
       sampler.is_lost() ? 1 : 0);
  tell("message streams of unknown order, none of them sampled", Severity::notice,
       sampler.lost_streams());
  tell("messages of further streams, none of them sampled", Severity::notice, sampler.uncounted());
  tell("sampled sends with unknown receive", Severity::notice, join.without_receiver);
  if (sampler.choice().mode != trace_io::MessageMode::timer && !sampler.is_lost())
    tell("sampled receives with unknown send", Severity::notice, join.without_sender);
  tell("sampled messages whose two sides differ", Severity::error, join.different);
}

// The raw events (the paper's WRITE): FOLDER/messages-RANK.csv of what this rank has sent, where REPRISE_MESSAGE_EVENTS names a folder. Times
// in ns of the first node's CLOCK_MONOTONIC; of no account where it cannot be written.
void write_events(const std::vector<JoinedPair>& pairs, int rank) {
  const std::string path =
      std::string(std::getenv(kEventsVariable)) + "/messages-" + std::to_string(rank) + ".csv";
  std::FILE* const file = std::fopen(path.c_str(), "we");
  if (file == nullptr) {
    std::fprintf(stderr, "reprise: warning: %s: \"%s\" cannot be written\n", kEventsVariable,
                 path.c_str());
    return;
  }
  std::fputs("stream,number,sender,receiver,bytes,send_begin,send_end,receive_begin,receive_end\n",
             file);
  for (const auto& [send, receive] : pairs)
    std::fprintf(file,
                 "%016" PRIx64 ",%" PRIu64 ",%d,%d,%" PRIu64 ",%" PRId64 ",%" PRId64 ",%" PRId64
                 ",%" PRId64 "\n",
                 send.stream, send.number, rank, send.peer, send.bytes, send.begin, send.end,
                 receive.begin, receive.end);
  std::fclose(file);
}

// Collective: united over a binomial tree; complete on rank 0.
void unite_over_ranks(JoinedMessages& messages, int rank, int ranks, MPI_Comm comm) {
  RanksOverMpi others(comm);
  for (int step = 1; step < ranks; step *= 2) {
    if ((rank & step) != 0) {
      TraceMessage message{{}, 0};
      completed([&] { message.bytes = messages.bytes(); });
      others.send(rank - step, message);
      return;
    }
    if (rank + step >= ranks) continue;
    const TraceMessage message = others.receive(rank + step);
    completed([&] {
      messages.unite(JoinedMessages::from(message.bytes));
      messages.limit(JoinedMessages::kMostRows);
    });
  }
}

}  // namespace

void begin_message_sampling(Recording& recording, MPI_Comm comm) noexcept {
  if (!recording.settings.messages.wanted) return;
  const int ranks = recording.process.ranks, rank = recording.process.rank;
  std::unique_ptr<Sampling> begun;
  std::unique_ptr<MessageSampler> sampler;
  const bool here = completed([&] {
    begun = std::make_unique<Sampling>();
    begun->nodes.resize(static_cast<std::size_t>(ranks));
    begun->leaders.reserve(static_cast<std::size_t>(ranks));
    MessageChoice choice = recording.settings.messages;
    if (choice.mode == trace_io::MessageMode::timer) {  // in ticks
      constexpr std::uint64_t kMany = std::uint64_t{1} << 30;
      const auto ns = static_cast<double>(recording.clock.between(0, kMany).value);
      choice.period = static_cast<std::uint64_t>(static_cast<double>(choice.period) / ns * kMany);
      choice.variance =
          static_cast<std::uint64_t>(static_cast<double>(choice.variance) / ns * kMany);
    }
    sampler = std::make_unique<MessageSampler>(choice, rank, handles().shared);
  });
  if (!all_ranks(here, comm)) {
    if (!here) recording.give_up("the recorder ran out of memory");
    return;
  }
  const std::uint64_t node = hash_of(recording.process.host);
  PMPI_Allgather(&node, 1, MPI_UINT64_T, begun->nodes.data(), 1, MPI_UINT64_T, comm);
  for (int other = 0; other < ranks; ++other) {
    const auto at = begun->nodes.begin() + other;
    if (std::find(begun->nodes.begin(), at, *at) == at) begun->leaders.push_back(other);
  }
  sampling = begun.release();
  sampling->offset = compare_clocks(rank, comm);
  sampling->first = recording.clock.moment();
  handles().sampler = std::move(sampler);
}

std::optional<MessagesOfAllRanks> collect_messages(Recording& recording, MPI_Comm comm) noexcept {
  if (sampling == nullptr) return std::nullopt;
  const int ranks = recording.process.ranks, rank = recording.process.rank;
  const RecordingClock::Moment last = recording.clock.moment();
  const NodeClock node(sampling->offset, compare_clocks(rank, comm));
  const std::unique_ptr<MessageSampler> sampler = std::move(handles().sampler);
  if (handles().communicators.ambiguous() > 0) sampler->lose_everything();
  const std::uint64_t own = sampler->share();
  std::uint64_t share = 0;
  PMPI_Allreduce(&own, &share, 1, MPI_UINT64_T, MPI_MIN, comm);

  std::vector<TimedSide> sends;
  std::optional<ReceiveExchange> exchange;
  std::vector<MessageDistance> distances;
  bool here = completed([&] {
    trace_io::Trace tables;
    recording.sites.describe(tables);
    const auto sites = site_hashes(tables);
    const CommonClock clock(sampling->first, last, node);
    sends = timed(sampler->sends(share), clock, sites);
    exchange.emplace(timed(sampler->receives(share), clock, sites), ranks);
    for (int other = 0; other < ranks; ++other)
      distances.push_back(other == rank ? MessageDistance::to_itself
                          : sampling->nodes[static_cast<std::size_t>(other)] ==
                                  sampling->nodes[static_cast<std::size_t>(rank)]
                              ? MessageDistance::same_node
                              : MessageDistance::other_node);
  });
  if (all_ranks(here, comm)) {
    exchange->exchange_counts(comm);
    here = completed([&] { exchange->make_room(); });
    if (all_ranks(here, comm)) exchange->exchange(comm);
  } else {
    here = false;
  }
  MessagesOfAllRanks all{{}, recording.settings.messages, share};
  here = here && completed([&] {
           const bool writes = std::getenv(kEventsVariable) != nullptr;
           std::vector<JoinedPair> pairs;
           MessageJoin join = joined(std::move(sends), exchange->received(), rank, distances,
                                     writes ? &pairs : nullptr);
           if (writes) write_events(pairs, rank);
           tell_losses(recording, *sampler, join);
           all.messages = std::move(join.messages);
           all.messages.sent = sampler->messages();
           all.messages.clock_error = node.doubt();
           all.messages.limit(std::max<std::size_t>(
               16, JoinedMessages::kMostRows / static_cast<std::size_t>(ranks)));
         });
  if (!all_ranks(here, comm)) return std::nullopt;
  unite_over_ranks(all.messages, rank, ranks, comm);
  if (rank != 0) return std::nullopt;
  return all;
}

}  // namespace reprise::recorder
