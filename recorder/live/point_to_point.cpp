// SPDX-License-Identifier: MIT
// Messages: sending, receiving, probing.
#include <sched.h>

#include "recorder/live/player.hpp"

namespace reprise::live {

using trace_io::Field;
using trace_io::SendMode;

void Player::send() {
  const Extent sent = extent_of(field(Field::bytes));
  void* data = send_buffer_.of(field(Field::bytes));
  const int to = peer(Field::peer), with = tag(Field::tag);
  switch (cursor_.procedure().mode) {
    case SendMode::standard:
      MPI_Send(data, sent.count, sent.type, to, with, comm());
      break;
    case SendMode::synchronous:
      MPI_Ssend(data, sent.count, sent.type, to, with, comm());
      break;
    case SendMode::buffered:
      MPI_Bsend(data, sent.count, sent.type, to, with, comm());
      break;
    case SendMode::ready:
      MPI_Rsend(data, sent.count, sent.type, to, with, comm());
      break;
  }
}

void Player::receive() {
  const Extent room = extent_of(field(Field::bytes));
  MPI_Recv(receive_buffer_.of(field(Field::bytes)), room.count, room.type, peer(Field::peer),
           tag(Field::tag), comm(), MPI_STATUS_IGNORE);
}

void Player::send_receive() {
  const Extent sent = extent_of(field(Field::bytes)), room = extent_of(field(Field::receive_bytes));
  void* to = receive_buffer_.of(std::max(field(Field::bytes), field(Field::receive_bytes)));
  if (name() == "MPI_Sendrecv_replace")
    MPI_Sendrecv_replace(to, sent.count, sent.type, peer(Field::peer), tag(Field::tag),
                         peer(Field::receive_peer), tag(Field::receive_tag), comm(),
                         MPI_STATUS_IGNORE);
  else
    MPI_Sendrecv(send_buffer_.of(field(Field::bytes)), sent.count, sent.type, peer(Field::peer),
                 tag(Field::tag), to, room.count, room.type, peer(Field::receive_peer),
                 tag(Field::receive_tag), comm(), MPI_STATUS_IGNORE);
}

void Player::start_send() {
  const Extent sent = extent_of(field(Field::bytes));
  const void* data = send_buffer_.of(field(Field::bytes));
  const int to = peer(Field::peer), with = tag(Field::tag);
  MPI_Request* request = &this->request();
  const auto procedure = name();
  if (procedure == "MPI_Isend")
    MPI_Isend(data, sent.count, sent.type, to, with, comm(), request);
  else if (procedure == "MPI_Issend")
    MPI_Issend(data, sent.count, sent.type, to, with, comm(), request);
  else if (procedure == "MPI_Ibsend")
    MPI_Ibsend(data, sent.count, sent.type, to, with, comm(), request);
  else if (procedure == "MPI_Irsend")
    MPI_Irsend(data, sent.count, sent.type, to, with, comm(), request);
  else if (procedure == "MPI_Send_init")
    MPI_Send_init(data, sent.count, sent.type, to, with, comm(), request);
  else if (procedure == "MPI_Ssend_init")
    MPI_Ssend_init(data, sent.count, sent.type, to, with, comm(), request);
  else if (procedure == "MPI_Bsend_init")
    MPI_Bsend_init(data, sent.count, sent.type, to, with, comm(), request);
  else if (procedure == "MPI_Rsend_init")
    MPI_Rsend_init(data, sent.count, sent.type, to, with, comm(), request);
  else
    take_recorded_time();
  // Nothing of the trace refers to it. Unseen by who watches MPI.
  if (field(Field::request) == trace_io::kNone && *request != MPI_REQUEST_NULL)
    PMPI_Request_free(request);
}

void Player::start_receive() {
  const Extent room = extent_of(field(Field::bytes));
  Slot& into = slot();
  void* data = into.receive.of(field(Field::bytes));
  if (cursor_.procedure().kind == trace_io::Kind::init_receive)
    MPI_Recv_init(data, room.count, room.type, peer(Field::peer), tag(Field::tag), comm(),
                  &request());
  else
    MPI_Irecv(data, room.count, room.type, peer(Field::peer), tag(Field::tag), comm(), &request());
}

void Player::probe() {
  const int from = peer(Field::peer), with = tag(Field::tag);
  const auto procedure = name();
  MPI_Message message = MPI_MESSAGE_NULL;
  int found = 0;
  if (procedure == "MPI_Probe")
    MPI_Probe(from, with, comm(), MPI_STATUS_IGNORE);
  else if (procedure == "MPI_Mprobe")
    MPI_Mprobe(from, with, comm(), &message, MPI_STATUS_IGNORE);
  else if (procedure == "MPI_Iprobe")
    while (MPI_Iprobe(from, with, comm(), &found, MPI_STATUS_IGNORE) == MPI_SUCCESS && found == 0)
      sched_yield();
  else
    while (MPI_Improbe(from, with, comm(), &found, &message, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
           found == 0)
      sched_yield();
  if (field(Field::message) < 0) return;
  const std::lock_guard lock(shared_.messages_change);
  shared_.messages[field(Field::message)] = message;
}

void Player::matched_receive() {
  MPI_Message message = MPI_MESSAGE_NO_PROC;
  if (field(Field::message) >= 0) {
    const std::lock_guard lock(shared_.messages_change);
    message = shared_.messages[field(Field::message)];
    shared_.messages.erase(field(Field::message));
  }
  const Extent room = extent_of(field(Field::bytes));
  if (cursor_.procedure().kind == trace_io::Kind::matched_receive) {
    MPI_Mrecv(receive_buffer_.of(field(Field::bytes)), room.count, room.type, &message,
              MPI_STATUS_IGNORE);
    return;
  }
  Slot& into = slot();
  MPI_Imrecv(into.receive.of(field(Field::bytes)), room.count, room.type, &message, &request());
}

}  // namespace reprise::live
