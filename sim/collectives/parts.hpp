// SPDX-License-Identifier: MIT
// What schedules are written in: ranks around a ring, parts of the data, and the power of two among the members.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include "sim/collectives/schedule.hpp"

namespace reprise::sim {

inline std::int32_t wrapped(std::int32_t rank, std::int32_t size) {
  return ((rank % size) + size) % size;
}

inline Bytes listed(std::span<const std::int64_t> list, std::int32_t index) {
  return Bytes{static_cast<std::uint64_t>(list[static_cast<std::size_t>(index)])};
}
inline Bytes times(Bytes block, std::int64_t count) {
  return Bytes{block.value * static_cast<std::uint64_t>(count)};
}

inline Bytes sum(std::span<const std::int64_t> list) {
  Bytes total;
  for (const std::int64_t bytes : list) total += Bytes{static_cast<std::uint64_t>(bytes)};
  return total;
}

// Trees count their nodes from the root on.
inline std::int32_t node_of(const CollectiveCall& call, std::int32_t root) {
  return (call.rank - root + call.size) % call.size;
}
inline std::int32_t rank_of(const CollectiveCall& call, std::int32_t root, std::int32_t node) {
  return (node + root) % call.size;
}

// ⌈log2 n⌉
inline std::uint32_t levels(std::int32_t n) {
  return static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(n - 1)));
}

// bcast, reduce, allreduce: the vector as elements.
inline std::int64_t elements(const CollectiveCall& call) {
  return static_cast<std::int64_t>((call.bytes.value + call.element_bytes.value - 1) /
                                   call.element_bytes.value);
}
inline bool has_fewer_elements_than_members(const CollectiveCall& call) {
  return elements(call) < call.size;
}
// Than the largest power of two among the members.
inline bool has_fewer_elements_than_power(const CollectiveCall& call) {
  return elements(call) <
         static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint32_t>(call.size)));
}
inline bool is_no_power_of_two(const CollectiveCall& call) {
  return !std::has_single_bit(static_cast<std::uint32_t>(call.size));
}
inline constexpr std::string_view kNoPowerOfTwo = "the number of ranks is not a power of two";

inline Bytes bytes_before(const CollectiveCall& call, std::int64_t element) {
  return Bytes{
      std::min(static_cast<std::uint64_t>(element) * call.element_bytes.value, call.bytes.value)};
}
// Elements begin … end − 1.
inline Step part(Step::Kind kind, std::int32_t peer, const CollectiveCall& call, std::int64_t begin,
                 std::int64_t end) {
  const Bytes bytes{bytes_before(call, end).value - bytes_before(call, begin).value};
  return {kind, peer, bytes, Step::Buffer::work, begin, end - begin};
}
// From element `begin` to the last one, and on from the first one to `end` − 1.
inline Step part_around(Step::Kind kind, std::int32_t peer, const CollectiveCall& call,
                        std::int64_t begin, std::int64_t end) {
  const Bytes bytes{call.bytes.value - bytes_before(call, begin).value +
                    bytes_before(call, end).value};
  return {kind, peer, bytes, Step::Buffer::work, begin, elements(call) - begin + end};
}
inline Step whole(Step::Kind kind, std::int32_t peer, const CollectiveCall& call) {
  return {kind, peer, call.bytes, Step::Buffer::work, 0, elements(call)};
}

// Pipelines: the vector in segments.
struct Segments {
  std::int64_t begin = 0, end = 0, each = 1;
  Segments(const CollectiveCall& call, std::int64_t first, std::int64_t last)
      : begin(first), end(last), each(last - first) {
    if (call.segment.value > 0)
      each = static_cast<std::int64_t>(call.segment.value / call.element_bytes.value);
    each = std::max<std::int64_t>(each, 1);
  }
  explicit Segments(const CollectiveCall& call) : Segments(call, 0, elements(call)) {}
  std::uint32_t count() const {
    return static_cast<std::uint32_t>(std::max<std::int64_t>(1, (end - begin + each - 1) / each));
  }
  Step step(Step::Kind kind, std::int32_t peer, const CollectiveCall& call,
            std::uint32_t number) const {
    const std::int64_t from = begin + static_cast<std::int64_t>(number) * each;
    return part(kind, peer, call, from, std::min(from + each, end));
  }
};

// The largest power of two among the members takes part; of the first 2·surplus members only every second one, for itself and
// its neighbour. `odd_stay`: those with odd ranks stay, else the even ones.
struct Fold {
  std::int32_t power, surplus;
  bool odd_stay;
  explicit Fold(std::int32_t size, bool stay_odd = true)
      : power(static_cast<std::int32_t>(std::bit_floor(static_cast<std::uint32_t>(size)))),
        surplus(size - power),
        odd_stay(stay_odd) {}
  std::uint32_t rounds() const {
    return static_cast<std::uint32_t>(std::countr_zero(static_cast<std::uint32_t>(power)));
  }
  bool is_paired(std::int32_t rank) const { return rank < 2 * surplus; }
  bool stays(std::int32_t rank) const { return !is_paired(rank) || (rank % 2 == 1) == odd_stay; }
  // REQUIRES: stays(rank)
  std::int32_t number(std::int32_t rank) const {
    return is_paired(rank) ? rank / 2 : rank - surplus;
  }
  std::int32_t rank(std::int32_t number) const {
    return number < surplus ? 2 * number + (odd_stay ? 1 : 0) : number + surplus;
  }
  // The first member that `number` stands for.
  std::int32_t first_of(std::int32_t number) const {
    return number < surplus ? 2 * number : number + surplus;
  }
};

}  // namespace reprise::sim
