// SPDX-License-Identifier: MIT
#include "trace-io/import/otf2/rank_events.hpp"

#include <algorithm>

#include "trace-io/import/ranks/field_text.hpp"

namespace reprise::trace_io {

Otf2RankEvents::Otf2RankEvents(const Otf2Definitions& definitions, Rank rank)
    : definitions_(definitions), rank_(definitions.job, rank) {}

void Otf2RankEvents::enter(OTF2_TimeStamp time, OTF2_RegionRef ref, const std::string* fields,
                           OTF2_CallingContextRef path) {
  if (call_.region != nullptr) {  // what the MPI library calls is not the program's
    ++call_.nested;
    return;
  }
  const Otf2Region* region = definitions_.region(ref);
  const CallPaths::Path caller = stack_.empty() ? CallPaths::kEmpty : stack_.back().first;
  if (region == nullptr) {
    rank_.lose("regions that are not defined", Severity::partial);
    stack_.emplace_back(caller, ref);
  } else if (region->procedure.empty()) {
    stack_.emplace_back(region->treatment == Treatment::no_mpi
                            ? rank_.paths().entered(caller, region->frame)
                            : caller,
                        ref);
  } else {
    call_ = {region, ref, definitions_.nanoseconds(time), attached_path(path, caller), 0};
    records_.clear();
    records_.fields = fields;
  }
}

CallPaths::Path Otf2RankEvents::attached_path(OTF2_CallingContextRef ref,
                                              CallPaths::Path otherwise) {
  if (ref == OTF2_UNDEFINED_CALLING_CONTEXT) return otherwise;
  if (const auto known = attached_paths_.find(ref); known != attached_paths_.end())
    return known->second;
  std::vector<ImportedJob::FrameId> frames;  // innermost first
  auto at = definitions_.call_paths.find(ref);
  if (at == definitions_.call_paths.end())
    rank_.lose("call paths that are not defined", Severity::partial);
  for (; at != definitions_.call_paths.end() && frames.size() < kMaxFrames;
       at = definitions_.call_paths.find(at->second.caller))
    frames.push_back(at->second.frame);
  if (frames.empty()) return otherwise;
  CallPaths::Path path = CallPaths::kEmpty;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
    path = rank_.paths().entered(path, *frame);
  return attached_paths_[ref] = path;
}

void Otf2RankEvents::leave(OTF2_TimeStamp time, OTF2_RegionRef ref) {
  if (call_.region != nullptr) {
    if (call_.nested > 0) {
      --call_.nested;
      return;
    }
    if (call_.ref != ref) {
      rank_.lose("exits of regions that were not entered", Severity::partial);
      return;
    }
    end_call(definitions_.nanoseconds(time));
    call_.region = nullptr;
    return;
  }
  const auto found =
      std::find_if(stack_.rbegin(), stack_.rend(), [&](const auto& r) { return r.second == ref; });
  if (found == stack_.rend())
    rank_.lose("exits of regions that were not entered", Severity::partial);
  else
    stack_.erase(found.base() - 1, stack_.end());
}

void Otf2RankEvents::measurement(OTF2_TimeStamp time, bool is_on) {
  const std::int64_t now = definitions_.nanoseconds(time);
  if (!is_on) {
    off_since_ = now;
  } else if (off_since_ >= 0) {
    rank_.leave_out(off_since_, now);
    off_since_ = -1;
  }
}

CallRecords* Otf2RankEvents::records(const char* what) {
  if (call_.region != nullptr) return &records_;
  rank_.lose(std::string(what) + " outside of any MPI call", Severity::partial);
  return nullptr;
}

SiteId Otf2RankEvents::site(CallPaths::Path path, const std::string& procedure) {
  return rank_.paths().site(path, rank_.paths().procedure(procedure));
}

void Otf2RankEvents::keep_as_time(std::int64_t end) {
  const std::string name = time_only(call_.region->procedure);
  rank_.begin_call(site(call_.path, name), call_.begin, end);
  rank_.add();
  rank_.lose(name,
             call_.region->treatment == Treatment::event ? Severity::notice : Severity::partial, 1,
             end - call_.begin);
}

void Otf2RankEvents::make_room() {
  while (rank_.held() >= ImportedRank::kMostHeld) {
    rank_.lose("receives and collectives whose completion does not follow within " +
                   std::to_string(ImportedRank::kMostHeld) + " calls: from MPI_PROC_NULL",
               Severity::partial);
    rank_.give_up_oldest();
  }
}

void Otf2RankEvents::end_call(std::int64_t end) {
  make_room();
  const Otf2Region& region = *call_.region;
  const Kind kind = region.row.kind;
  if (region.treatment == Treatment::unmodelled) {
    rank_.begin_call(site(call_.path, region.procedure), call_.begin, end);
    rank_.add();
    return rank_.lose("unmodelled " + region.procedure, Severity::partial, 1, end - call_.begin);
  }
  if (records_.fields == nullptr) {
    if (region.row.is_test && kind != Kind::probe && kind != Kind::matched_probe &&
        records_.completed.empty() && records_.cancelled.empty())
      return rank_.failed_poll(call_.begin, end);
    if ((kind == Kind::start || kind == Kind::start_all) && describe_persistent(end)) return;
  }
  ImportedCall& call = rank_.begin_call(site(call_.path, region.procedure), call_.begin, end);
  call.is_test = region.row.is_test;
  bool is_described = false;
  if (records_.fields != nullptr) {
    is_described = add_fields_of_text(rank_, definitions_.job, region.row, *records_.fields, call);
    if (!is_described)
      rank_.lose("attributes \"" + std::string(kFieldAttribute) + "\" that cannot be read",
                 Severity::partial);
  } else {
    is_described = describe(call, region.row);
  }
  if (!is_described) return keep_as_time(end);
  if (call.waits)
    hold(call);
  else
    rank_.add();
}

Trace Otf2RankEvents::finish() {
  if (call_.region != nullptr) rank_.lose("calls without an end in the archive", Severity::partial);
  if (!receives_.empty())
    rank_.lose("receives that are never completed: from MPI_PROC_NULL", Severity::partial,
               receives_.size());
  if (!collectives_.empty())
    rank_.lose("nonblocking collectives that are never completed: receives from MPI_PROC_NULL",
               Severity::partial, collectives_.size());
  return rank_.finish();
}

}  // namespace reprise::trace_io
