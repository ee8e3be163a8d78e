// SPDX-License-Identifier: MIT
// One rank of an imported run: its calls, folded into a trace of that rank while they are read.
//
// Order     calls are begun and added in the order in which the rank made them. A call of which something is said only later (an Irecv:
//           who sent is known when it is complete) waits, and all after it with it, until it is resolved. At most kMostHeld calls are
//           held: then the oldest goes as it stands, and its reader hears of it.
// Time      nanoseconds since the job began, absolute: rounding does not add up. The recorder's rules apply: compute time runs from
//           the end of a call to the beginning of the next one; failed polls belong to the call that succeeds. Time that runs
//           backwards counts as none, and is a loss.
// Requests  the file's numbers become ages (model/request_order.hpp), at the call that starts or completes them.
// Communicators  are numbered as this rank meets them.
// Cost      O(fields) a call; memory: the folded rank and the calls that are held.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace-io/base/free_slots.hpp"
#include "trace-io/compress/thread_compressor.hpp"
#include "trace-io/import/ranks/call_paths.hpp"
#include "trace-io/import/ranks/imported_job.hpp"
#include "trace-io/model/request_order.hpp"

namespace reprise::trace_io {

struct ImportedCall {
  SiteId site = kNoSite;
  std::int64_t begin = 0, end = 0;  // ns
  std::uint64_t number = 0;         // of all of the rank's calls
  std::vector<std::int64_t> scalars;
  std::vector<std::vector<std::int64_t>> vectors;  // the first vector_count of them
  std::size_t vector_count = 0;
  // What the call stands for: itself, a poll without success, or time that was not recorded.
  enum class What : std::uint8_t { call, failed_poll, gap };
  What what = What::call;
  bool waits = false, is_test = false;

  std::vector<std::int64_t>& add_vector();
};

class ImportedRank {
 public:
  static constexpr std::size_t kMostHeld = 1 << 16;

  ImportedRank(const ImportedJob&, Rank);
  Rank rank() const { return rank_; }
  CallPaths& paths() { return paths_; }

  // A call to be filled in, then added. The reference holds until the next begin_call().
  ImportedCall& begin_call(SiteId, std::int64_t begin, std::int64_t end);
  void add();
  // As add(), but nothing goes on until resolved(). Returns the call's number.
  std::uint64_t add_waiting();
  ImportedCall* waiting(std::uint64_t number);  // null: it has gone
  void resolved(std::uint64_t number);
  void failed_poll(std::int64_t begin, std::int64_t end);
  // What passed between is neither compute time nor a call: nothing was recorded then.
  void leave_out(std::int64_t begin, std::int64_t end);
  std::size_t held() const { return held_.size(); }
  // Lets the oldest call go as it stands. REQUIRES: held() > 0.
  void give_up_oldest();

  std::int64_t communicator(std::uint32_t number);

  // What the trace calls a request that this call starts.
  std::int64_t start_request(std::uint64_t id);
  bool is_started(std::uint64_t id) const { return slot_of_.contains(id); }
  std::optional<std::int64_t> age_of_request(std::uint64_t id);
  // The requests of one call that completes them, as ages, those started first first. Unknown ones are a loss.
  void complete_requests(std::vector<std::uint64_t>& ids, std::vector<std::int64_t>& ages);
  std::size_t requests_under_way() const { return slot_of_.size(); }

  void lose(const std::string& name, Severity, std::uint64_t count = 1, std::int64_t ns = 0);
  // The time at which the first compute time starts; without it 0, or MPI_Init where the rank begins with it.
  void begins_at(std::int64_t ns) { last_end_ = ns, has_begun_ = true; }
  std::uint64_t calls() const { return next_number_; }
  // The trace of this rank alone. What still waits goes as it stands. REQUIRES: called once, at the end.
  Trace finish();

 private:
  struct FailedPolls {
    std::int64_t compute = 0, communicate = 0;
    std::uint64_t count = 0;
  };
  void add_without_fields(ImportedCall::What, std::int64_t begin, std::int64_t end);
  void release();
  void append(const ImportedCall&);
  void append_failed_poll(std::int64_t begin, std::int64_t end);
  void append_gap(std::int64_t begin, std::int64_t end);
  std::int64_t since_last_end(std::int64_t begin);

  const ImportedJob& job_;
  Rank rank_;
  ThreadCompressor compressor_;
  CallPaths paths_;
  std::deque<ImportedCall> held_;
  ImportedCall current_;
  std::vector<ImportedCall> spare_;
  std::vector<std::span<const std::int64_t>> vectors_;
  std::uint64_t next_number_ = 0;
  FailedPolls polls_;
  std::int64_t last_end_ = 0, first_end_ = 0;
  bool has_begun_ = false, has_appended_ = false;

  std::map<std::uint32_t, std::int64_t> communicators_;  // number in the file → index
  std::vector<std::uint32_t> by_index_;                  // from kFirstOwnIndex on
  RequestOrder order_;
  FreeSlots slots_;
  std::unordered_map<std::uint64_t, std::uint32_t> slot_of_;
  std::map<std::string, Loss> losses_;
};

}  // namespace reprise::trace_io
