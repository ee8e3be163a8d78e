// SPDX-License-Identifier: MIT
// One-sided communication: windows with memory of the recorded size, and every operation on them.
//
// A trace does not say where in a window an operation reads or writes: all begin at its start, which has room for each of them.
// Dynamic windows get one region for the same purpose; that and its address are agreed on through PMPI.
#include <sched.h>

#include <algorithm>

#include "recorder/live/player.hpp"

namespace reprise::live {
namespace {

using trace_io::Field;
using trace_io::Kind;

constexpr std::int64_t kDynamicRoom = 64 << 20;

int assertion_of(std::int64_t code) {
  return ((code & trace_io::kNoCheck) != 0 ? MPI_MODE_NOCHECK : 0) |
         ((code & trace_io::kNoStore) != 0 ? MPI_MODE_NOSTORE : 0) |
         ((code & trace_io::kNoPut) != 0 ? MPI_MODE_NOPUT : 0) |
         ((code & trace_io::kNoPrecede) != 0 ? MPI_MODE_NOPRECEDE : 0) |
         ((code & trace_io::kNoSucceed) != 0 ? MPI_MODE_NOSUCCEED : 0);
}

// Integers of the recorded size: every operation of MPI is defined for them.
MPI_Datatype element_of(std::int64_t bytes) {
  return bytes == 8   ? MPI_INT64_T
         : bytes == 4 ? MPI_INT32_T
         : bytes == 2 ? MPI_INT16_T
                      : MPI_INT8_T;
}

// What an accumulate adds up: whole 8-byte integers where the size allows it, else bytes.
struct Elements {
  int count;
  MPI_Datatype type;
};
Elements elements_of(std::int64_t bytes) {
  if (bytes % 8 == 0) return {static_cast<int>(bytes / 8), MPI_INT64_T};
  return {static_cast<int>(bytes), MPI_INT8_T};
}

}  // namespace

void Player::make_window() {
  Window& window = shared_.windows[field(Field::window)];
  const auto procedure = name();
  const auto bytes = std::max<std::int64_t>(field(Field::bytes), 0);
  void* base = nullptr;
  if (procedure == "MPI_Win_create") {
    MPI_Win_create(window.memory.of(bytes), bytes, 1, MPI_INFO_NULL, comm(), &window.handle);
  } else if (procedure == "MPI_Win_allocate") {
    MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, comm(), &base, &window.handle);
  } else if (procedure == "MPI_Win_allocate_shared") {
    MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, comm(), &base, &window.handle);
  } else {
    MPI_Win_create_dynamic(MPI_INFO_NULL, comm(), &window.handle);
    const std::int64_t room = std::min(kDynamicRoom, settings_.most_bytes);
    void* region = window.memory.of(room);
    PMPI_Win_attach(window.handle, region, room);
    MPI_Aint address = 0;
    PMPI_Get_address(region, &address);
    int ranks = 1;
    PMPI_Comm_size(comm(), &ranks);
    window.starts.resize(static_cast<std::size_t>(ranks));
    PMPI_Allgather(&address, 1, MPI_AINT, window.starts.data(), 1, MPI_AINT, comm());
  }
}

void Player::free_window() {
  Window& window = shared_.windows[field(Field::window)];
  MPI_Win_free(&window.handle);
  window.starts.clear();
}

