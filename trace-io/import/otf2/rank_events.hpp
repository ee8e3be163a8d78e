// SPDX-License-Identifier: MIT
// One rank's OTF2 events as calls: regions become call paths, what is recorded between the entry and the exit of an MPI region the
// fields of the call.
//
// Receives     an Irecv, or a collective that does not block, is described by the record of its completion: the call waits for it
//              (imported_rank.hpp). One that is never completed, or later than kMostHeld calls, is a receive from MPI_PROC_NULL, named.
// Groups       an archive does not say which call made a communicator: MPI_Comm_split and the like are kept as time only.
// No record    Score-P records no message to or from MPI_PROC_NULL: a blocking call without its record is one with MPI_PROC_NULL, named as
//              a notice. Calls that need more than the archive has are kept as time only, each procedure named with its count.
// Wildcards    an archive names the sender, not whether it was asked for: receives are from that sender.
// Requests     MPI_Waitany and its like are told by what they completed. Each start of a persistent request is the Isend or Irecv it starts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace-io/import/otf2/call_records.hpp"
#include "trace-io/import/otf2/definitions.hpp"
#include "trace-io/import/ranks/collective_sizes.hpp"
#include "trace-io/import/ranks/imported_rank.hpp"

namespace reprise::trace_io {

class Otf2RankEvents {
 public:
  Otf2RankEvents(const Otf2Definitions&, Rank);

  // `fields` and `path`: what an export of ours has attached.
  void enter(OTF2_TimeStamp, OTF2_RegionRef, const std::string* fields,
             OTF2_CallingContextRef path = OTF2_UNDEFINED_CALLING_CONTEXT);
  void leave(OTF2_TimeStamp, OTF2_RegionRef);
  void measurement(OTF2_TimeStamp, bool is_on);
  // What is recorded now: of the call under way. Null outside of calls, where records have nothing to belong to.
  CallRecords* records(const char* what);
  void receive_completed(const CallRecords::Message&);
  void collective_completed(std::uint64_t request, OTF2_CommRef, std::uint32_t root,
                            std::uint64_t sent, std::uint64_t received);

  void transfer_completed(std::uint64_t matching);

  Trace finish();

 private:
  struct OpenCall {
    const Otf2Region* region = nullptr;
    OTF2_RegionRef ref = 0;
    std::int64_t begin = 0;
    CallPaths::Path path = CallPaths::kEmpty;
    std::uint32_t nested = 0;  // regions entered within it
  };
  struct Place {  // of this rank in a communicator
    std::int64_t index = 0;
    std::int32_t size = 1, me = 0;
  };

  CallPaths::Path attached_path(OTF2_CallingContextRef, CallPaths::Path otherwise);
  void end_call(std::int64_t end);
  bool describe(ImportedCall&, const Procedure&);
  bool describe_message(ImportedCall&, const CallRecords::Message&);
  bool describe_blocking(ImportedCall&, const Procedure&);
  bool describe_start(ImportedCall&, const Procedure&);
  bool describe_persistent(std::int64_t end);
  bool describe_completion(ImportedCall&, const Procedure&);
  bool describe_collective(ImportedCall&, const Procedure&, OTF2_CommRef, std::uint32_t root,
                           std::uint64_t sent, std::uint64_t received);
  bool describe_window(ImportedCall&, const Procedure&);
  const Place* place(OTF2_CommRef);

  SiteId site(CallPaths::Path, const std::string& procedure);
  void keep_as_time(std::int64_t end);
  void hold(ImportedCall&);
  void make_room();

  const Otf2Definitions& definitions_;
  ImportedRank rank_;
  std::vector<std::pair<CallPaths::Path, OTF2_RegionRef>> stack_;
  std::unordered_map<OTF2_CallingContextRef, CallPaths::Path> attached_paths_;
  OpenCall call_;
  CallRecords records_;
  std::int64_t off_since_ = -1;
  std::unordered_map<std::uint64_t, std::uint64_t> receives_, collectives_;  // request → call
  std::unordered_map<std::uint64_t, SiteId> placeholder_of_;  // the sites of those collectives
  std::unordered_map<OTF2_CommRef, Place> places_;
  std::unordered_map<OTF2_RmaWinRef, std::int64_t> windows_;
  FreeSlots window_slots_;
  std::vector<std::int64_t> ages_;
};

}  // namespace reprise::trace_io
