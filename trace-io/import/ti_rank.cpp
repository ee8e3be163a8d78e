// SPDX-License-Identifier: MIT
#include "trace-io/import/ti_rank.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::string_view kVerbs[] = {
    "init",       "finalize",  "compute",      "sleep",     "location", "comm_size", "comm_split",
    "comm_dup",   "send",      "isend",        "recv",      "irecv",    "sendRecv",  "test",
    "wait",       "waitall",   "barrier",      "bcast",     "reduce",   "allreduce", "scan",
    "exscan",     "gather",    "scatter",      "allgather", "alltoall", "gatherv",   "scatterv",
    "allgatherv", "alltoallv", "reducescatter"};

template <class... Words>
bool is_one_of(std::string_view verb, Words... words) {
  return ((verb == words) || ...);
}

}  // namespace

TiRank::TiRank(Rank rank, std::int32_t ranks, const TiImportSettings& settings)
    : rank_(rank),
      ranks_(ranks),
      settings_(settings),
      compressor_({Timing::path, settings.bins, rank}) {}

void TiRank::read(const TiReader& in) {
  if (in.words() < 2) in.refuse("a rank without a verb");
  const std::string_view verb = in.word(1);
  if (std::find(std::begin(kVerbs), std::end(kVerbs), verb) == std::end(kVerbs)) {
    const std::vector<std::string> known(std::begin(kVerbs), std::end(kVerbs));
    const auto nearest = nearest_word(std::string(verb), known);
    in.refuse("no verb \"" + std::string(verb) + "\"",
              nearest ? "did you mean \"" + *nearest + "\"?" : "");
  }
  if (ended_) in.refuse("\"" + std::string(verb) + "\" after \"finalize\"");
  if (verb == "init") return init(in);
  if (!inside_) in.refuse("\"" + std::string(verb) + "\" before \"init\"");
  if (verb == "finalize") {
    append("MPI_Finalize", {});
    ended_ = true;
  } else if (verb == "compute") {
    pass_flops(std::max(0.0, in.number(2, "the number of flops")));
  } else if (verb == "sleep") {
    pass(std::max(0.0, in.number(2, "the time")));
  } else if (verb == "location") {
    if (in.words() < 4) in.refuse("file or line is missing");
    location_ = {std::string(in.word(2)), std::max<std::int64_t>(0, in.whole(3, "the line"))};
  } else if (is_one_of(verb, "comm_size", "comm_split", "comm_dup", "test")) {
    ++ignored_[std::string(verb)];
  } else if (is_one_of(verb, "send", "isend", "recv", "irecv")) {
    message(in);
  } else if (verb == "sendRecv") {
    sendrecv(in);
  } else if (verb == "wait") {
    wait(in);
  } else if (verb == "waitall") {
    wait_all();
  } else if (verb == "barrier") {
    append("MPI_Barrier", {0});
  } else if (verb == "bcast") {
    append("MPI_Bcast", {0, root(in, 3), bytes(in, 2, type(in, 4))});
  } else if (is_one_of(verb, "reduce", "allreduce", "scan", "exscan")) {
    reduction(in);
  } else if (is_one_of(verb, "gather", "scatter", "allgather", "alltoall")) {
    uniform(in);
  } else {
    with_lists(in);
  }
}

void TiRank::init(const TiReader& in) {
  if (inside_) in.refuse("a second \"init\"");
  inside_ = true;
  default_type_ = {in.words() > 2 ? 8 : 1};  // any argument: MPI_DOUBLE, else MPI_BYTE
  append("MPI_Init", {});
  pending_ns_ = 0;
}

void TiRank::append(const char* procedure, std::initializer_list<std::int64_t> scalars,
                    std::initializer_list<std::vector<std::int64_t>> vectors) {
  EventView event;
  event.site = site(procedure);
  event.scalars = {scalars.begin(), scalars.size()};
  const std::vector<std::span<const std::int64_t>> lists(vectors.begin(), vectors.end());
  event.vectors = lists;
  const double whole =
      std::floor(pending_ns_ + 0.5);  // what rounding leaves is carried on: sums stay exact
  event.compute = Nanoseconds{static_cast<std::int64_t>(std::max(0.0, whole))};
  pending_ns_ -= static_cast<double>(event.compute.value);
  compressor_.append(event);
}

SiteId TiRank::site(const char* procedure) {
  const auto [known, is_new] =
      known_sites_.try_emplace({procedure, location_}, static_cast<SiteId>(sites_.size()));
  if (!is_new) return known->second;
  const auto index_in = [](auto& rows, const auto& row) {
    auto found = std::find(rows.begin(), rows.end(), row);
    if (found == rows.end()) found = rows.insert(rows.end(), row);
    return static_cast<std::uint32_t>(found - rows.begin());
  };
  CallPath path;
  if (!location_.first.empty())
    path.frames.push_back({index_in(files_, Module{location_.first, ""}),
                           static_cast<std::uint64_t>(location_.second)});
  sites_.push_back({index_in(procedures_, std::string(procedure)), index_in(paths_, path)});
  return known->second;
}

Trace TiRank::finish(const std::string& program) {
  Trace trace;
  trace.header.program = program;
  trace.header.mpi_library = "SimGrid time-independent trace";
  trace.header.ranks = ranks_;
  trace.header.timing = Timing::path;
  trace.header.bins = settings_.bins;
  trace.header.recorded = RankList::single(rank_);
  trace.procedures = std::move(procedures_);
  trace.modules = std::move(files_);
  trace.call_paths = std::move(paths_);
  trace.sites = std::move(sites_);
  trace.threads = {compressor_.program()};
  for (const CallPath& path : trace.call_paths)
    for (const Frame& frame : path.frames)
      trace.frame_names.push_back(
          {frame, "", trace.modules[frame.module].path, static_cast<std::uint32_t>(frame.offset)});
  std::sort(trace.frame_names.begin(), trace.frame_names.end(),
            [](const FrameName& a, const FrameName& b) { return a.frame < b.frame; });
  for (const auto& [verb, count] : ignored_)
    trace.losses.push_back(
        {"\"" + verb + "\" lines without a counterpart", Severity::notice, count, {}});
  if (const auto left =
          static_cast<std::uint64_t>(std::count(slot_taken_.begin(), slot_taken_.end(), true));
      left > 0)
    trace.losses.push_back({"requests that are never waited for", Severity::notice, left, {}});
  return trace;
}

}  // namespace reprise::trace_io
