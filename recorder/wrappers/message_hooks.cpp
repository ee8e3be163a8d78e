// SPDX-License-Identifier: MIT
#include "recorder/wrappers/message_hooks.hpp"

#include <cstring>

namespace reprise::recorder {
namespace {

int or_any(int value, int any) { return value == any ? MessageSampler::kAny : value; }

MessageSampler& sampler() { return *handles().sampler; }

// A copy of the status as C has it; false where there is none, or it is of another form.
bool read_status(const StatusRef& from, std::size_t i, MPI_Status& status) {
  if (from.at(i) == nullptr || from.size() != sizeof(MPI_Status)) return false;
  std::memcpy(&status, from.at(i), sizeof status);
  return true;
}

bool is_message_call(CallId id) {
  switch (id) {
    case CallId::Isend:
    case CallId::Irecv:
      return true;
    default:
      break;
  }
  const std::string_view name = name_of(id);
  for (const std::string_view word : {"Send", "send", "Recv", "recv", "robe", "Start"})
    if (name.find(word) != std::string_view::npos) return true;
  return completes_requests(id);
}

}  // namespace

std::uint64_t bytes_received(const StatusRef& from, std::size_t i) {
  MPI_Status status;
  MPI_Count bytes = 0;
  if (!read_status(from, i, status) ||
      PMPI_Get_elements_x(&status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes < 0)
    return kUnknownBytes;
  return static_cast<std::uint64_t>(bytes);
}

namespace sampled {

void send(Description& d, const CommunicatorInfo& comm, int dest, int tag, std::int64_t bytes) {
  sampler().send(comm, dest, tag, static_cast<std::uint64_t>(bytes), &d, d.notes());
  if (bytes > static_cast<std::int64_t>(MessageSampler::kSmall)) d.count_large_send();
}

void receive(Description& d, const CommunicatorInfo& comm, int source, int tag,
             const StatusRef& status) {
  if (source == MPI_PROC_NULL) return;
  const std::uint32_t ticket =
      sampler().post(comm, or_any(source, MPI_ANY_SOURCE), or_any(tag, MPI_ANY_TAG), &d);
  d.count_receive();
  if (ticket == MessageSampler::kNone) return;
  sampler().complete(ticket, status.source(), status.tag(), bytes_received(status, 0), d.notes());
}

std::uint32_t start(Description& d, const CommunicatorInfo& comm, int peer, int tag,
                    std::int64_t bytes, bool receives, bool persistent) {
  if (peer == MPI_PROC_NULL) return MessageSampler::kNone;
  const auto size = static_cast<std::uint64_t>(bytes);
  if (persistent)
    return sampler().keep({&comm, !receives, or_any(peer, MPI_ANY_SOURCE), or_any(tag, MPI_ANY_TAG),
                           size, MessageSampler::kNone});
  if (receives)
    return sampler().post(comm, or_any(peer, MPI_ANY_SOURCE), or_any(tag, MPI_ANY_TAG), &d);
  sampler().send(comm, peer, tag, size, &d, d.notes());
  return size <= MessageSampler::kSmall ? MessageSampler::kSmallSend : MessageSampler::kLargeSend;
}

std::uint32_t probe(Description& d, const CommunicatorInfo& comm, int source, int tag) {
  return source == MPI_PROC_NULL ? MessageSampler::kNone : sampler().post(comm, source, tag, &d);
}

void restart(Description& d, const Request& request) {
  sampler().start(request.message, &d, d.notes());
}

// The receive that the request is of, kNone where it is none.
static std::uint32_t ticket_of(const Request& request) {
  if (!request.persistent || request.message >= MessageSampler::kFirstNoTicket)
    return request.message;
  const MessageSampler::Persistent& kept = sampler().persistent(request.message);
  if (!kept.sends) return kept.ticket;
  return kept.bytes <= MessageSampler::kSmall ? MessageSampler::kSmallSend
                                              : MessageSampler::kLargeSend;
}

bool wants_status(const Request& request) {
  return request.cancelled || sampler().wants_status(ticket_of(request));
}

void complete(Description& d, const Request& request, const StatusRef& from, std::size_t i) {
  const std::uint32_t ticket = ticket_of(request);
  if (request.persistent && request.message < MessageSampler::kFirstNoTicket)
    sampler().persistent(request.message).ticket = MessageSampler::kNone;
  if (ticket == MessageSampler::kLargeSend) d.count_large_send();
  if (ticket >= MessageSampler::kFirstNoTicket) return;
  d.count_receive();
  MPI_Status status;
  int is_cancelled = 0;
  if (request.cancelled) {
    if (!read_status(from, i, status) || PMPI_Test_cancelled(&status, &is_cancelled) != MPI_SUCCESS)
      return sampler().lose_everything();
    if (is_cancelled != 0) return sampler().cancelled(ticket);
  }
  if (!sampler().wants_status(ticket) || from.at(i) == nullptr)
    return sampler().complete(ticket, MessageSampler::kAny, MessageSampler::kAny, kUnknownBytes,
                              d.notes());
  sampler().complete(ticket, from.source(i), from.tag(i), bytes_received(from, i), d.notes());
}

void matched_receive(Description& d, const Request& request) {
  if (request.message >= MessageSampler::kFirstNoTicket) return;
  d.count_receive();
  sampler().complete(request.message, MessageSampler::kAny, MessageSampler::kAny, kUnknownBytes,
                     d.notes());
}

// A send that is taken back leaves a gap in its stream.
void cancel(const Request& request) {
  if (ticket_of(request) == MessageSampler::kSmallSend ||
      ticket_of(request) == MessageSampler::kLargeSend)
    sampler().lose_everything();
}

void free(const Request& request) {
  if (request.persistent)
    sampler().forget(request.message);
  else
    sampler().drop(request.message);
}

}  // namespace sampled

std::uint64_t away_during(const ThreadRecorder& thread, const FinishedCall& call) {
  const ThreadTime& time = thread.time;
  return time.asked == call.span.end ? time.away_before : time.away;
}

void commit_messages(ThreadRecorder& thread, const FinishedCall& call, std::uint64_t away) {
  Description& d = thread.description();
  const HandlesLock lock;
  sampler().commit(d.notes(),
                   {call.span.begin + away, call.span.end + away, thread.stay_began() + away,
                    thread.last_site(), call.id == CallId::Send, d.waits_for_one()});
}

void lose_messages(CallId id) noexcept {
  if (!samples_messages() || !is_message_call(id)) return;
  const HandlesLock lock;
  sampler().lose_everything();
}

}  // namespace reprise::recorder
