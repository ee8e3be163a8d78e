// SPDX-License-Identifier: MIT
#include "recorder/finish/joined_messages.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "trace-io/base/integers.hpp"

namespace reprise::recorder {
namespace {

using trace_io::LatencyStat;
using trace_io::MessageCost;
using trace_io::MessageDistance;
using trace_io::MessageRow;

void add_text(trace_io::WordHash& hash, std::string_view text) {
  hash.add(text.size());
  for (const char c : text) hash.add(static_cast<unsigned char>(c));
}

// Two significant bits.
std::uint64_t coarse(std::uint64_t bytes) {
  const auto width = static_cast<unsigned>(std::bit_width(bytes));
  return width <= 2 ? bytes : bytes >> (width - 2) << (width - 2);
}

class Words {
 public:
  void put(std::uint64_t word) { words_.push_back(word); }
  void put(const LatencyStat& stat) {
    put(stat.count);
    for (const Nanoseconds time : {stat.sum, stat.min, stat.max})
      put(static_cast<std::uint64_t>(time.value));
    put(stat.buckets.size());
    for (const trace_io::LatencyBucket& bucket : stat.buckets) {
      put(bucket.code);
      put(bucket.count);
    }
  }
  std::vector<std::byte> bytes() const {
    const auto all = std::as_bytes(std::span(words_));
    return {all.begin(), all.end()};
  }

