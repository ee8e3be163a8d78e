// SPDX-License-Identifier: MIT
#include "trace-io/model/procedure.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace reprise::trace_io {
namespace {

constexpr std::array kProcedures = {
#define PROCEDURE(name, kind, mode, collective, is_test) \
  Procedure{"MPI_" #name, Kind::kind, SendMode::mode, Collective::collective, is_test, 1},
#define PROCEDURE_SINCE(version, name, kind, is_test) \
  Procedure{"MPI_" #name, Kind::kind, SendMode::standard, Collective::none, is_test, version},
#include "trace-io/model/procedures.def"
#undef PROCEDURE
#undef PROCEDURE_SINCE
};

constexpr FieldSpec scalar(Field field) { return {field, false, PeerFrame::not_a_peer}; }
constexpr FieldSpec peer(Field field, PeerFrame frame = PeerFrame::comm) {
  return {field, false, frame};
}
constexpr FieldSpec vector(Field field, PeerFrame frame = PeerFrame::not_a_peer) {
  return {field, true, frame};
}

using Specs = std::vector<FieldSpec>;

void add_point_to_point(Specs& specs) {
  specs.insert(specs.end(),
               {scalar(Field::comm), peer(Field::peer), scalar(Field::tag), scalar(Field::bytes)});
}

void add_match(Specs& specs) {
  specs.insert(specs.end(), {peer(Field::matched_peer), scalar(Field::matched_tag)});
}

void add_collective(Specs& specs, Collective operation) {
  const auto reduction = [&] {
    specs.insert(specs.end(), {scalar(Field::element_bytes), scalar(Field::commutes)});
  };
  specs.push_back(scalar(Field::comm));
  switch (operation) {
    case Collective::none:
    case Collective::barrier:
      return;
    case Collective::bcast:
      specs.insert(specs.end(), {peer(Field::peer), scalar(Field::send_bytes)});
      return;
    case Collective::reduce:
      specs.insert(specs.end(),
                   {peer(Field::peer), scalar(Field::send_bytes), scalar(Field::in_place)});
      reduction();
      return;
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan:
    case Collective::reduce_scatter_block:
      specs.insert(specs.end(), {scalar(Field::send_bytes), scalar(Field::in_place)});
      reduction();
      return;
    case Collective::gather:
    case Collective::scatter:
      specs.push_back(peer(Field::peer));
      [[fallthrough]];
    case Collective::allgather:
    case Collective::alltoall:
    case Collective::neighbor_allgather:
    case Collective::neighbor_alltoall:
      specs.insert(specs.end(), {scalar(Field::send_bytes), scalar(Field::receive_bytes_per_peer),
                                 scalar(Field::in_place)});
      return;
    case Collective::gatherv:
      specs.push_back(peer(Field::peer));
      [[fallthrough]];
    case Collective::allgatherv:
    case Collective::neighbor_allgatherv:
      specs.insert(specs.end(), {scalar(Field::send_bytes), scalar(Field::in_place),
                                 vector(Field::receive_bytes_list)});
      return;
    case Collective::scatterv:
      specs.insert(specs.end(), {peer(Field::peer), scalar(Field::receive_bytes_per_peer),
                                 scalar(Field::in_place), vector(Field::send_bytes_list)});
      return;
    case Collective::alltoallv:
    case Collective::alltoallw:
    case Collective::neighbor_alltoallv:
    case Collective::neighbor_alltoallw:
      specs.insert(specs.end(), {scalar(Field::in_place), vector(Field::send_bytes_list),
                                 vector(Field::receive_bytes_list)});
      return;
    case Collective::reduce_scatter:
      specs.push_back(scalar(Field::in_place));
      reduction();
      specs.push_back(vector(Field::receive_bytes_list));
      return;
  }
}

// Calls on a window or a file: what they are on, then what kind of call it is.
void add_object(Specs& specs, Kind kind) {
  if (kind == Kind::file_delete) return;
  specs.insert(specs.end(),
               {scalar(Field::comm), scalar(kind < Kind::file_open ? Field::window : Field::file)});
  switch (kind) {
    case Kind::put:
    case Kind::get:
    case Kind::accumulate:
    case Kind::fetch:
    case Kind::start_put:
    case Kind::start_get:
    case Kind::start_accumulate:
    case Kind::start_fetch:
      specs.insert(specs.end(), {peer(Field::peer), scalar(Field::bytes)});
      if (kind == Kind::fetch || kind == Kind::start_fetch)
        specs.push_back(scalar(Field::receive_bytes));
      if (kind >= Kind::start_put) specs.push_back(scalar(Field::request));
      break;
    case Kind::post:
    case Kind::access_start:
      specs.push_back(vector(Field::group, PeerFrame::comm));
      [[fallthrough]];
    case Kind::fence:
    case Kind::lock_all:
      specs.push_back(scalar(Field::assertion));
      break;
    case Kind::lock:
      specs.insert(specs.end(),
                   {peer(Field::peer), scalar(Field::assertion), scalar(Field::exclusive)});
      break;
    case Kind::unlock:
    case Kind::flush:
    case Kind::flush_local:
      specs.push_back(peer(Field::peer));
      break;
    case Kind::window_create:
    case Kind::file_read:
    case Kind::file_write:
    case Kind::file_read_all:
    case Kind::file_write_all:
    case Kind::file_read_begin:
    case Kind::file_write_begin:
      specs.push_back(scalar(Field::bytes));
      break;
    case Kind::start_file_read:
    case Kind::start_file_write:
    case Kind::start_file_read_all:
    case Kind::start_file_write_all:
      specs.insert(specs.end(), {scalar(Field::bytes), scalar(Field::request)});
      break;
    default:  // the object alone
      break;
  }
}

Specs specs_of(Kind kind, Collective operation) {
  Specs specs;
  switch (kind) {
    case Kind::init:
    case Kind::finalize:
    case Kind::buffer_detach:
    case Kind::unmodelled:
      break;
    case Kind::send:
      add_point_to_point(specs);
      break;
    case Kind::receive:
      add_point_to_point(specs);
      add_match(specs);
      break;
    case Kind::sendrecv:
      add_point_to_point(specs);
      specs.insert(specs.end(), {peer(Field::receive_peer), scalar(Field::receive_tag),
                                 scalar(Field::receive_bytes)});
      add_match(specs);
      break;
    case Kind::start_send:
    case Kind::start_receive:
    case Kind::init_send:
    case Kind::init_receive:
      add_point_to_point(specs);
      specs.push_back(scalar(Field::request));
      break;
    case Kind::start:
    case Kind::cancel:
    case Kind::request_free:
      specs.push_back(scalar(Field::request));
      break;
    case Kind::start_all:
      specs.push_back(vector(Field::requests));
      break;
    case Kind::wait:
      specs.insert(specs.end(),
                   {scalar(Field::request), peer(Field::matched_peer, PeerFrame::world),
                    scalar(Field::matched_tag)});
      break;
    case Kind::wait_all:
      specs.insert(specs.end(),
                   {vector(Field::requests), vector(Field::matched_peers, PeerFrame::world),
                    vector(Field::matched_tags)});
      break;
    case Kind::wait_any:
    case Kind::wait_some:
      specs.insert(specs.end(),
                   {vector(Field::requests), vector(Field::completed),
                    vector(Field::matched_peers, PeerFrame::world), vector(Field::matched_tags)});
      break;
    case Kind::probe:
    case Kind::matched_probe:
      specs.insert(specs.end(), {scalar(Field::comm), peer(Field::peer), scalar(Field::tag)});
      add_match(specs);
      if (kind == Kind::matched_probe) specs.push_back(scalar(Field::message));
      break;
    case Kind::matched_receive:
      specs.insert(specs.end(), {scalar(Field::message), scalar(Field::bytes)});
      break;
    case Kind::start_matched_receive:
      specs.insert(specs.end(),
                   {scalar(Field::message), scalar(Field::bytes), scalar(Field::request)});
      break;
    case Kind::collective:
      add_collective(specs, operation);
      break;
    case Kind::start_collective:
      add_collective(specs, operation);
      specs.push_back(scalar(Field::request));
      break;
    case Kind::comm_create:
    case Kind::start_comm_create:
      specs.insert(specs.end(), {scalar(Field::comm), scalar(Field::new_comm)});
      if (kind == Kind::start_comm_create) specs.push_back(scalar(Field::request));
      specs.insert(specs.end(), {vector(Field::sources, PeerFrame::new_comm),
                                 vector(Field::destinations, PeerFrame::new_comm)});
      break;
    case Kind::comm_free:
      specs.push_back(scalar(Field::comm));
      break;
    default:
      add_object(specs, kind);
  }
  std::stable_partition(specs.begin(), specs.end(),
                        [](const FieldSpec& spec) { return !spec.is_vector; });
  return specs;
}

constexpr std::size_t kCollectives = static_cast<std::size_t>(Collective::neighbor_alltoallw) + 1;

const Specs& cached_specs(Kind kind, Collective operation) {
  // Never destroyed: the recorder writes what it has from a handler that runs when the process exits.
  static const auto& table = *[] {
    auto* all = new std::array<std::array<Specs, kCollectives>, kKinds>;
    for (std::size_t k = 0; k < kKinds; ++k)
      for (std::size_t c = 0; c < kCollectives; ++c)
        (*all)[k][c] = specs_of(static_cast<Kind>(k), static_cast<Collective>(c));
    return all;
  }();
  return table[static_cast<std::size_t>(kind)][static_cast<std::size_t>(operation)];
}

}  // namespace

std::string time_only(std::string_view name) { return std::string(name) + " (time only)"; }

Procedure procedure_named(std::string_view name) {
  const auto found = std::find_if(kProcedures.begin(), kProcedures.end(),
                                  [&](const Procedure& p) { return p.name == name; });
  if (found != kProcedures.end()) return *found;
  Procedure unknown;
  unknown.name = name;
  return unknown;
}

std::span<const Procedure> known_procedures() { return kProcedures; }

std::span<const FieldSpec> fields(const Procedure& procedure) {
  return cached_specs(procedure.kind, procedure.collective);
}

std::size_t scalar_count(const Procedure& procedure) {
  const auto specs = fields(procedure);
  return static_cast<std::size_t>(std::count_if(
      specs.begin(), specs.end(), [](const FieldSpec& spec) { return !spec.is_vector; }));
}

std::size_t vector_count(const Procedure& procedure) {
  return fields(procedure).size() - scalar_count(procedure);
}

std::string_view name_of(Field field) {
  switch (field) {
    case Field::comm:
      return "comm";
    case Field::new_comm:
      return "new_comm";
    case Field::peer:
      return "peer";
    case Field::tag:
      return "tag";
    case Field::bytes:
      return "bytes";
    case Field::receive_peer:
      return "receive_peer";
    case Field::receive_tag:
      return "receive_tag";
    case Field::receive_bytes:
      return "receive_bytes";
    case Field::matched_peer:
      return "matched_peer";
    case Field::matched_tag:
      return "matched_tag";
    case Field::request:
      return "request";
    case Field::requests:
      return "requests";
    case Field::completed:
      return "completed";
    case Field::matched_peers:
      return "matched_peers";
    case Field::matched_tags:
      return "matched_tags";
    case Field::message:
      return "message";
    case Field::send_bytes:
      return "send_bytes";
    case Field::receive_bytes_per_peer:
      return "receive_bytes_per_peer";
    case Field::send_bytes_list:
      return "send_bytes_list";
    case Field::receive_bytes_list:
      return "receive_bytes_list";
    case Field::element_bytes:
      return "element_bytes";
    case Field::commutes:
      return "commutes";
    case Field::in_place:
      return "in_place";
    case Field::sources:
      return "sources";
    case Field::destinations:
      return "destinations";
    case Field::window:
      return "window";
    case Field::file:
      return "file";
    case Field::assertion:
      return "assert";
    case Field::exclusive:
      return "exclusive";
    case Field::group:
      return "group";
  }
  return "";
}

}  // namespace reprise::trace_io
