// SPDX-License-Identifier: MIT
#include "trace-io/import/ti/ti_rank.hpp"

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

// Bytes of SMPI's types by their number (src/smpi/mpi/smpi_datatype.cpp of SimGrid 3.32, on x86-64). 0: not usable.
constexpr std::int64_t kTypeBytes[] = {8, 4,  1,  2, 8,  4,  1,  8,  1,  1,  2, 4,  8,  8,  16,
                                       4, 1,  1,  2, 4,  8,  1,  2,  4,  8,  8, 16, 32, 8,  8,
                                       8, 16, 16, 8, 8,  8,  16, 16, 4,  4,  8, 16, 8,  16, 16,
                                       4, 2,  4,  8, 16, 32, 1,  8,  16, 32, 0, 0,  1,  8,  8};
constexpr std::int64_t kUnknownSize =
    std::numeric_limits<std::int32_t>::max();  // room for whatever comes

std::int64_t code(std::int64_t rank) { return kFirstPeer + rank; }

}  // namespace

TiRank::TiRank(Rank rank, std::int32_t ranks, const ImportSettings& settings)
    : rank_(rank),
      ranks_(ranks),
      settings_(settings),
      compressor_(
          {.bins = settings.bins, .rank = rank, .keeps_order = settings.order_budget.value > 0}) {}

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
  trace.header.order_budget = settings_.order_budget;
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

// The verbs that move data. Scalars and lists stand in the order of fields() (trace-io/model/procedure.hpp).

TiRank::Type TiRank::type(const TiReader& in, std::size_t word) const {
  if (word >= in.words()) return default_type_;
  const auto number = in.whole(word, "the type");
  if (number < 0 || number >= static_cast<std::int64_t>(std::size(kTypeBytes)) ||
      kTypeBytes[number] == 0)
    in.refuse("no type " + std::string(in.word(word)),
              "SMPI numbers its types from 0 (MPI_DOUBLE) to 59 (MPI_COUNT)");
  return {kTypeBytes[number]};
}

std::int64_t TiRank::bytes(const TiReader& in, std::size_t word, Type type) const {
  const auto count = in.whole(word, "a size");
  if (count < 0) in.refuse("a size is " + std::string(in.word(word)));
  if (count > std::numeric_limits<std::int64_t>::max() / type.bytes)
    in.refuse("a size is too large");
  return count * type.bytes;
}

std::int64_t TiRank::peer(const TiReader& in, std::size_t word, const char* what) const {
  const auto rank = in.whole(word, what);
  if (rank < 0)
    in.refuse(std::string(what) + " is " + std::string(in.word(word)) + ", not a rank",
              "a receive from any source cannot be imported: the trace does not name the sender");
  if (rank >= ranks_)
    in.refuse(std::string(what) + " is " + std::string(in.word(word)) +
              ", but there are ranks 0 to " + std::to_string(ranks_ - 1) + " only");
  return rank;
}

std::int64_t TiRank::root(const TiReader& in, std::size_t word) const {
  return code(word < in.words() ? peer(in, word, "the root") : 0);
}

void TiRank::message(const TiReader& in) {
  const std::string_view verb = in.word(1);
  const bool sends = verb.ends_with("send");
  const auto partner = peer(in, 2, sends ? "the receiver" : "the sender");
  const auto tag = in.whole(3, "the tag");
  if (tag < 0)
    in.refuse("the tag is " + std::string(in.word(3)),
              "a receive with any tag cannot be imported: the trace does not name the tag");
  const bool unknown =
      !sends && in.words() > 4 && in.word(4).starts_with('-');  // SMPI then probes for the size
  const auto size = unknown ? kUnknownSize : bytes(in, 4, type(in, 5));
  if (verb == "send") return append("MPI_Send", {0, code(partner), tag, size});
  if (verb == "recv") return append("MPI_Recv", {0, code(partner), tag, size, kNoPeer, kNone});
  const auto free = std::find(slot_taken_.begin(), slot_taken_.end(), false);
  const auto slot = free - slot_taken_.begin();
  if (free == slot_taken_.end())
    slot_taken_.push_back(true);
  else
    *free = true;
  open_[sends ? Key{rank_.value, partner, tag} : Key{partner, rank_.value, tag}].push_back(slot);
  append(sends ? "MPI_Isend" : "MPI_Irecv", {0, code(partner), tag, size, slot});
}

void TiRank::sendrecv(const TiReader& in) {
  const auto sent = bytes(in, 2, type(in, 6)), room = bytes(in, 4, type(in, 7));
  const auto to = peer(in, 3, "the receiver"), from = peer(in, 5, "the sender");
  append("MPI_Sendrecv", {0, code(to), 0, sent, code(from), 0, room, kNoPeer, kNone});
}

