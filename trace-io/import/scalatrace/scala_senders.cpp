// SPDX-License-Identifier: MIT
#include "trace-io/import/scalatrace/scala_senders.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>

#include "trace-io/model/communicators.hpp"
#include "trace-io/walk/cursor.hpp"

namespace reprise::trace_io {
namespace {

struct Message {
  std::int32_t source = 0;
  std::int64_t tag = 0, bytes = 0;
  std::uint64_t when = 0;  // in the order of all sends
  std::uint32_t request = 0;
};

struct Receive {
  std::int64_t source = kAnySource, tag = 0, bytes = 0;
  std::vector<std::int64_t>* sources =
      nullptr;  // where the sender is to be noted, and as which of them
  std::size_t place = 0;
  std::uint32_t request = 0;
};

struct Walker {
  std::unique_ptr<Programs> programs;
  std::unique_ptr<Cursor> cursor;
  bool is_done = false, is_under_way = false, is_in_collective = false;
  std::vector<std::uint32_t> waits_for{};         // requests
  std::vector<bool> is_open{};                    // by request
  std::vector<std::uint32_t> free{};              // requests that are to be had again
  std::map<std::int64_t, std::uint32_t> slots{};  // the program's requests
  std::deque<Message> sent{};                     // to this rank, not yet taken
  std::vector<Receive> posted{};                  // not yet matched
  std::map<const Leaf*, std::vector<std::int64_t>> sources{};
};

class Senders {
 public:
  Senders(std::vector<Trace>& ranks, bool sizes_are_tags)
      : ranks_(ranks), sizes_are_tags_(sizes_are_tags), walkers_(ranks.size()) {
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      walkers_[r].programs = std::make_unique<Programs>(ranks[r]);
      walkers_[r].cursor =
          std::make_unique<Cursor>(*walkers_[r].programs, Rank{static_cast<std::int32_t>(r)}, 0);
    }
  }

  bool run() {
    for (;;) {
      for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (std::size_t r = 0; r < walkers_.size(); ++r) goes_on = proceed(r) || goes_on;
        goes_on = leave_collective() || goes_on;
        if (is_too_much_ || is_unknown_) return false;
      }
      if (std::all_of(walkers_.begin(), walkers_.end(),
                      [](const auto& one) { return one.is_done; }))
        return true;
      if (!match_anybody()) return false;
    }
  }

  void write() {
    for (std::size_t r = 0; r < walkers_.size(); ++r)
      for_each_leaf(ranks_[r].threads[0], [&](Leaf& leaf) {
        const auto found = walkers_[r].sources.find(&leaf);
        if (found == walkers_[r].sources.end()) return;
        ValueSequence values;
        for (const std::int64_t source : found->second) values.append(source);
        leaf.fields[source_place(procedure_of(ranks_[r], leaf.site))].front().values =
            std::move(values);
      });
  }

 private:
  static std::size_t source_place(const Procedure& procedure) {
    return procedure.kind == Kind::sendrecv ? 4 : 1;
  }

  std::uint32_t request(Walker& rank) {
    if (rank.free.empty()) {
      rank.is_open.push_back(true);
      return static_cast<std::uint32_t>(rank.is_open.size() - 1);
    }
    const std::uint32_t number = rank.free.back();
    rank.free.pop_back();
    rank.is_open[number] = true;
    return number;
  }

  // Whether the rank's call is over.
  bool is_over(Walker& rank) {
    for (const std::uint32_t number : rank.waits_for)
      if (rank.is_open[number]) return false;
    rank.free.insert(rank.free.end(), rank.waits_for.begin(), rank.waits_for.end());
    rank.waits_for.clear();
    return true;
  }

  bool proceed(std::size_t r) {
    Walker& rank = walkers_[r];
    bool goes_on = false;
    while (!rank.is_done && !rank.is_in_collective && !is_unknown_) {
      if (rank.is_under_way && !is_over(rank)) return goes_on;
      rank.is_under_way = false;
      goes_on = true;
      if (!rank.cursor->advance()) {
        rank.is_done = true;
        break;
      }
      if (++events_ > kMostEvents) {
        is_too_much_ = true;
        return false;
      }
      begin(r, rank);
      rank.is_under_way = true;
    }
    return goes_on;
  }

  void begin(std::size_t r, Walker& rank) {
    const Procedure& procedure = rank.cursor->procedure();
    const auto fields = rank.cursor->scalars();
    switch (procedure.kind) {
      case Kind::send:
        return add(rank, send(r, fields.subspan(1)));
      case Kind::start_send:
        return start(rank, send(r, fields.subspan(1)));
      case Kind::receive:
        return add(rank, receive(r, rank, fields.subspan(1)));
      case Kind::start_receive:
        return start(rank, receive(r, rank, fields.subspan(1)));
      case Kind::sendrecv:
        add(rank, send(r, fields.subspan(1)));
        return add(rank, receive(r, rank, fields.subspan(4)));
      case Kind::wait:
        return wait(rank, fields.first(1));
      case Kind::wait_all:
        return wait(rank, rank.cursor->vector(0));
      case Kind::collective:
        rank.is_in_collective = fields[0] == kWorldIndex;
        return;
      default:
        return;
    }
  }

  static constexpr std::uint32_t kNoRequest = ~std::uint32_t{0};
  static void add(Walker& rank, std::uint32_t number) {
    if (number != kNoRequest) rank.waits_for.push_back(number);
  }
  static void start(Walker& rank, std::uint32_t number) {
    rank.slots[rank.cursor->scalars().back()] = number;
  }

