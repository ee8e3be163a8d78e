// SPDX-License-Identifier: MIT
// The numbers of the binary trace format that writer and reader share. FORMAT.md says what they mean.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace reprise::trace_io {

inline constexpr std::uint32_t kFormatVersion = 3;  // of a file that needs nothing newer
inline constexpr std::uint32_t kColumnsVersion =
    4;  // of one that has terms in columns (term_columns.hpp)
inline constexpr std::uint32_t kUnawaitedVersion =
    5;  // of one that has sends that nothing waits for (unawaited_sends.hpp)
inline constexpr std::uint32_t kPoolsVersion =
    6;  // of one that has times in pools (model/time_pools.hpp)
inline constexpr std::uint32_t kCodedVersion =
    7;  // the first that has numbers coded by context (context_coder.hpp)
inline constexpr std::uint32_t kAlignedVersion =
    8;  // likewise, sequences beside those that the loops around align (coded_sequences.hpp)
inline constexpr std::uint32_t kPeaksVersion = 8;  // of one that has peaks (model/order_log.hpp)
inline constexpr std::uint32_t kTagStepsVersion =
    9;  // the first that has tags stored as steps (model/tag_steps.hpp)
inline constexpr std::uint32_t kNeighboursVersion =
    10;  // likewise, beside neighbours: numbers of a call (coded_references.hpp), loops of one execution more or less (aligned_symbols.cpp)
inline constexpr std::uint32_t kDetachVersion =
    11;  // of one that has MPI_Buffer_detach (model/procedures.def)
inline constexpr std::uint32_t kCodedPayloadVersion =
    12;  // of one whose payload, of an earlier version, is coded (payload_coder.hpp)
inline constexpr std::uint32_t kNewestVersion = 12;  // readers read all versions up to this one

// A byte above 127 first, so that no text file and no 7-bit channel can be taken for a trace.
inline constexpr std::array<unsigned char, 8> kMagic = {0x89, 'r', 'e', 'p', 'r', 'i', 's', 'e'};

// The fixed part in front of the compressed payload; all numbers little-endian.
inline constexpr std::size_t kVersionOffset = 8;  // u32
inline constexpr std::size_t kChecksumOffset =
    12;  // u64: XXH64 (seed 0) of every byte from kCompressedOffset on
inline constexpr std::size_t kCompressedOffset = 20;  // u64: bytes of the compressed payload
inline constexpr std::size_t kPayloadOffset = 28;     // u64: bytes of the payload
inline constexpr std::size_t kPreambleBytes = 36;

// The payload's columns, in file order: like is stored with like, so that zstd sees the repetition.
enum class Column : std::uint8_t {
  header,
  text,
  build_ids,
  call_paths,
  sites,
  communicators,
  rank_lists,
  sequences,
  structure,
  fields,
  deltas,
  bin_counts,
  bin_times,
  extremes,
  extreme_ranks,
  squares,
  order,
  coded,
};
inline constexpr std::size_t kColumns = 18;
// Of a file of that version: versions 1 and 2 know no order, those before 7 no coded numbers.
constexpr std::size_t columns_of(std::uint32_t version) {
  return version < 3 ? kColumns - 2 : version < kCodedVersion ? kColumns - 1 : kColumns;
}

inline constexpr std::array<std::string_view, kColumns> kColumnNames = {
    "header",     "text",      "build ids",     "call paths", "sites",  "communicators",
    "rank lists", "sequences", "structure",     "fields",     "deltas", "bin counts",
    "bin times",  "extremes",  "extreme ranks", "squares",    "order",  "coded"};

inline constexpr std::uint8_t kTimings = 3, kBinRules = 3;  // header: timing + kTimings · rule

// Limits that keep the memory of a reader proportional to the bytes it was given.
inline constexpr std::uint64_t kMaxRatio = 64;  // payload bytes per compressed byte
inline constexpr std::uint64_t kFreePayload =
    std::uint64_t{64} * 1024;                    // payload bytes that need no compressed byte
inline constexpr int kMaxWindowLog = 23;         // zstd window: 8 MiB
inline constexpr std::size_t kSharedTerms = 16;  // longer sequences are not numbered for reuse
inline constexpr std::size_t kSharedEntries =
    2;  // version 1: likewise, field values with more entries
inline constexpr std::size_t kSharedParts =
    16;  // likewise, partitions of ranks among field entries

}  // namespace reprise::trace_io
