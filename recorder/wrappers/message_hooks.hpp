// SPDX-License-Identifier: MIT
// What calls mean to the sampler of messages (capture/message_sampler.hpp). Called while a call is described, under the handle lock.
//
// Cost  where no messages are sampled: a load and a branch a message.
#pragma once

#include "recorder/wrappers/arguments.hpp"
#include "recorder/wrappers/record_call.hpp"

namespace reprise::recorder {

inline bool samples_messages() { return handles().sampler != nullptr; }

// Before a call, which may come before MPI_Init.
inline bool reads_every_status() { return all_handles != nullptr && samples_messages(); }

// The bytes of a message that was received; kUnknownBytes where the status does not tell.
std::uint64_t bytes_received(const StatusRef&, std::size_t i);

namespace sampled {
void send(Description&, const CommunicatorInfo&, int dest, int tag, std::int64_t bytes);
void receive(Description&, const CommunicatorInfo&, int source, int tag, const StatusRef&);
// What the request is known by.
std::uint32_t start(Description&, const CommunicatorInfo&, int peer, int tag, std::int64_t bytes,
                    bool receives, bool persistent);
std::uint32_t probe(Description&, const CommunicatorInfo&, int source, int tag);
void restart(Description&, const Request&);
void complete(Description&, const Request&, const StatusRef&, std::size_t i);
void matched_receive(Description&, const Request&);
void cancel(const Request&);
void free(const Request&);
bool wants_status(const Request&);
}  // namespace sampled

inline void note_send(Description& d, const CommunicatorInfo& comm, int dest, int tag,
                      std::int64_t bytes) {
  if (samples_messages()) [[unlikely]]
    sampled::send(d, comm, dest, tag, bytes);
}
inline void note_receive(Description& d, const CommunicatorInfo& comm, int source, int tag,
                         const StatusRef& status) {
  if (samples_messages()) [[unlikely]]
    sampled::receive(d, comm, source, tag, status);
}

}  // namespace reprise::recorder
