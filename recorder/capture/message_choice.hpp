// SPDX-License-Identifier: MIT
// Which messages are sampled (REPRISE_MESSAGES; Vetter, Dynamic Statistical Profiling of Communication Activity, 2001).
//
// A message is known by its stream (communicator, sender, receiver, tag) and its number in it: both sides can tell these, so both sides can
// choose alike without a word.
// random   a hash of stream and number is below a share of 2³². Every message has the same chance.
// counter  one of each `period` messages of a stream, `variance` around the middle by a hash. The paper counts all sends of a task,
//          which a receiver cannot know; so streams of few messages are chosen less. Biased.
// timer    the first send after a time, as the paper has it: the sender's clock decides, a receiver keeps the times of all messages. Biased:
//          what comes first after computing is chosen.
// Thinning whoever runs out of room halves its share: of random messages the rest is the sample of a smaller share; likewise of the others.
#pragma once

#include <cstdint>

#include "trace-io/base/integers.hpp"
#include "trace-io/model/message_choice.hpp"

namespace reprise::recorder {

using trace_io::MessageChoice;

// The numbers of splitmix64 with the stream as its seed: 32 random bits a message.
constexpr std::uint32_t message_hash(std::uint64_t stream, std::uint32_t number) {
  return static_cast<std::uint32_t>(
      trace_io::mixed_bits(stream + (std::uint64_t{number} + 1) * trace_io::kHashMultiplier) >> 32);
}

// Whether the counter is at a message that is chosen. REQUIRES: period ≥ 1, 2 · variance < period.
constexpr bool counts_out(const MessageChoice& choice, std::uint64_t stream, std::uint32_t number) {
  const std::uint64_t block = number / choice.period;
  const std::uint64_t jitter =
      trace_io::mixed_bits(~stream + block * trace_io::kHashMultiplier) % (2 * choice.variance + 1);
  return number % choice.period == (choice.period - 1) / 2 - choice.variance + jitter;
}

}  // namespace reprise::recorder
