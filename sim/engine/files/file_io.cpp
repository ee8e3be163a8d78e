// SPDX-License-Identifier: MIT
#include "sim/engine/files/file_io.hpp"

#include <algorithm>
#include <limits>

namespace reprise::sim {

using trace_io::Field;
using trace_io::Kind;

namespace {

bool reads(Kind kind) {
  return kind == Kind::file_read || kind == Kind::start_file_read || kind == Kind::file_read_all ||
         kind == Kind::start_file_read_all || kind == Kind::file_read_begin;
}

bool is_collective(Kind kind) {
  return kind != Kind::file_read && kind != Kind::start_file_read && kind != Kind::file_write &&
         kind != Kind::start_file_write;
}

}  // namespace

FileIo::FileIo(Runtime& runtime, const platforms::Platform& platform, std::uint32_t first_context,
               std::uint32_t stride)
    : runtime_(runtime),
      storage_(platform.storage),
      files_(runtime.trace().header.ranks, first_context, stride),
      split_(static_cast<std::size_t>(runtime.trace().header.ranks)) {
  if (!storage_) return;
  const double bound = storage_->per_client_bandwidth ? storage_->per_client_bandwidth->value
                                                      : std::numeric_limits<double>::infinity();
  const std::uint32_t count =
      storage_->kind == platforms::Storage::Kind::kShared ? 1 : platform.nodes.count;
  for (std::uint32_t i = 0; i < count; ++i) {
    servers_.push_back({SharedServer(storage_->read_bandwidth.value, bound), 0});
    servers_.push_back({SharedServer(storage_->write_bandwidth.value, bound), 0});
  }
}

Progress FileIo::execute(std::uint32_t index, const EventFields& fields) {
  Actor& actor = runtime_.actor(index);
  const Kind kind = actor.cursor.procedure().kind;
  if (kind == Kind::file_seek) return Progress::done;
  has_been_used_ = true;
  if (kind == Kind::file_open) return open(index, fields);
  if (kind == Kind::file_delete) return wait_for(index, start(index, nullptr, Work::metadata, {}));
  const std::int64_t slot = fields.scalar(Field::file);
  LocalHandle* file = files_.find(actor.rank, slot);
  if (file == nullptr)
    return runtime_.fail(actor, "uses file " + std::to_string(slot) + ", which it has not opened");
  std::uint32_t& split =
      split_[static_cast<std::size_t>(actor.rank)].try_emplace(slot, kNothing).first->second;
  if (kind == Kind::file_access_end) {
    if (split == kNothing) return runtime_.fail(actor, "ends an access that it has not begun");
    return wait_for(index, std::exchange(split, kNothing));
  }
  if (kind == Kind::file_setting || kind == Kind::file_close) {
    const std::string_view name = actor.cursor.procedure().name;
    const bool asks_server = kind == Kind::file_close || name == "MPI_File_set_size" ||
                             name == "MPI_File_preallocate" || name == "MPI_File_sync";
    const std::uint32_t request =
        start(index, &file->view, asks_server ? Work::metadata : Work::none, {});
    if (kind == Kind::file_close && request != kNothing) files_.close(*file);
    return wait_for(index, request);
  }
  const Bytes bytes{
      static_cast<std::uint64_t>(std::max<std::int64_t>(0, fields.scalar(Field::bytes)))};
  const std::uint32_t request = start(index, is_collective(kind) ? &file->view : nullptr,
                                      reads(kind) ? Work::read : Work::write, bytes);
  if (request == kNothing) return Progress::blocked;
  if (kind == Kind::file_read_begin || kind == Kind::file_write_begin) {
    split = request;
    return Progress::done;
  }
  if (!fields.has(Field::request)) return wait_for(index, request);
  actor.slot(fields.scalar(Field::request)) = request;
  return Progress::done;
}

Progress FileIo::open(std::uint32_t index, const EventFields& fields) {
  Actor& actor = runtime_.actor(index);
  CommunicatorView* comm = runtime_.communicator(actor, fields.scalar(Field::comm));
  if (comm == nullptr) return Progress::blocked;
  const std::int64_t slot = fields.scalar(Field::file);
  if (files_.open(actor.rank, slot, *comm) == nullptr)
    return runtime_.fail(
        actor, "opens file " + std::to_string(slot) + ", which it has already or cannot have");
  return wait_for(index, start(index, comm, Work::metadata, {}));
}

std::uint32_t FileIo::start(std::uint32_t index, CommunicatorView* members, Work work,
                            Bytes bytes) {
  const Actor& actor = runtime_.actor(index);
  // The second meeting's place in the order of the file's collectives is taken now: members may start others before it.
  const std::uint32_t first =
      members == nullptr ? kNothing : runtime_.meetings().enter(index, *members);
  if (members != nullptr && first == kNothing) return kNothing;
  const bool moves = work == Work::read || work == Work::write;
  const std::uint32_t second =
      members == nullptr || !moves ? kNothing : runtime_.meetings().enter(index, *members);
  if (members != nullptr && moves && second == kNothing) return kNothing;

  const std::uint32_t made = runtime_.make_request(
      index, members == nullptr ? Request::Kind::one_sided : Request::Kind::collective, 0);
  const std::uint32_t access_index = accesses_.take();
  runtime_.requests()[made].file_access = access_index;
  Access& access = accesses_[access_index];
  access = Access{};
  access.request = made;
  access.second_meeting = second;
  access.work = work;
  access.bytes = bytes;
  access.node = runtime_.paths().node(actor.rank);
  access.latency = (work == Work::metadata ? storage_->metadata_latency : storage_->latency).value;
  // A shared pointer has to be fetched and moved on first.
  if (members == nullptr && actor.cursor.procedure().name.ends_with("_shared"))
    access.latency += storage_->latency.value;
  if (CriticalPath* const path = runtime_.path(); path != nullptr)
    path->take_over({CriticalPath::Of::access, access_index}, {CriticalPath::Of::actor, index});
  if (members == nullptr)
    begin_work(access_index, actor.clock);
  else
    runtime_.meetings().begin(first, made, actor.clock);
  return made;
}

Progress FileIo::wait_for(std::uint32_t index, std::uint32_t request) {
  if (request == kNothing) return Progress::blocked;
  runtime_.actor(index).awaited.push_back({request, -1});
  return runtime_.await(index);
}

void FileIo::on_met(std::uint32_t index, double at, double partner_ready) {
  Access& access = accesses_[index];
  if (access.work == Work::none) {
    // Nothing was to be done between two meetings, or this was the second one.
    // What members wait for at the second is one another's accesses: communication, as the access is.
    if (!access.has_worked) runtime_.requests()[access.request].partner_ready = partner_ready;
    return finish(index, at);
  }
  runtime_.requests()[access.request].partner_ready = partner_ready;
  if (access.work != Work::metadata && access.bytes.value == 0) return after_work(index, at);
  begin_work(index, at);
}

void FileIo::begin_work(std::uint32_t index, double at) {
  runtime_.post(at + accesses_[index].latency, NetworkEvent::file_latency, index);
}

void FileIo::on_latency_over(std::uint32_t index) {
  const Access& access = accesses_[index];
  const double now = runtime_.now();
  if (access.work == Work::metadata) return after_work(index, now);
  const bool writes = access.work == Work::write;
  const std::uint32_t pair = storage_->kind == platforms::Storage::Kind::kShared ? 0 : access.node;
  const std::uint32_t server = 2 * pair + (writes ? 1 : 0);
  const double bandwidth = (writes ? storage_->write_bandwidth : storage_->read_bandwidth).value;
  const double busy = storage_->operation_cost.value * bandwidth;
  servers_[server].server.join(now, static_cast<double>(access.bytes.value) + busy, index);
  set_timer(server);
}

void FileIo::set_timer(std::uint32_t server) {
  const double end = servers_[server].server.next_end();
  if (end == std::numeric_limits<double>::infinity()) return;
  ++servers_[server].timers;
  runtime_.post(std::max(end, runtime_.now()), NetworkEvent::storage_turn, server);
}

// Accesses that came since have put off the ends for which earlier timers were set; the last timer is right.
void FileIo::on_turn(std::uint32_t server) {
  std::vector<std::uint32_t> ended;
  const double now = runtime_.now();
  --servers_[server].timers;
  servers_[server].server.take_ended(now, ended);
  if (!ended.empty() || servers_[server].timers == 0) set_timer(server);
  for (const std::uint32_t access : ended) after_work(access, now);
}

void FileIo::after_work(std::uint32_t index, double at) {
  if (CriticalPath* const path = runtime_.path(); path != nullptr)
    path->advance({CriticalPath::Of::access, index}, at, PathPart::storage);
  Access& access = accesses_[index];
  access.work = Work::none;
  access.has_worked = true;
  if (access.second_meeting == kNothing) return finish(index, at);
  const std::uint32_t run = std::exchange(access.second_meeting, kNothing);
  runtime_.meetings().begin(run, access.request, at);
}

void FileIo::finish(std::uint32_t index, double at) {
  const std::uint32_t made = accesses_[index].request;
  if (CriticalPath* const path = runtime_.path(); path != nullptr) {
    path->take_over({CriticalPath::Of::request, made}, {CriticalPath::Of::access, index});
    path->drop({CriticalPath::Of::access, index});
  }
  accesses_.give_back(index);
  Request& request = runtime_.requests()[made];
  request.file_access = kNothing;
  runtime_.complete(made, at, request.partner_ready);
}

}  // namespace reprise::sim
