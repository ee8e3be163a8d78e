// SPDX-License-Identifier: MIT
// Walks one thread of one rank through the trace and issues every call for real.
//
// Same       procedures, communicators, peers, tags, sizes, wildcards; payload is random.
// Different  call sites (call_frames.hpp), datatypes (of the same size), which request of several completes first: what the
//            recording has as completed is exchanged with what did complete, so that every request is completed once.
// Memory     the compressed trace, the requests in flight, the largest payload.
// Skipped    calls that the trace does not hold with their meaning take their recorded time; they are counted by name.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>

#include "recorder/live/call_frames.hpp"
#include "recorder/live/communicators.hpp"
#include "recorder/live/compute_time.hpp"
#include "recorder/live/slots.hpp"
#include "trace-io/walk/cursor.hpp"

namespace reprise::live {

struct Settings {
  Deltas deltas = Deltas::ordered;
  std::uint64_t seed = 1;
  double compute_scale = 1;
  bool has_own_core = false;                          // each thread of the ranks on its node
  std::int64_t most_bytes = bytes_of_this_machine();  // that one call may have in memory
};

struct Window {
  MPI_Win handle = MPI_WIN_NULL;
  Buffer memory;
  std::vector<MPI_Aint> starts;  // of dynamic windows: where each member's region begins
};
struct File {
  MPI_File handle = MPI_FILE_NULL;
  Buffer memory;        // what split collectives read into
  MPI_Offset next = 0;  // bytes that this rank has accessed by explicit offsets
};

// What the threads of a rank share.
struct Rankwide {
  explicit Rankwide(Communicators all) : communicators(std::move(all)) {}

  Communicators communicators;
  std::deque<Slots>
      requests;  // by thread; a request that another thread completes is looked for in all
  std::map<std::int64_t, MPI_Message> messages;
  std::mutex messages_change;
  std::map<std::int64_t, Window>
      windows;  // by slot, as the files; made by collective calls, which threads do not mix
  std::map<std::int64_t, File> files;
};

class Player {
 public:
  // The rank must have slots for the thread.
  Player(const trace_io::Programs&, Rank, std::size_t thread, Rankwide&, const Settings&);

  // All events from MPI_Init to MPI_Finalize, both excluded. Throws InputError where a call moves more than this machine's memory, or
  // MPI's int, has room for.
  void play();
  // MPI_Finalize, below the frames of its own call site where the trace has it. REQUIRES: play() has returned, on all threads.
  void finalize();
  // Calls that only took their time, by name.
  const std::map<std::string, std::uint64_t>& skipped() const { return skipped_; }

 private:
  static void end(Player&) { MPI_Finalize(); }
  static void perform(Player& player) { player.perform_event(); }
  void perform_event();
  void check_sizes() const;
  void take_recorded_time();
  void drain_buffered_sends();

  // Fields of the current event.
  std::int64_t field(
      trace_io::Field) const;  // scalars; kNone where the procedure has no such field
  std::span<const std::int64_t> list(trace_io::Field) const;
  MPI_Comm comm() const { return communicators().of(field(trace_io::Field::comm)); }
  int peer(trace_io::Field) const;  // a rank, or MPI's special value that the code stands for
  int tag(trace_io::Field) const;
  const Communicators& communicators() const { return shared_.communicators; }
  std::string name() const { return std::string(cursor_.procedure().name); }
  // Of the thread that made the request.
  Slots& slots_of(std::int64_t number);
  Slot& slot() { return own_slots()[field(trace_io::Field::request)]; }
  MPI_Request& request() { return own_slots().handle(field(trace_io::Field::request)); }
  MPI_Request& made_request() {
    return slots_of(field(trace_io::Field::request)).handle(field(trace_io::Field::request));
  }
  Slots& own_slots() { return shared_.requests[thread_]; }

  void send();
  void receive();
  void send_receive();
  void start_send();
  void start_receive();
  void start();
  void start_all();
  void probe();
  void matched_receive();
  void wait();
  void wait_all();
  void wait_any();
  void wait_some();
  void until_complete(std::span<const std::int64_t> numbers, std::size_t how_many);
  void exchange_completed(std::span<const std::int64_t> handed_in,
                          std::span<const std::int64_t> recorded, const std::vector<bool>& done);
  void cancel();
  void release();
  void make_communicator();
  void free_communicator();
  void make_window();
  void free_window();
  void access_window();
  void synchronise_window();
  MPI_Group epoch_group() const;
  static std::string file_name(MPI_Comm);
  void open_file();
  void set_file();
  void delete_file();
  void close_file();
  void access_file();
  void end_file_access();

  bool collective(Slot*);  // false where it is none; the slot where it does not block
  bool reduction(Slot*);
  bool regular(Slot*);
  bool with_lists(Slot*);

  const trace_io::Programs& programs_;
  trace_io::Cursor cursor_;
  Rankwide& shared_;
  std::size_t thread_;
  Settings settings_;
  ComputeWait wait_;
  DeltaDraws draws_;
  CallFrames frames_;
  bool has_finalize_ = false;
  Buffer send_buffer_, receive_buffer_;
  Slot blocking_;  // lists of blocking collectives
  std::map<std::string, std::uint64_t> skipped_;
};

}  // namespace reprise::live
