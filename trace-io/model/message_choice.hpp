// SPDX-License-Identifier: MIT
// Which messages are sampled, as users ask for it: sample:1%, counter:64~8, timer:1ms~100us, each with ,size=1KiB..1MiB behind it or
// without. What they mean: recorder/capture/message_choice.hpp.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "trace-io/model/message_times.hpp"

namespace reprise::trace_io {

// Travels between ranks as bytes.
struct MessageChoice {
  bool wanted = false;
  MessageMode mode = MessageMode::random;
  std::uint64_t share = kWholeShare;       // of 2³²
  std::uint64_t period = 1, variance = 0;  // messages, or nanoseconds
  std::uint64_t least_bytes = 0, most_bytes = std::numeric_limits<std::uint64_t>::max();

  bool is_of_size(std::uint64_t bytes) const { return bytes >= least_bytes && bytes <= most_bytes; }
};

inline constexpr const char* kMessageChoiceForms =
    "sample:1%, counter:64~8 or timer:1ms~100us, and ,size=1KiB..1MiB behind it if wanted";

// Nothing where the text makes no sense. Shares are above 0 and at most 100 %; periods 1 to 2³² messages, or 1 ns to 1000 s, and a
// variance is less than half of them.
std::optional<MessageChoice> message_choice_of(std::string_view text);

}  // namespace reprise::trace_io
