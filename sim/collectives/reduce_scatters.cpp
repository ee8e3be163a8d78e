// SPDX-License-Identifier: MIT
// reduce_scatter and reduce_scatter_block: pairwise exchange, recursive halving, ring, butterfly. Blocks are the members' shares.
// Recursive halving: Thakur, Rabenseifner, Gropp 2005 §4.5; butterfly, which keeps operands in order: Träff, "An Improved Algorithm
// for (Non-commutative) Reduce-Scatter with an Application", EuroPVM/MPI 2005. As in Open MPI 4.1.4, coll_base_reduce_scatter.c.
#include "sim/collectives/parts.hpp"
#include "sim/collectives/schedules.hpp"

namespace reprise::sim {
namespace {

using Kind = Step::Kind;
using Buffer = Step::Buffer;
using trace_io::Collective;

Step shares(Kind kind, std::int32_t peer, const CollectiveCall& call, std::int32_t begin,
            std::int32_t end) {
  Bytes bytes = times(call.bytes, end - begin);
  if (call.operation == Collective::reduce_scatter)
    bytes = sum(call.receive_list.subspan(static_cast<std::size_t>(begin),
                                          static_cast<std::size_t>(end - begin)));
  return {kind, peer, bytes, Buffer::work, begin, end - begin};
}

// The shares of the members that numbers first … first + count − 1 stand for.
Step shares_of(Kind kind, std::int32_t peer, const CollectiveCall& call, const Fold& fold,
               std::int32_t first, std::int32_t count) {
  const auto begin = [&](std::int32_t number) {
    return number == fold.power ? call.size : fold.first_of(number);
  };
  return shares(kind, peer, call, begin(first), begin(first + count));
}

std::int32_t mirrored(std::int32_t number, std::uint32_t bits) {
  std::int32_t turned = 0;
  for (std::uint32_t bit = 0; bit < bits; ++bit) turned |= (number >> bit & 1) << (bits - 1 - bit);
  return turned;
}

bool fold_in(const CollectiveCall& call, const Fold& fold, std::uint32_t round, Steps& steps) {
  if (round > 0) return false;
  if (fold.is_paired(call.rank))
    steps.push_back(shares(fold.stays(call.rank) ? Kind::combine : Kind::send, call.rank ^ 1, call,
                           0, call.size));
  return true;
}

bool keeps_order(const CollectiveCall& call) { return !call.commutes; }

// N − 1 rounds; not commutative: allreduce.
bool pairwise_reduce_scatter(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  if (keeps_order(call)) return recursive_doubling_allreduce(call, round, steps);
  const auto distance = static_cast<std::int32_t>(round) + 1;
  if (distance >= call.size) return false;
  const std::int32_t to = wrapped(call.rank + distance, call.size),
                     from = wrapped(call.rank - distance, call.size);
  const bool has_list = call.operation == Collective::reduce_scatter;
  const auto bytes = [&](std::int32_t block) {
    return has_list ? listed(call.receive_list, block) : call.bytes;
  };
  steps.push_back({Kind::combine, from, bytes(call.rank), Buffer::work, call.rank, 1});
  steps.push_back({Kind::send, to, bytes(to), Buffer::input, to, 1});
  return true;
}

bool recursive_halving_reduce_scatter(const CollectiveCall& call, std::uint32_t round,
                                      Steps& steps) {
  const Fold fold(call.size);
  if (fold_in(call, fold, round, steps)) return true;
  --round;
  const std::uint32_t rounds = fold.rounds();
  if (round < rounds) {
    if (!fold.stays(call.rank)) return true;
    const std::int32_t mask = fold.power >> (round + 1), number = fold.number(call.rank),
                       other = number ^ mask;
    steps.push_back(
        shares_of(Kind::combine, fold.rank(other), call, fold, number & ~(mask - 1), mask));
    steps.push_back(shares_of(Kind::send, fold.rank(other), call, fold, other & ~(mask - 1), mask));
    return true;
  }
  if (round > rounds || !fold.is_paired(call.rank)) return false;
  const std::int32_t peer = call.rank ^ 1;
  const bool stays = fold.stays(call.rank);
  const std::int32_t share = stays ? peer : call.rank;
  steps.push_back(shares(stays ? Kind::send : Kind::receive, peer, call, share, share + 1));
  return true;
}

// Keeps operands in order.
bool butterfly_reduce_scatter(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const Fold fold(call.size);
  if (fold_in(call, fold, round, steps)) return true;
  --round;
  const std::uint32_t rounds = fold.rounds();
  if (round < rounds) {
    if (!fold.stays(call.rank)) return true;
    const std::int32_t number = fold.number(call.rank),
                       peer = fold.rank(number ^ (std::int32_t{1} << round));
    // Held: the shares whose upper bits are the number's lower ones, mirrored.
    const std::int32_t length = fold.power >> (round + 1);
    const std::int32_t kept =
        mirrored(number & ((std::int32_t{2} << round) - 1), rounds) & ~(length - 1);
    steps.push_back(shares_of(Kind::combine, peer, call, fold, kept, length));
    steps.push_back(shares_of(Kind::send, peer, call, fold, kept ^ length, length));
    return true;
  }
  if (round > rounds) return false;
  // Number v holds the shares of number mirrored(v); each share goes to its member.
  const std::int32_t mine = fold.is_paired(call.rank) ? call.rank / 2 : call.rank - fold.surplus;
  const std::int32_t holder = fold.rank(mirrored(mine, rounds));
  if (holder != call.rank)
    steps.push_back(shares(Kind::receive, holder, call, call.rank, call.rank + 1));
  if (!fold.stays(call.rank)) return true;
  const std::int32_t held = mirrored(fold.number(call.rank), rounds);
  for (std::int32_t i = 0; i < (held < fold.surplus ? 2 : 1); ++i) {
    const std::int32_t to = fold.first_of(held) + i;
    if (to != call.rank) steps.push_back(shares(Kind::send, to, call, to, to + 1));
  }
  return true;
}

bool ring_reduce_scatter(const CollectiveCall& call, std::uint32_t round, Steps& steps) {
  const auto step = static_cast<std::int32_t>(round);
  if (step >= call.size - 1) return false;
  const std::int32_t outgoing = wrapped(call.rank - 1 - step, call.size),
                     incoming = wrapped(call.rank - 2 - step, call.size);
  steps.push_back(
      shares(Kind::combine, wrapped(call.rank - 1, call.size), call, incoming, incoming + 1));
  steps.push_back(
      shares(Kind::send, wrapped(call.rank + 1, call.size), call, outgoing, outgoing + 1));
  return true;
}

constexpr Fallback kWholeVectors{keeps_order, "recursive_doubling", "the operator does not commute",
                                 ""};

constexpr Algorithm kReduceScatters[] = {
    {Collective::reduce_scatter, false, "pairwise", pairwise_reduce_scatter, nullptr, false,
     &kWholeVectors},
    {Collective::reduce_scatter, false, "recursive_doubling", recursive_doubling_allreduce},
    {Collective::reduce_scatter, false, "recursive_halving", recursive_halving_reduce_scatter,
     nullptr, true},
    {Collective::reduce_scatter, false, "butterfly", butterfly_reduce_scatter},
    {Collective::reduce_scatter, false, "ring", ring_reduce_scatter, nullptr, true},
    {Collective::reduce_scatter_block, false, "pairwise", pairwise_reduce_scatter, nullptr, false,
     &kWholeVectors},
    {Collective::reduce_scatter_block, false, "recursive_doubling", recursive_doubling_allreduce},
    {Collective::reduce_scatter_block, false, "recursive_halving", recursive_halving_reduce_scatter,
     nullptr, true},
    {Collective::reduce_scatter_block, false, "butterfly", butterfly_reduce_scatter},
    {Collective::reduce_scatter_block, false, "ring", ring_reduce_scatter, nullptr, true},
};

}  // namespace

std::span<const Algorithm> reduce_scatters() { return kReduceScatters; }

}  // namespace reprise::sim