void Player::access_window() {
  Window& window = shared_.windows[field(Field::window)];
  const int target = peer(Field::peer);
  const bool is_dynamic = !window.starts.empty() && target >= 0;
  const MPI_Aint at = is_dynamic ? window.starts[static_cast<std::size_t>(target)] : 0;
  const auto bytes = field(Field::bytes), back = field(Field::receive_bytes);
  const Extent data = extent_of(bytes);
  const void* from = send_buffer_.of(bytes);
  const MPI_Win win = window.handle;
  const Kind kind = cursor_.procedure().kind;
  const bool makes_request = kind >= Kind::start_put && kind <= Kind::start_fetch;
  void* to = (makes_request ? slot().receive : receive_buffer_).of(std::max(bytes, back));
  const Elements sum = elements_of(bytes), fetched = elements_of(back);
  // Without operands of its own an operation only fetches.
  const MPI_Op op = bytes == 0 && back > 0 ? MPI_NO_OP : MPI_SUM;
  switch (kind) {
    case Kind::put:
      MPI_Put(from, data.count, data.type, target, at, data.count, data.type, win);
      return;
    case Kind::get:
      MPI_Get(to, data.count, data.type, target, at, data.count, data.type, win);
      return;
    case Kind::accumulate:
      MPI_Accumulate(from, sum.count, sum.type, target, at, sum.count, sum.type, op, win);
      return;
    case Kind::start_put:
      MPI_Rput(from, data.count, data.type, target, at, data.count, data.type, win, &request());
      return;
    case Kind::start_get:
      MPI_Rget(to, data.count, data.type, target, at, data.count, data.type, win, &request());
      return;
    case Kind::start_accumulate:
      MPI_Raccumulate(from, sum.count, sum.type, target, at, sum.count, sum.type, op, win,
                      &request());
      return;
    case Kind::start_fetch:
      MPI_Rget_accumulate(from, sum.count, sum.type, to, fetched.count, fetched.type, target, at,
                          fetched.count, fetched.type, op, win, &request());
      return;
    default:
      break;
  }
  if (name() == "MPI_Fetch_and_op")
    MPI_Fetch_and_op(from, to, element_of(back), target, at, op, win);
  else if (name() == "MPI_Compare_and_swap")
    MPI_Compare_and_swap(from, from, to, element_of(back), target, at, win);
  else
    MPI_Get_accumulate(from, sum.count, sum.type, to, fetched.count, fetched.type, target, at,
                       fetched.count, fetched.type, op, win);
}

MPI_Group Player::epoch_group() const {
  MPI_Group all = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
  PMPI_Comm_group(comm(), &all);
  std::vector<int> ranks;
  for (const auto code : list(Field::group))
    ranks.push_back(static_cast<int>(code - trace_io::kFirstPeer));
  PMPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &group);
  PMPI_Group_free(&all);
  return group;
}

void Player::synchronise_window() {
  const MPI_Win win = shared_.windows[field(Field::window)].handle;
  const int assertion = assertion_of(std::max<std::int64_t>(field(Field::assertion), 0)),
            target = peer(Field::peer);
  int done = 0;
  switch (cursor_.procedure().kind) {
    case Kind::fence:
      MPI_Win_fence(assertion, win);
      return;
    case Kind::post:
    case Kind::access_start: {
      MPI_Group group = epoch_group();
      if (cursor_.procedure().kind == Kind::post)
        MPI_Win_post(group, assertion, win);
      else
        MPI_Win_start(group, assertion, win);
      PMPI_Group_free(&group);
      return;
    }
    case Kind::access_complete:
      MPI_Win_complete(win);
      return;
    case Kind::exposure_wait:
      if (cursor_.procedure().is_test)
        while (MPI_Win_test(win, &done) == MPI_SUCCESS && done == 0) sched_yield();
      else
        MPI_Win_wait(win);
      return;
    case Kind::lock:
      MPI_Win_lock(field(Field::exclusive) > 0 ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, target,
                   assertion, win);
      return;
    case Kind::unlock:
      MPI_Win_unlock(target, win);
      return;
    case Kind::lock_all:
      MPI_Win_lock_all(assertion, win);
      return;
    case Kind::unlock_all:
      MPI_Win_unlock_all(win);
      return;
    case Kind::flush:
      MPI_Win_flush(target, win);
      return;
    case Kind::flush_local:
      MPI_Win_flush_local(target, win);
      return;
    case Kind::flush_all:
      MPI_Win_flush_all(win);
      return;
    case Kind::flush_local_all:
      MPI_Win_flush_local_all(win);
      return;
    default:
      MPI_Win_sync(win);
  }
}

}  // namespace reprise::live
