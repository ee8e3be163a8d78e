// SPDX-License-Identifier: MIT
#include "tests/physics/collective_symbols.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <numeric>

namespace reprise::test {
namespace {

struct Packet {
  std::vector<Content> blocks;
  std::uint64_t bytes = 0;
  std::size_t sender = 0;
};

// The blocks that a step moves, of a buffer of `size` blocks.
std::vector<std::size_t> blocks_of(const sim::Step& step, std::size_t size) {
  std::vector<std::size_t> blocks;
  for (std::int64_t i = 0; i < step.count; ++i)
    if (step.bit < 0 || (i >> step.bit & 1) != 0)
      blocks.push_back(static_cast<std::size_t>(step.first + i) % size);
  return blocks;
}

class Execution {
 public:
  Execution(const sim::Algorithm& algorithm, std::vector<Party>& parties, bool in_order,
            bool may_repeat)
      : algorithm_(algorithm),
        parties_(parties),
        in_order_(in_order),
        may_repeat_(may_repeat),
        at_(parties.size()) {}

  std::string run() {
    for (std::size_t i = 0; i < parties_.size(); ++i) begin_round(i);
    for (bool moved = true; moved && problem_.empty();) {
      moved = false;
      for (std::size_t i = 0; i < parties_.size(); ++i) moved = receive(i) || moved;
      for (std::size_t i = 0; i < parties_.size(); ++i)
        if (!at_[i].finished && at_[i].receives.empty() && at_[i].unreceived == 0) {
          begin_round(i);
          moved = true;
        }
    }
    for (std::size_t i = 0; i < parties_.size() && problem_.empty(); ++i)
      if (!at_[i].finished) problem_ = "member " + std::to_string(i) + " never ends";
    for (const auto& [way, packets] : packets_)
      if (!packets.empty() && problem_.empty()) problem_ = "a message is left over";
    return problem_;
  }

 private:
  struct Position {
    sim::Position position;
    std::vector<sim::Step> receives;
    int unreceived = 0;  // own sends that nobody has received yet
    bool finished = false;
  };

  std::size_t party_of(std::size_t i, std::int32_t member) const {
    const Party& party = parties_[i];
    return static_cast<std::size_t>(member < party.call.size
                                        ? party.group_begin + member
                                        : party.other_begin + member - party.call.size);
  }

  void begin_round(std::size_t i) {
    sim::Steps steps;
    Position& at = at_[i];
    if (!sim::next_round(algorithm_, parties_[i].call, at.position, steps)) {
      at.finished = true;
      if (!steps.empty()) problem_ = "steps after the last round";
      return;
    }
    for (const sim::Step& step : steps) {
      if (step.kind != sim::Step::Kind::send) {
        at.receives.push_back(step);
        continue;
      }
      const auto& from =
          step.from == sim::Step::Buffer::input ? parties_[i].input : parties_[i].work;
      Packet packet;
      packet.bytes = step.bytes.value;
      packet.sender = i;
      for (const std::size_t block : blocks_of(step, from.size()))
        packet.blocks.push_back(from[block]);
      packets_[{i, party_of(i, step.peer)}].push_back(packet);
      ++at.unreceived;
    }
  }

  bool receive(std::size_t i) {
    bool moved = false;
    auto& receives = at_[i].receives;
    std::vector<std::size_t> blocked;  // peers whose earlier receive still waits
    bool combine_waits = false;
    for (auto step = receives.begin(); step != receives.end();) {
      const std::size_t from = party_of(i, step->peer);
      auto& packets = packets_[{from, i}];
      const bool combines = step->kind == sim::Step::Kind::combine;
      if (packets.empty() || (combines && combine_waits) ||
          std::find(blocked.begin(), blocked.end(), from) != blocked.end()) {
        blocked.push_back(from);
        combine_waits = combine_waits || combines;
        ++step;
        continue;
      }
      take(parties_[i], *step, packets.front());
      --at_[packets.front().sender].unreceived;
      packets.pop_front();
      step = receives.erase(step);
      moved = true;
    }
    return moved;
  }

  void take(Party& party, const sim::Step& step, const Packet& packet) {
    if (packet.bytes != step.bytes.value) problem_ = "a message of other bytes than expected";
    const std::vector<std::size_t> blocks = blocks_of(step, party.work.size());
    if (packet.blocks.size() != blocks.size()) problem_ = "a message of other blocks than expected";
    if (!party.block_bytes.empty()) {
      std::uint64_t bytes = 0;
      for (const std::size_t block : blocks) bytes += party.block_bytes[block];
      if (bytes != packet.bytes) problem_ = "a message has other bytes than its blocks";
    }
    if (!problem_.empty()) return;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      Content& block = party.work[blocks[i]];
      const Content& arrived = packet.blocks[i];
      if (step.kind == sim::Step::Kind::receive) {
        if (block == arrived && !arrived.empty() && !may_repeat_)
          problem_ = "a block is received that is there already";
        block = arrived;
        continue;
      }
      combine(block, arrived);
      if (step.also >= 0) combine(party.work[static_cast<std::size_t>(step.also)], arrived);
    }
  }

  void combine(Content& block, const Content& arrived) {
    if (block.empty() || (!arrived.empty() && block.back() < arrived.front())) {
      block.insert(block.end(), arrived.begin(), arrived.end());
      return check_order(block);
    }
    Content both;
    std::merge(block.begin(), block.end(), arrived.begin(), arrived.end(),
               std::back_inserter(both));
    if (std::adjacent_find(both.begin(), both.end()) != both.end() && !is_barrier())
      problem_ = "an item is combined twice";
    both.erase(std::unique(both.begin(), both.end()), both.end());
    check_order(both);
    block = both;
  }

  void check_order(const Content& combined) {
    if (in_order_ && !combined.empty() &&
        combined.back() - combined.front() + 1 != static_cast<int>(combined.size()))
      problem_ = "operands that are not neighbours are combined";
  }

  bool is_barrier() const {
    return parties_.front().call.operation == trace_io::Collective::barrier;
  }

  const sim::Algorithm& algorithm_;
  std::vector<Party>& parties_;
  const bool in_order_, may_repeat_;
  std::vector<Position> at_;
  std::map<std::pair<std::size_t, std::size_t>, std::deque<Packet>> packets_;
  std::string problem_;
};

}  // namespace

std::string execute(const sim::Algorithm& algorithm, std::vector<Party>& parties, bool in_order,
                    bool may_repeat) {
  return Execution(algorithm, parties, in_order, may_repeat).run();
}

std::vector<Party> members(int n, const sim::CollectiveCall& call, int blocks) {
  std::vector<Party> parties(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    Party& party = parties[static_cast<std::size_t>(i)];
    party.call = call;
    party.call.rank = i;
    party.call.size = n;
    party.call.side =
        i == call.root ? sim::CollectiveCall::Side::root : sim::CollectiveCall::Side::opposite;
    party.input.resize(static_cast<std::size_t>(blocks));
    party.work.resize(static_cast<std::size_t>(blocks));
  }
  return parties;
}

Content up_to(int n) {
  Content content(static_cast<std::size_t>(n));
  std::iota(content.begin(), content.end(), 0);
  return content;
}

}  // namespace reprise::test
