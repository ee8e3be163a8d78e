// SPDX-License-Identifier: MIT
// References and counts of calls as guesses by place, in the column `coded` (FORMAT.md, "Coded references").
//
// What for  the fields, ranks and times of a call are mostly those of another call from the same line of the program, reached by another call path, or of the calls
//           around it in the same loop.
// How       a number is one of a few guesses (the caller's own; what was there at the same two innermost frames, at the same innermost frame, in the same
//           loop; what followed the same three numbers, or the same one; since version 10 what stood beside the same number of the call, or the same two), each confirmed or not by a coded decision, those that were right lately first; else it is coded as a
//           number. All are of calls of the same procedure.
// Cost      some 0.3 µs a number where a guess is right, 1 µs elsewhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <unordered_map>

#include "trace-io/file/context_coder.hpp"
#include "trace-io/file/format.hpp"
#include "trace-io/file/place_table.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Where a call is, in numbers that equal places share.
struct CallPlace {
  std::uint64_t procedure = 0, inner = 0, outer = 0;  // outer: of the two innermost frames
  std::uint64_t loop = 0;                             // the number of the loop around
};

// `loop`: the number of the loop around the call.
CallPlace place_of(const Trace&, SiteId, std::uint64_t loop);

// What a number is; fields of a call follow, by their place among its fields.
enum class Referred : std::uint8_t {
  ranks_of_node,
  ranks_of_class,
  ranks_of_field,
  predecessor,
  compute_pool,
  communicate_pool,
  compute_count,
  communicate_count,
  field,
};

// What references to rank lists are coded as; none in columns where they stand as they are.
constexpr std::optional<Referred> ranks_coded_in(Column column) {
  if (column == Column::structure) return Referred::ranks_of_node;
  if (column == Column::deltas) return Referred::ranks_of_class;
  if (column == Column::fields) return Referred::ranks_of_field;
  return std::nullopt;
}

class CodedReferences {
 public:
  // `has_neighbours`: whether guesses come from the numbers coded just before, too. Versions 7 to 9: false.
  explicit CodedReferences(bool has_neighbours = true) : has_neighbours_(has_neighbours) {}
  // Either direction: a coder that reads returns what was written. `detail`: what else tells places apart, such as the number of the field; `guesses` come before
  // those by place.
  template <class Coder>
  std::uint64_t reference(Coder&, Referred, const CallPlace&, std::uint64_t detail,
                          std::initializer_list<std::uint64_t> guesses, std::uint64_t number);

 private:
  static constexpr std::size_t kGiven = 2, kPlaces = 7, kSources = kGiven + kPlaces,
                               kNeighbours = 2;
  // What is known of the numbers of one meaning at one procedure.
  struct Stream {
    std::array<std::uint64_t, 3> latest{};
    std::array<std::uint8_t, kSources> trust = {128, 128, 128, 120, 96, 96, 64, 96, 96};
    std::uint64_t history = 0;  // which sources were right lately
  };

  // One of few that are asked for again and again: those of a call, one after the other.
  Stream& stream_of(std::uint64_t key) {
    Recent& recent = recent_[key % recent_.size()];
    if (recent.stream == nullptr || recent.key != key) recent = {key, &streams_[key]};
    return *recent.stream;
  }
  struct Recent {
    std::uint64_t key = 0;
    Stream* stream = nullptr;
  };

  const bool has_neighbours_;
  std::array<std::uint64_t, kNeighbours> neighbours_{};  // the numbers coded last, of any meaning
  std::unordered_map<std::uint64_t, Stream> streams_;    // looked up only
  std::array<Recent, 64> recent_{};
  PlaceTable last_;  // numbers by place
};

}  // namespace reprise::trace_io
