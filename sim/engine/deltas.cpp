// SPDX-License-Identifier: MIT
#include "sim/engine/deltas.hpp"

#include <algorithm>
#include <numeric>

#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

constexpr std::uint32_t kNoDeck = ~std::uint32_t{0};

// Finaliser of SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::uint64_t times_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t n) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % n);
}

// Coprime to n and near n over the golden ratio.
std::uint64_t golden_step(std::uint64_t n) {
  if (n < 3) return 1;
  auto step = static_cast<std::uint64_t>(static_cast<double>(n) * 0.6180339887498949);
  while (std::gcd(step, n) != 1) ++step;
  return step;
}

}  // namespace

DeltaPlayer::DeltaPlayer(const trace_io::Trace& trace, Deltas mode, std::uint64_t seed) : mode_(mode), seed_(seed) {
  if (mode == Deltas::mean) return;
  for (const auto& program : trace.threads) collect(program);
  std::sort(known_.begin(), known_.end(),
            [](const Known& a, const Known& b) { return std::less<>{}(a.distribution, b.distribution); });
  deck_of_known_.assign(known_.size(), kNoDeck);
}

void DeltaPlayer::collect(const std::vector<trace_io::Node>& nodes) {
  for (const trace_io::Node& node : nodes) {
    if (const auto* loop = std::get_if<trace_io::Loop>(&node.content)) {
      collect(loop->body);
      continue;
    }
    const auto& leaf = std::get<trace_io::Leaf>(node.content);
    for (const auto& path : leaf.compute)
      for (const auto& one : path.classes) known_.push_back({&one.durations, &one.ranks});
    for (const auto& one : leaf.communicate) known_.push_back({&one.durations, &one.ranks});
  }
}

std::uint32_t DeltaPlayer::deck_of(const trace_io::Distribution& distribution) {
  const auto found = std::lower_bound(
      known_.begin(), known_.end(), &distribution,
      [](const Known& known, const trace_io::Distribution* address) { return std::less<>{}(known.distribution, address); });
  REPRISE_ASSERT(found != known_.end() && found->distribution == &distribution, "durations belong to the trace");
  std::uint32_t& deck_number = deck_of_known_[static_cast<std::size_t>(found - known_.begin())];
  if (deck_number != kNoDeck) return deck_number;
  deck_number = static_cast<std::uint32_t>(decks_.size());
  Deck& deck = decks_.emplace_back();
  deck.members = found->ranks->ranks();
  for (const auto& bin : distribution.bins()) {
    if (bin.count == 0) continue;
    deck.count += bin.count;
    deck.ends.push_back(deck.count);
    deck.values.push_back(static_cast<double>(bin.sum) / static_cast<double>(bin.count) * 1e-9);
  }
  deck.step = golden_step(deck.count);
  return deck_number;
}

DeltaState::Slot& DeltaPlayer::slot_of(const trace_io::Distribution& distribution, DeltaState& state) {
  if (2 * (state.used + 1) > state.slots.size()) {
    std::vector<DeltaState::Slot> old(std::max<std::size_t>(16, 2 * state.slots.size()));
    old.swap(state.slots);
    state.used = 0;
    for (const auto& slot : old)
      if (slot.distribution != nullptr) slot_of(*slot.distribution, state) = slot;
  }
  const std::size_t mask = state.slots.size() - 1;
  std::size_t place = static_cast<std::size_t>(mixed(reinterpret_cast<std::uintptr_t>(&distribution))) & mask;
  while (state.slots[place].distribution != nullptr && state.slots[place].distribution != &distribution)
    place = (place + 1) & mask;
  auto& slot = state.slots[place];
  if (slot.distribution != nullptr) return slot;
  ++state.used;
  slot.distribution = &distribution;
  slot.deck = kNoDeck;
  return slot;
}

double DeltaPlayer::value_at(const Deck& deck, std::uint64_t place) const {
  const auto bin = std::upper_bound(deck.ends.begin(), deck.ends.end(), place);
  return deck.values[static_cast<std::size_t>(bin - deck.ends.begin())];
}

Seconds DeltaPlayer::play(const trace_io::Distribution& distribution, DeltaState& state) {
  if (distribution.count() == 0) return Seconds{};
  if (mode_ == Deltas::mean || distribution.bins().empty()) return Seconds{distribution.mean_ns() * 1e-9};
  auto& slot = slot_of(distribution, state);
  if (slot.deck == kNoDeck) {
    slot.deck = deck_of(distribution);
    const auto& members = decks_[slot.deck].members;
    slot.next = static_cast<std::uint64_t>(std::lower_bound(members.begin(), members.end(), state.rank) - members.begin());
  }
  const Deck& deck = decks_[slot.deck];
  if (mode_ == Deltas::sample) {
    const std::uint64_t stream = mixed(seed_ ^ mixed(static_cast<std::uint64_t>(state.rank.value) << 32 | state.thread));
    return Seconds{value_at(deck, mixed(stream + mixed(state.draws++)) % deck.count)};
  }
  const std::uint64_t place = times_modulo(slot.next % deck.count, deck.step, deck.count);
  slot.next += deck.members.size();
  return Seconds{value_at(deck, place)};
}

}  // namespace reprise::sim
