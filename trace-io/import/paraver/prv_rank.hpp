// SPDX-License-Identifier: MIT
// One task of a Paraver trace: its MPI events as calls, the lines of communication matched to them.
//
// Matching     a line of communication belongs to the call in which its message was sent, and to the call in which its receive was
//              posted, by their times. It stands where the message was sent, which may be after the receive was posted: calls are
//              built kLag after their end, and an Irecv waits for its line (imported_rank.hpp).
// Completion   a receive is complete in the call that its physical time lies in. When a send was completed no line says: by the next
//              MPI_Waitall, or MPI_Wait that completes no receive; the number of such sends is named. A wait that would still complete
//              nothing completes a receive without a line: MPI_Wait the oldest, others all; their number is named, too.
// Roots        only the root of a collective says that it is the root: others wait until it has (root_board.hpp).
// No line      a call without its line (its partner is not in the trace) is kept as time only, and named.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "trace-io/import/paraver/prv_labels.hpp"
#include "trace-io/import/paraver/root_board.hpp"
#include "trace-io/import/ranks/imported_rank.hpp"

namespace reprise::trace_io {

struct PrvCall {
  const PrvProcedure* procedure = nullptr;
  std::int64_t type = 0;  // of its events
  std::int64_t begin = 0, end = 0;
  CallPaths::Path path = CallPaths::kEmpty;
  std::int64_t communicator = -1, sent = 0, received = 0;
  bool is_root = false;
  std::string fields;
};

struct PrvMessage {
  std::int64_t sent_at, posted_at, completed_at;  // ns
  std::int32_t partner;                           // world rank
  std::int64_t bytes, tag;
};

class PrvRank {
 public:
  static constexpr std::int64_t kLag = 10'000'000;  // ns

  PrvRank(const ImportedJob&, const std::unordered_map<std::int64_t, std::uint32_t>& communicators,
          RootBoard&, Rank);

  // In the order of the file.
  PrvCall* open_call() { return is_open_ ? &open_ : nullptr; }
  PrvCall& begin_call(const PrvProcedure&, std::int64_t type, std::int64_t time);
  void end_call(std::int64_t time);
  void message_sent(const PrvMessage& message) {
    if (!tells_fields_) sent_.push_back(message);
  }
  void message_posted(const PrvMessage&);
  void root_is(std::uint64_t call, std::int32_t root_code);
  void enter_function(ImportedJob::FrameId);
  void leave_function();
  CallPaths::Path function_path() const {
    return functions_.empty() ? CallPaths::kEmpty : functions_.back();
  }
  CallPaths& paths() { return rank_.paths(); }
  ImportedRank& rank() { return rank_; }
  // The calls of this rank carry their fields: lines of communication say nothing more.
  void tells_fields();
  // Builds what ended long enough before `now`.
  void advance(std::int64_t now) {
    while (!ended_.empty() && ended_.front().end + kLag < now) build_next();
  }
  void build_all() {
    while (!ended_.empty()) build_next();
  }
  std::size_t held() const { return rank_.held(); }
  void give_up_oldest();
  Trace finish(std::uint64_t unresolved_roots);

 private:
  struct Posted {
    std::int64_t end;
    std::uint64_t call;
  };
  void build_next();
  bool describe(ImportedCall&, const PrvCall&);
  bool describe_send(ImportedCall&, const PrvCall&);
  bool describe_receive(ImportedCall&, const PrvCall&);
  bool describe_sendrecv(ImportedCall&, const PrvCall&);
  void describe_completion(ImportedCall&, const PrvCall&);
  // What a call completes, as requests: receives by their time; sends; receives without a line.
  std::vector<std::uint64_t> take_completed(const PrvCall&);
  void take_open_sends(Kind, std::vector<std::uint64_t>& requests);
  void take_without_line(Kind, std::vector<std::uint64_t>& requests);
  bool describe_collective(ImportedCall&, const PrvCall&);
  bool take_sent(const PrvCall&, PrvMessage&);
  bool take_posted(const PrvCall&, PrvMessage&);
  void keep_as_time(const PrvCall&);
  SiteId site(const PrvCall&, const std::string& procedure);

  const ImportedJob& job_;
  const std::unordered_map<std::int64_t, std::uint32_t>& numbers_;
  RootBoard& roots_;
  ImportedRank rank_;
  PrvCall open_;
  bool is_open_ = false, tells_fields_ = false;
  std::deque<PrvCall> ended_;
  std::vector<CallPaths::Path> functions_;
  std::deque<PrvMessage> sent_;
  std::multimap<std::int64_t, PrvMessage> posted_;  // lines whose receive is not built yet, by when
  std::map<std::int64_t, Posted> waiting_;          // Irecvs without their line, by their begin
  std::multimap<std::int64_t, std::uint64_t> completed_;  // when → request
  std::deque<std::uint64_t> open_sends_;                  // requests, the oldest first
  std::map<std::uint64_t, std::uint64_t> request_of_;     // call → request, of the waiting ones
  std::deque<std::uint64_t> without_line_;                // calls, some of which have a line by now
  std::map<std::uint32_t, std::uint64_t> collectives_on_;  // communicator → how many so far
  std::uint64_t next_request_ = 0;
};

}  // namespace reprise::trace_io