 private:
  std::vector<std::uint64_t> words_;
};

// Of a whole message; what ends too soon, for want of memory on the other side, is zeros.
class WordReader {
 public:
  explicit WordReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::uint64_t take() {
    std::uint64_t word = 0;
    if (bytes_.size() < sizeof word) return 0;
    std::memcpy(&word, bytes_.data(), sizeof word);
    bytes_ = bytes_.subspan(sizeof word);
    return word;
  }
  LatencyStat take_stat() {
    LatencyStat stat;
    stat.count = take();
    for (Nanoseconds* time : {&stat.sum, &stat.min, &stat.max})
      *time = Nanoseconds{static_cast<std::int64_t>(take())};
    for (std::uint64_t left = take(); left > 0 && !bytes_.empty(); --left) {
      const auto code = static_cast<std::uint32_t>(take());
      stat.buckets.push_back({code, take()});
    }
    return stat;
  }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace

std::vector<std::uint64_t> site_hashes(const trace_io::Trace& trace) {
  std::vector<std::uint64_t> hashes;
  for (const trace_io::Site& site : trace.sites) {
    trace_io::WordHash hash;
    add_text(hash, trace.procedures[site.procedure]);
    for (const trace_io::Frame& frame : trace.call_paths[site.call_path].frames) {
      add_text(hash, trace.modules[frame.module].path);
      add_text(hash, trace.modules[frame.module].build_id);
      hash.add(frame.offset);
    }
    hashes.push_back(std::max<std::uint64_t>(1, trace_io::mixed_bits(hash.value())));
  }
  return hashes;
}

void JoinedMessages::add(const Key& key, std::uint64_t bytes, Nanoseconds latency) {
  Messages& row = rows_[key];
  row.bytes += bytes;
  row.latency.add(latency);
}

MessageCost& JoinedMessages::cost(MessageDistance distance, std::uint64_t bytes) {
  auto found = costs_.find({distance, bytes});
  if (found == costs_.end()) {
    std::size_t& sizes = sizes_[static_cast<std::size_t>(distance)];
    if (sizes >= kMostSizes) bytes = coarse(bytes);
    ++sizes;
    found = costs_.emplace(Size{distance, bytes}, MessageCost{}).first;
    found->second.distance = distance;
    found->second.bytes = bytes;
  }
  return found->second;
}

void JoinedMessages::limit(std::size_t rows) {
  if (rows_.size() <= rows) return;
  std::vector<const std::pair<const Key, Messages>*> all;
  for (const auto& row : rows_)
    if (row.first.sender != MessageRow::kAnyRank) all.push_back(&row);
  if (all.size() <= rows) return;
  std::ranges::stable_sort(all, std::ranges::greater{},
                           [](const auto* row) { return row->second.latency.count; });
  std::vector<Key> few;
  for (std::size_t i = rows; i < all.size(); ++i) few.push_back(all[i]->first);
  for (const Key& key : few) {
    Key any = key;
    any.sender = any.receiver = MessageRow::kAnyRank;
    const auto node = rows_.extract(key);
    Messages& united = rows_[any];
    united.bytes += node.mapped().bytes;
    united.latency.unite(node.mapped().latency);
  }
}

void JoinedMessages::unite(const JoinedMessages& other) {
  sent += other.sent;
  chosen += other.chosen;
  joined += other.joined;
  clock_error = std::max(clock_error, other.clock_error);
  for (const auto& [key, messages] : other.rows_) {
    Messages& row = rows_[key];
    row.bytes += messages.bytes;
    row.latency.unite(messages.latency);
  }
  for (const auto& [size, theirs] : other.costs_) {
    MessageCost& ours = cost(size.first, size.second);
    ours.one_way.unite(theirs.one_way);
    ours.exchange.unite(theirs.exchange);
    ours.send.unite(theirs.send);
    ours.receive.unite(theirs.receive);
    ours.sent_ahead += theirs.sent_ahead;
    ours.held_back += theirs.held_back;
  }
}

std::vector<std::byte> JoinedMessages::bytes() const {
  Words out;
  for (const std::uint64_t number : {sent, chosen, joined, static_cast<std::uint64_t>(clock_error)})
    out.put(number);
  out.put(rows_.size());
  for (const auto& [key, messages] : rows_) {
    out.put(std::uint64_t{static_cast<std::uint32_t>(key.sender)} << 32 |
            static_cast<std::uint32_t>(key.receiver));
    out.put(key.send_site);
    out.put(key.receive_site);
    out.put(std::uint64_t{key.size_class} << 8 | static_cast<std::uint8_t>(key.distance));
    out.put(messages.bytes);
    out.put(messages.latency);
  }
  out.put(costs_.size());
  for (const auto& [size, cost] : costs_) {
    out.put(static_cast<std::uint64_t>(size.first));
    out.put(size.second);
    for (const LatencyStat* stat : {&cost.one_way, &cost.exchange, &cost.send, &cost.receive})
      out.put(*stat);
    out.put(cost.sent_ahead);
    out.put(cost.held_back);
  }
  return out.bytes();
}

JoinedMessages JoinedMessages::from(std::span<const std::byte> bytes) {
  JoinedMessages all;
  WordReader in(bytes);
  all.sent = in.take();
  all.chosen = in.take();
  all.joined = in.take();
  all.clock_error = static_cast<std::int64_t>(in.take());
  for (std::uint64_t left = in.take(); left > 0; --left) {
    Key key{};
    const std::uint64_t ranks = in.take();
    key.sender = static_cast<std::int32_t>(ranks >> 32);
    key.receiver = static_cast<std::int32_t>(ranks & 0xffffffffu);
    key.send_site = in.take();
    key.receive_site = in.take();
    const std::uint64_t kind = in.take();
    key.size_class = static_cast<std::uint32_t>(kind >> 8);
    key.distance = static_cast<MessageDistance>(kind & 0xff);
    Messages& messages = all.rows_[key];
    messages.bytes = in.take();
    messages.latency = in.take_stat();
  }
  for (std::uint64_t left = in.take(); left > 0; --left) {
    const auto distance = static_cast<MessageDistance>(in.take());
    MessageCost& cost = all.cost(distance, in.take());
    for (LatencyStat* stat : {&cost.one_way, &cost.exchange, &cost.send, &cost.receive})
      stat->unite(in.take_stat());
    cost.sent_ahead += in.take();
    cost.held_back += in.take();
  }
  return all;
}

trace_io::MessageTimes JoinedMessages::times(const MessageChoice& choice, std::uint64_t share,
                                             const trace_io::Trace& merged) const {
  trace_io::MessageTimes times;
  times.mode = choice.mode;
  times.asked = choice.share;
  times.kept = share;
  if (choice.mode != trace_io::MessageMode::random) {
    times.period = choice.period;
    times.variance = choice.variance;
  }
  times.least_bytes = choice.least_bytes;
  times.most_bytes = choice.most_bytes == MessageChoice{}.most_bytes ? 0 : choice.most_bytes;
  times.messages = sent;
  times.chosen = chosen;
  times.joined = joined;
  times.clock_error = Nanoseconds{clock_error};
  std::unordered_map<std::uint64_t, std::uint32_t> sites;
  const auto hashes = site_hashes(merged);
  for (std::size_t i = 0; i < hashes.size(); ++i)
    sites.emplace(hashes[i], static_cast<std::uint32_t>(i));
  const auto site_of = [&](std::uint64_t hash) {
    const auto found = sites.find(hash);
    return found == sites.end() ? MessageRow::kAnySite : found->second;
  };
  for (const auto& [key, messages] : rows_)
    times.rows.push_back({key.sender, key.receiver, site_of(key.send_site),
                          site_of(key.receive_site), key.distance, key.size_class, messages.bytes,
                          messages.latency});
  const auto order = [](const MessageRow& row) {
    return std::tuple(row.sender, row.receiver, row.send_site, row.receive_site, row.distance,
                      row.size_class);
  };
  std::ranges::sort(times.rows, {}, order);
  // Rows whose sites the trace does not know may be alike now.
  std::vector<MessageRow> united;
  for (MessageRow& row : times.rows) {
    if (!united.empty() && order(united.back()) == order(row)) {
      united.back().bytes += row.bytes;
      united.back().latency.unite(row.latency);
    } else {
      united.push_back(std::move(row));
    }
  }
  times.rows = std::move(united);
  for (const auto& [size, cost] : costs_) times.costs.push_back(cost);
  return times;
}

}  // namespace reprise::recorder
