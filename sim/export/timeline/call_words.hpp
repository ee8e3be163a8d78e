// SPDX-License-Identifier: MIT
// The fields of a call as words, for what a format's own records cannot say (trace-io/import/ranks/field_text.hpp reads them back).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/export/timeline/timed_call.hpp"

namespace reprise::sim {

// The communicators of a trace as a file numbers them: 0 the world, 1 each rank by itself, from 2 on the trace's definitions.
class FileCommunicators {
 public:
  explicit FileCommunicators(const trace_io::Trace&);
  // The file's number for a rank's index; −1 where the index means nothing.
  std::int64_t number(Rank, std::int64_t index) const;

 private:
  std::vector<std::vector<std::int32_t>>
      by_index_;  // from index 2 on, by rank; −1 where the rank has none
};

struct CallWord {
  enum class Kind : std::uint8_t { number, request, vector };
  Kind kind;
  std::int64_t value;  // of a vector: its length
};

std::vector<CallWord> call_words(const TimedCall&, Rank, const FileCommunicators&);
std::string words_as_text(const std::vector<CallWord>&);

}  // namespace reprise::sim
