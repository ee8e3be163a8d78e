// SPDX-License-Identifier: MIT
// A fuzz target's input that is a trace in its text form.
//
// Limits  memory: 64 MiB, and 8 KiB for each byte of the text, and 512 bytes for each rank that it names. Time: libFuzzer's -timeout, or the
//         driver's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "trace-io/model/trace.hpp"

namespace reprise::fuzz {

inline std::string_view text_at(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// As the header says, whether or not that is a number of ranks that a trace can have.
inline std::size_t ranks_in(std::string_view text) {
  const std::size_t at = text.find("\nranks ");
  if (at == std::string_view::npos) return 0;
  const std::string number(text.substr(at + 7, 20));
  return std::min<std::size_t>(std::strtoull(number.c_str(), nullptr, 0), trace_io::kMaxRanks);
}

inline std::size_t heap_for(std::string_view text) {
  constexpr std::size_t kSome = std::size_t{64} << 20, kPerByte = std::size_t{8} << 10,
                        kPerRank = 512;
  return kSome + kPerByte * text.size() + kPerRank * ranks_in(text);
}

// Which settings it is tried with.
inline std::uint64_t variant_of(std::string_view text) {  // FNV-1a
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash >> 8;
}

}  // namespace reprise::fuzz
