// SPDX-License-Identifier: MIT
// Sampled messages among the ranks: clocks compared when MPI begins and ends, receivers' samples sent to the senders, their statistics
// put together on rank 0. Over the recorder's own communicator; nothing is sent while the program runs.
//
// Where no messages are sampled nothing is sent and nothing is done.
#pragma once

#include <mpi.h>

#include <optional>

#include "recorder/capture/recording.hpp"
#include "recorder/finish/joined_messages.hpp"

namespace reprise::recorder {

// Collective, after the recording has begun on all ranks. Sampling begins here.
void begin_message_sampling(Recording&, MPI_Comm) noexcept;

struct MessagesOfAllRanks {
  JoinedMessages messages;
  MessageChoice choice;
  std::uint64_t share = 0;  // of 2³², that all ranks have kept
};
// Collective, when recording has ended and before its losses are looked at. Something on rank 0 only, and nothing where none were
// sampled or memory ran out.
std::optional<MessagesOfAllRanks> collect_messages(Recording&, MPI_Comm) noexcept;

}  // namespace reprise::recorder