void TiRank::wait(const TiReader& in) {
  const Key key{peer(in, 2, "the sender"), peer(in, 3, "the receiver"), in.whole(4, "the tag")};
  const auto found = open_.find(key);
  if (found == open_.end()) in.refuse("waits for a request that has not been started");
  const auto slot = found->second.front();
  found->second.pop_front();
  if (found->second.empty()) open_.erase(found);
  slot_taken_[static_cast<std::size_t>(slot)] = false;
  append("MPI_Wait", {slot, kNoPeer, kNone});
}

void TiRank::wait_all() {  // for all that there are, whatever the line's number says: so does SMPI
  std::vector<std::int64_t> slots;
  for (std::size_t i = 0; i < slot_taken_.size(); ++i)
    if (slot_taken_[i]) slots.push_back(static_cast<std::int64_t>(i));
  const std::vector<std::int64_t> nobody(slots.size(), kNoPeer), nothing(slots.size(), kNone);
  slot_taken_.assign(slot_taken_.size(), false);
  open_.clear();
  append("MPI_Waitall", {}, {slots, nobody, nothing});
}

void TiRank::reduction(const TiReader& in) {
  const std::string_view verb = in.word(1);
  const bool rooted = verb == "reduce";
  const Type element = type(in, rooted ? 5 : 4);
  const auto size = bytes(in, 2, element);
  const auto flops = std::max(0.0, in.number(3, "the number of flops"));
  if (rooted)
    append("MPI_Reduce", {0, root(in, 4), size, 0, element.bytes, 1});
  else
    append(verb == "allreduce" ? "MPI_Allreduce"
           : verb == "scan"    ? "MPI_Scan"
                               : "MPI_Exscan",
           {0, size, 0, element.bytes, 1});
  pass_flops(flops);
}

void TiRank::uniform(const TiReader& in) {
  const std::string_view verb = in.word(1);
  const bool rooted = verb == "gather" || verb == "scatter";
  const std::size_t types = rooted ? 5 : 4;
  const auto sent = bytes(in, 2, type(in, types)), received = bytes(in, 3, type(in, types + 1));
  if (!rooted)
    return append(verb == "allgather" ? "MPI_Allgather" : "MPI_Alltoall", {0, sent, received, 0});
  const auto whom = root(in, 4);
  const bool is_root = whom == code(rank_.value);
  if (verb == "gather")
    append("MPI_Gather", {0, whom, sent, is_root ? received : 0, 0});
  else
    append("MPI_Scatter", {0, whom, is_root ? sent : 0, received, 0});
}

std::vector<std::int64_t> TiRank::list(const TiReader& in, std::size_t first, std::size_t count,
                                       Type type) const {
  std::vector<std::int64_t> sizes(count);
  for (std::size_t i = 0; i < count; ++i) sizes[i] = bytes(in, first + i, type);
  return sizes;
}

void TiRank::with_lists(const TiReader& in) {
  const std::string_view verb = in.word(1);
  const auto p = static_cast<std::size_t>(ranks_);
  if (verb == "reducescatter") {
    const Type element = type(in, 3 + p);
    append("MPI_Reduce_scatter", {0, 0, element.bytes, 1}, {list(in, 2, p, element)});
    return pass_flops(std::max(0.0, in.number(2 + p, "the number of flops")));
  }
  if (verb == "alltoallv") {
    const Type out = type(in, 4 + 2 * p), back = type(in, 5 + 2 * p);
    return append("MPI_Alltoallv", {0, 0}, {list(in, 3, p, out), list(in, 4 + p, p, back)});
  }
  if (verb == "allgatherv") {
    // Types follow the counts, or displacements (one a rank, without effect) do, or types and then displacements.
    const std::size_t words = in.words(), end = 3 + p;
    const bool has_types = words > end + p || words <= end + 2;
    const Type out = has_types ? type(in, end) : default_type_,
               back = has_types ? type(in, end + 1) : default_type_;
    return append("MPI_Allgatherv", {0, bytes(in, 2, out), 0}, {list(in, 3, p, back)});
  }
  const auto whom = root(in, 3 + p);
  const bool is_root = whom == code(rank_.value);
  const Type out = type(in, 4 + p), back = type(in, 5 + p);
  if (verb == "gatherv") {
    const auto rooms = list(in, 3, p, back);
    return append("MPI_Gatherv", {0, whom, bytes(in, 2, out), 0},
                  {is_root ? rooms : std::vector<std::int64_t>{}});
  }
  const auto sizes = list(in, 2, p, out);
  append("MPI_Scatterv", {0, whom, bytes(in, 2 + p, back), 0},
         {is_root ? sizes : std::vector<std::int64_t>{}});
}

}  // namespace reprise::trace_io
