// SPDX-License-Identifier: MIT
#include "recorder/live/player.hpp"

namespace reprise::live {

using trace_io::Field;
using trace_io::Kind;

Player::Player(const trace_io::Programs& programs, Rank rank, std::size_t thread, Rankwide& shared,
               const Settings& settings)
    : programs_(programs),
      cursor_(programs, rank, thread),
      shared_(shared),
      thread_(thread),
      settings_(settings),
      wait_(programs.trace().header.clock, settings.has_own_core),
      draws_(settings.deltas, settings.seed, rank),
      frames_(static_cast<std::uint32_t>(programs.trace().sites.size())) {}

void Player::play() {
  while (cursor_.advance()) {
    const Kind kind = cursor_.procedure().kind;
    if (kind == Kind::init) {
      wait_.mark();
      continue;
    }
    if (const auto* compute = cursor_.compute())
      wait_.wait_out(draws_.nanoseconds(*compute) * settings_.compute_scale);
    if (kind == Kind::finalize) {
      has_finalize_ = true;
      return;
    }
    check_sizes();
    frames_.call(cursor_.site(), *this, &Player::perform);
    wait_.mark();
    wait_.leave_out(time_making_room());
  }
}

void Player::finalize() {
  if (has_finalize_)
    frames_.call(cursor_.site(), *this, &Player::end);
  else
    end(*this);
}

Slots& Player::slots_of(std::int64_t number) {
  Slots& own = own_slots();
  if (own.handle(number) != MPI_REQUEST_NULL) return own;
  for (auto& slots : shared_.requests)
    if (&slots != &own && slots.peek(number) != MPI_REQUEST_NULL) return slots;
  return own;
}

std::int64_t Player::field(Field wanted) const {
  std::size_t place = 0;
  for (const auto& spec : fields(cursor_.procedure())) {
    if (spec.is_vector) break;
    if (spec.field == wanted) return cursor_.scalars()[place];
    ++place;
  }
  return trace_io::kNone;
}

std::span<const std::int64_t> Player::list(Field wanted) const {
  std::size_t place = 0;
  for (const auto& spec : fields(cursor_.procedure())) {
    if (!spec.is_vector) continue;
    if (spec.field == wanted) return cursor_.vector(place);
    ++place;
  }
  return {};
}

int Player::peer(Field which) const {
  const std::int64_t code = field(which);
  if (code == trace_io::kProcNull) return MPI_PROC_NULL;
  if (code == trace_io::kAnySource) return MPI_ANY_SOURCE;
  if (code == trace_io::kRoot) return MPI_ROOT;
  return static_cast<int>(code - trace_io::kFirstPeer);
}

int Player::tag(Field which) const {
  const std::int64_t tag = field(which);
  return tag == trace_io::kAnyTag ? MPI_ANY_TAG : static_cast<int>(tag);
}

void Player::take_recorded_time() {
  ++skipped_[name()];
  wait_.mark();
  if (const auto* communicate = cursor_.communicate())
    wait_.wait_out(draws_.nanoseconds(*communicate));
}

// Sends that are still in the buffer have to leave it, as in the program; then it is ours again.
void Player::drain_buffered_sends() {
  void* room = nullptr;
  int size = 0;
  MPI_Buffer_detach(&room, &size);
  if (size > 0) PMPI_Buffer_attach(room, size);
}

void Player::perform_event() {
  switch (cursor_.procedure().kind) {
    case Kind::send:
      return send();
    case Kind::receive:
      return receive();
    case Kind::sendrecv:
      return send_receive();
    case Kind::start_send:
    case Kind::init_send:
      return start_send();
    case Kind::start_receive:
    case Kind::init_receive:
      return start_receive();
    case Kind::start:
      return start();
    case Kind::start_all:
      return start_all();
    case Kind::wait:
      return wait();
    case Kind::wait_all:
      return wait_all();
    case Kind::wait_any:
      return wait_any();
    case Kind::wait_some:
      return wait_some();
    case Kind::probe:
    case Kind::matched_probe:
      return probe();
    case Kind::matched_receive:
    case Kind::start_matched_receive:
      return matched_receive();
    case Kind::cancel:
      return cancel();
    case Kind::request_free:
      return release();
    case Kind::buffer_detach:
      return drain_buffered_sends();
    case Kind::comm_create:
    case Kind::start_comm_create:
      return make_communicator();
    case Kind::comm_free:
      return free_communicator();
    case Kind::collective:
      if (!collective(nullptr)) take_recorded_time();
      return;
    case Kind::start_collective:
      if (!collective(&slot())) take_recorded_time();
      return;
    case Kind::window_create:
      return make_window();
    case Kind::window_free:
      return free_window();
    case Kind::put:
    case Kind::get:
    case Kind::accumulate:
    case Kind::fetch:
    case Kind::start_put:
    case Kind::start_get:
    case Kind::start_accumulate:
    case Kind::start_fetch:
      return access_window();
    case Kind::fence:
    case Kind::post:
    case Kind::access_start:
    case Kind::access_complete:
    case Kind::exposure_wait:
    case Kind::lock:
    case Kind::unlock:
    case Kind::lock_all:
    case Kind::unlock_all:
    case Kind::flush:
    case Kind::flush_local:
    case Kind::flush_all:
    case Kind::flush_local_all:
    case Kind::window_sync:
      return synchronise_window();
    case Kind::file_open:
      return open_file();
    case Kind::file_close:
      return close_file();
    case Kind::file_delete:
      return delete_file();
    case Kind::file_seek:
    case Kind::file_setting:
      return set_file();
    case Kind::file_read:
    case Kind::file_write:
    case Kind::start_file_read:
    case Kind::start_file_write:
    case Kind::file_read_all:
    case Kind::file_write_all:
    case Kind::start_file_read_all:
    case Kind::start_file_write_all:
    case Kind::file_read_begin:
    case Kind::file_write_begin:
      return access_file();
    case Kind::file_access_end:
      return end_file_access();
    default:
      return take_recorded_time();
  }
}

void Player::make_communicator() {
  const auto procedure = name();
  if (procedure == "MPI_Comm_idup") {
    MPI_Comm_idup(comm(), &slot().made, &request());
    shared_.communicators.set_duplicate(field(Field::new_comm), slot().made, field(Field::comm));
    return;
  }
  if (!shared_.communicators.make(procedure, field(Field::comm), field(Field::new_comm),
                                  list(Field::sources), list(Field::destinations)))
    take_recorded_time();
}

void Player::free_communicator() {
  MPI_Comm handle = comm();
  if (name() == "MPI_Comm_disconnect")
    MPI_Comm_disconnect(&handle);
  else
    MPI_Comm_free(&handle);
  shared_.communicators.set(field(Field::comm), MPI_COMM_NULL);
}

}  // namespace reprise::live
