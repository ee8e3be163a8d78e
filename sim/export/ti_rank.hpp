// SPDX-License-Identifier: MIT
// One rank's events as time-independent lines. See ti_export.hpp for what the form can say.
//
// Requests  TI names a request by (sender, receiver, tag), the oldest first, and its "waitall" waits for all that there are: a
//           Waitall of fewer becomes one "wait" each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/deltas/delta_player.hpp"
#include "sim/engine/loop/event_stream.hpp"
#include "sim/engine/loop/slots.hpp"
#include "sim/engine/point_to_point/wildcards.hpp"
#include "sim/export/ti_export.hpp"
#include "sim/export/ti_lines.hpp"
#include "trace-io/model/communicators.hpp"
#include "trace-io/walk/cursor.hpp"

namespace reprise::sim {

// What all ranks of one export share.
struct TiJob {
  const trace_io::Trace& trace;
  const trace_io::Programs& programs;
  const trace_io::CommunicatorTable& communicators;
  std::vector<bool> is_world;  // by communicator definition: all ranks in their order
  TiSettings settings;
  DeltaPlayer deltas;
  TiLosses losses;
};

class TiRank {
 public:
  TiRank(TiJob&, Rank, TiLines&);
  void write();  // all of the rank's events

 private:
  struct Slot {  // of a request
    enum class Kind : std::uint8_t {
      none,
      send,
      receive,
      silent
    };  // silent: nothing in TI stands for it
    Kind kind = Kind::none;
    bool is_persistent = false, is_active = false, is_wild = false;
    std::int64_t comm = 0, asked_tag = 0, bytes = 0;
    std::int64_t partner = 0, tag = 0;  // as the line of the request that is under way has them
  };

  void begin();
  void event();
  void compute();
  void lose(trace_io::Severity, const std::string& what);
  std::string name() const { return std::string(cursor_.procedure().name); }

  // The peer as a world rank; none for MPI_PROC_NULL.
  std::optional<std::int64_t> partner(std::int64_t comm, std::int64_t code) const;
  std::int64_t tag_in(std::int64_t comm, std::int64_t tag);
  void note_mode();

  void send(const EventFields&);
  void receive(const EventFields&);
  void sendrecv(const EventFields&);
  void make_request(const EventFields&, bool is_persistent);
  void start(std::int64_t slot);
  void wait(std::int64_t slot);
  void wait_all(const EventFields&);
  void matched_receive(const EventFields&);
  void line(std::string_view verb, std::int64_t partner, std::int64_t tag, std::int64_t bytes);
  Slot& slot(std::int64_t number);
  std::int64_t source_of(const EventFields&, std::int64_t code, trace_io::Field matched) const;

  void collective(const EventFields&);
  void reduction_arguments(std::int64_t bytes, std::int64_t element_bytes,
                           std::optional<std::int64_t> root);
  std::int64_t size_word(std::int64_t bytes);
  std::vector<std::int64_t> list(std::span<const std::int64_t>);

  TiJob& job_;
  Rank rank_;
  TiLines& out_;
  trace_io::Cursor cursor_;
  WildcardLookahead scout_;
  DeltaState played_;
  Slots<Slot> slots_;
  struct Claimed {
    std::int64_t message, partner, tag;
  };
  std::vector<Claimed> claimed_;  // by Mprobe
  std::int64_t open_ = 0;         // requests in TI's store
  bool inside_ = false;           // between MPI_Init and MPI_Finalize
};

}  // namespace reprise::sim