  static void wait(Walker& rank, std::span<const std::int64_t> slots) {
    for (const std::int64_t slot : slots) {
      const auto found = rank.slots.find(slot);
      if (found == rank.slots.end()) continue;
      add(rank, found->second);
      rank.slots.erase(found);
    }
  }

  // Peer, tag, bytes. On other communicators than the world, and of MPI_PROC_NULL, nothing is waited for.
  std::uint32_t send(std::size_t r, std::span<const std::int64_t> fields) {
    Walker& rank = walkers_[r];
    if (rank.cursor->scalars()[0] != kWorldIndex || fields[0] < kFirstPeer) return kNoRequest;
    Walker& other = walkers_[static_cast<std::size_t>(fields[0] - kFirstPeer)];
    const Message message{static_cast<std::int32_t>(r), fields[1], fields[2], next_++,
                          request(rank)};
    for (std::size_t i = 0; i < other.posted.size(); ++i) {
      if (other.posted[i].source == kAnySource || !fits(message, other.posted[i])) continue;
      take(other, i, message);
      return message.request;
    }
    other.sent.push_back(message);
    return message.request;
  }

  std::uint32_t receive(std::size_t, Walker& rank, std::span<const std::int64_t> fields) {
    const bool is_from_anybody = fields[0] == kAnySource;
    if (rank.cursor->scalars()[0] != kWorldIndex) {
      is_unknown_ = is_unknown_ || is_from_anybody;
      return kNoRequest;
    }
    auto& sources = sources_of(rank);
    sources.push_back(fields[0]);
    if (fields[0] == kProcNull) return kNoRequest;
    Receive posted{fields[0], fields[1], fields[2], &sources, sources.size() - 1, request(rank)};
    rank.posted.push_back(posted);
    if (!is_from_anybody)
      for (std::size_t m = 0; m < rank.sent.size(); ++m)
        if (fits(rank.sent[m], posted)) {
          take_sent(rank, rank.posted.size() - 1, m);
          break;
        }
    return posted.request;
  }

  // The senders of a receive, call after call; kept only where some are not known.
  std::vector<std::int64_t>& sources_of(Walker& rank) {
    const Leaf& leaf = rank.cursor->leaf();
    const auto& values = leaf.fields[source_place(rank.cursor->procedure())].front().values;
    const auto known = rank.sources.find(&leaf);
    if (known != rank.sources.end()) return known->second;
    bool has_anybody = false;
    (void)values.mapped([&](std::int64_t source) {
      has_anybody = has_anybody || source == kAnySource;
      return source;
    });
    if (has_anybody) return rank.sources[&leaf];
    nobody_.clear();
    return nobody_;
  }

  bool fits(const Message& message, const Receive& receive) const {
    if (receive.source != kAnySource && receive.source != kFirstPeer + message.source) return false;
    return sizes_are_tags_ ? message.bytes == receive.bytes
                           : receive.tag == kAnyTag || receive.tag == message.tag;
  }

  void take(Walker& rank, std::size_t posted, const Message& message) {
    const Receive& receive = rank.posted[posted];
    if (receive.source == kAnySource)
      (*receive.sources)[receive.place] = kFirstPeer + message.source;
    rank.is_open[receive.request] = false;
    walkers_[static_cast<std::size_t>(message.source)].is_open[message.request] = false;
    rank.posted.erase(rank.posted.begin() + static_cast<std::ptrdiff_t>(posted));
  }
  void take_sent(Walker& rank, std::size_t posted, std::size_t sent) {
    take(rank, posted, rank.sent[sent]);
    rank.sent.erase(rank.sent.begin() + static_cast<std::ptrdiff_t>(sent));
  }

  // Receives from anybody take the earliest of what has been sent when nobody can go on; each rank's at most one.
  bool match_anybody() {
    bool has_matched = false;
    for (Walker& rank : walkers_) {
      std::size_t best = rank.sent.size(), posted = 0;
      for (; posted < rank.posted.size(); ++posted) {
        if (rank.posted[posted].source != kAnySource) continue;
        for (std::size_t m = 0; m < rank.sent.size(); ++m)
          if (fits(rank.sent[m], rank.posted[posted]) &&
              (best == rank.sent.size() || rank.sent[m].when < rank.sent[best].when))
            best = m;
        if (best < rank.sent.size()) break;
      }
      if (best == rank.sent.size()) continue;
      take_sent(rank, posted, best);
      has_matched = true;
    }
    return has_matched;
  }

  bool leave_collective() {
    if (!std::all_of(walkers_.begin(), walkers_.end(),
                     [](const auto& one) { return one.is_in_collective; }))
      return false;
    for (Walker& rank : walkers_) rank.is_in_collective = false;
    return true;
  }

  std::vector<Trace>& ranks_;
  bool sizes_are_tags_, is_too_much_ = false, is_unknown_ = false;
  std::vector<Walker> walkers_;
  std::uint64_t events_ = 0, next_ = 0;
  std::vector<std::int64_t> nobody_;
};

}  // namespace

bool place_senders(std::vector<Trace>& ranks, bool sizes_are_tags) {
  Senders senders(ranks, sizes_are_tags);
  if (!senders.run()) return false;
  senders.write();
  return true;
}

}  // namespace reprise::trace_io
