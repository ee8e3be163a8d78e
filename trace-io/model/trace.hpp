// SPDX-License-Identifier: MIT
// A trace in memory: the folded, rank-merged programs of all ranks with their delta times. FORMAT.md is its file form.
//
// One struct serves a single rank (every rank list holds that rank), a partly merged set and the whole job; merging two
// of them gives another one (trace-io/merge). Nothing in it is ever unrolled: trace-io/walk reads it rank by rank.
//
// Peers     an entry's values are stored as seen by the lowest rank of its list; the other ranks of the list obtain
//           theirs through the entry's form (absolute, relative to the own rank, exclusive-or with it).
//           Relative and exclusive-or entries of several ranks occur only where each of these ranks has one and the same
//           communicator in all its executions (its entry of the frame's communicator field is constant, though perhaps
//           shorter or longer than another rank's), so that a rank's place is known once and for all.
// Lengths   an entry's sequence may hold more values than a rank uses: ranks that execute a site less often than others
//           share the longer sequence and read a prefix of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "trace-io/base/quantity.hpp"
#include "trace-io/model/compensation.hpp"
#include "trace-io/model/completions.hpp"
#include "trace-io/model/distribution.hpp"
#include "trace-io/model/duration_order.hpp"
#include "trace-io/model/event.hpp"
#include "trace-io/model/iteration_clusters.hpp"
#include "trace-io/model/list_lengths.hpp"
#include "trace-io/model/order_log.hpp"
#include "trace-io/model/preemption_record.hpp"
#include "trace-io/model/procedure.hpp"
#include "trace-io/model/rank_list.hpp"
#include "trace-io/model/recording_end.hpp"
#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {

enum class Timing : std::uint8_t { stat, histogram, path };
enum class Clock : std::uint8_t { wall, cpu };

// How the ranks of an entry see one stored value. Special peer codes (< kFirstPeer) and plain values are the same for all.
// With me = the rank's own number and n = the size of the field's frame:
enum class PeerForm : std::uint8_t {
  absolute,      // peer is the same for all
  relative,      // (peer − me) modulo n is the same for all
  exclusive_or,  // peer xor me is the same for all
};

// One field's values over all executions, for the ranks that see them alike.
struct FieldEntry {
  FieldEntry() = default;
  FieldEntry(RankList its_ranks, PeerForm its_form, ValueSequence its_values,
             ListLengths its_lengths = {}, std::uint8_t its_other_forms = 0)
      : ranks(std::move(its_ranks)),
        values(std::move(its_values)),
        lengths(std::move(its_lengths)),
        form(its_form),
        other_forms(its_other_forms) {}

  RankList ranks;
  ValueSequence values;  // vector fields: all elements, one call after the other
  ListLengths lengths;   // vector fields: the number of elements per call; empty for scalars
  PeerForm form = PeerForm::absolute;
  // The other forms in which the ranks agree just as well, bit 1 << form. Reading a trace needs `form` alone; merging on does
  // need these, since two ranks seldom tell which form is meant (0 → 2 and 1 → 3 are relative and exclusive-or). A partly
  // merged trace therefore stores them; 0 for entries of one rank and in a trace of all ranks.
  std::uint8_t other_forms = 0;
};
// Entries are disjoint, together cover the node's ranks, and are ordered by their lowest rank.
using FieldValues = std::vector<FieldEntry>;

// By how much the durations of ranks that share a distribution differ: imbalance, at a few bytes.
//
// RankScaleFactors   one number per rank, of which only ratios matter: a rank of scale factor 30 takes three times as long, each time, as one of scale factor 10.
//         Several paths into calls refer to the same scale factors where the same ranks are slow in all of them.
// Played  the durations of a class have the exact sum S over all of its ranks. With n(r) executions of rank r and scale factor p(r), let
//         P = Σ n(r)·p(r), the class's scaled count. One execution of rank r then takes p(r)·S/P in the mean, and all of them
//         together S, however coarse the scale factors are.
// Totals  while traces are merged the exact count and sum of each rank is kept instead; merge/finalize.hpp makes scale factors of them.
struct RankScaleFactors {
  static constexpr std::int64_t kLargest = (std::int64_t{1} << 31) - 1;

  RankList ranks;        // may be more than those of a class that refers to them
  ValueSequence values;  // in the order of the ranks; 0 … kLargest

  std::uint64_t hash() const { return ranks.hash() * 0x9e3779b97f4a7c15U + values.hash(); }
  friend bool operator==(const RankScaleFactors&, const RankScaleFactors&) = default;
};

// What one rank spent in all of its executions.
struct RankTotal {
  std::uint64_t count = 0;
  std::int64_t sum = 0;  // ns
  friend bool operator==(const RankTotal&, const RankTotal&) = default;
};

// Durations of the ranks of one class: ranks whose deltas are alike, or alike but for their scale factors.
struct DeltaClass {
  RankList ranks;
  // With scale factors or totals: count, sum, squares and extremes are those of what was recorded, the bins are those of the shape that the
  // ranks share, each in the share of its time, scaled to the mean of all.
  Distribution durations;
  std::shared_ptr<const RankScaleFactors> scale_factors{};  // none: all ranks are alike
  std::uint64_t scaled_count =
      0;  // with scale factors: Σ executions · scale factor over the ranks; ≥ 1
  std::vector<RankTotal>
      totals{};  // of a partly merged trace: one per rank of `ranks`, in their order; empty in others
  // Compute times in their order. Of a partly merged trace: one log per rank, empty for ranks that have none. order/order_fit.hpp
  // makes an order of them.
  std::vector<OrderLog> logs{};
  std::shared_ptr<const DurationOrder>
      order{};  // none: the durations have no order, or it is not known
  static constexpr std::uint32_t kOwnTimes = UINT32_MAX;
  // Index into Trace::pools, of the pool whose times these are (time_pools.hpp): `durations` then follows from the pool and the count.
  std::uint32_t pool = kOwnTimes;

  bool is_scaled() const { return scale_factors != nullptr || !totals.empty(); }
};
// Compute deltas of one path into a site. With Timing::path there is one per predecessor, else one with kNoSite.
struct PathDeltas {
  SiteId predecessor = kNoSite;  // the event before, on the same thread
  std::vector<DeltaClass> classes;
};

struct Leaf {
  SiteId site = kNoSite;
  std::vector<FieldValues> fields;  // one per FieldSpec of the site's procedure, in that order
  std::vector<PathDeltas> compute;  // ordered by predecessor
  std::vector<DeltaClass> communicate;
  std::uint64_t polls = 0;
  std::vector<FurtherCalls> further;  // ascending by rank, none 0
};

struct Node;

// A loop, executed once each time its parent reaches it. An execution runs `iterations` full passes over the body, then, if
// `exit` > 0, the first `exit` nodes of it once more (a loop left in the middle). Nodes are counted as the rank sees the
// body: those that list it. An execution may be of zero length (iterations 0, exit 0).
struct Loop {
  FieldValues iterations;  // one value per execution of the loop
  FieldValues exits;       // likewise
  std::vector<Node> body;  // not empty
  // Of the ranks that spend their time in this loop, where iterations were recorded; ascending.
  std::vector<RankIterations> clusters{};
};

struct Node {
  RankList ranks;  // who executes it; a subset of the parent's
  std::variant<Leaf, Loop> content;
};

struct Module {
  std::string path;      // as the dynamic linker named it
  std::string build_id;  // hexadecimal, empty where the file has none
  friend auto operator<=>(const Module&, const Module&) = default;
};
struct Frame {
  std::uint32_t module = 0;  // index into Trace::modules
  std::uint64_t offset = 0;  // of the return address, from the module's load address
  friend auto operator<=>(const Frame&, const Frame&) = default;
};
struct CallPath {
  std::vector<Frame> frames;  // innermost (the caller of MPI) first
  friend auto operator<=>(const CallPath&, const CallPath&) = default;
};
// What a tool found out about a frame; absent until a trace is symbolised.
struct FrameName {
  Frame frame;
  std::string function, file;
  std::uint32_t line = 0;
};
struct Site {
  std::uint32_t procedure = 0;  // index into Trace::procedures
  std::uint32_t call_path = 0;  // index into Trace::call_paths
  friend auto operator<=>(const Site&, const Site&) = default;
};

// A communicator: who is in it, in its own rank order, as world ranks. Intercommunicators have two groups; group 0 is the
// one with the lowest world rank. `copy` tells communicators of the same groups apart (duplicates alive at one time).
struct Communicator {
  std::vector<ValueSequence> groups;  // 1 or 2
  std::uint32_t copy = 0;
};
// Which communicator a rank means by one of its communicator indices. Index 0 is MPI_COMM_WORLD, 1 MPI_COMM_SELF, both
// without an entry; index i ≥ 2 is described by Trace::communicator_indices[i − 2].
struct CommunicatorUse {
  RankList ranks;
  std::uint32_t communicator = 0;  // index into Trace::communicators
};

enum class Severity : std::uint8_t { notice, partial, error };
// Something that the recorder could not represent; reported by every later step.
struct Loss {
  std::string name;  // "unmodelled MPI_Put"
  Severity severity = Severity::notice;
  std::uint64_t count = 0;
  Nanoseconds time{};  // that it stood for, summed over ranks
};

// Wall time of the ranks that stands in no duration of the trace: what recording cost, and what others took the cores away for.
// compensation: what was taken off compute times for the recorder's own part in them.
enum class TimeApart : std::uint8_t { snapshots, calibration, folding, preemption, compensation };
inline constexpr std::uint8_t kTimesApart = 5;
std::string_view name_of(TimeApart);  // "snapshots", …
struct ApartTime {
  TimeApart what{};
  std::uint64_t count = 0;  // over all ranks, as the next
  Nanoseconds time{};
  Extreme most;  // of one rank
  friend bool operator==(const ApartTime&, const ApartTime&) = default;
};

struct Host {
  std::string name;
  std::uint32_t cores = 0;  // hardware threads that the recorder saw
  RankList ranks;
};

struct Header {
  std::string program;      // the executable's path
  std::string mpi_library;  // "Open MPI 4.1.4"
  std::int32_t ranks = 1;
  Timing timing = Timing::path;
  Clock clock = Clock::wall;
  std::uint32_t bins = 0;
  BinRule bin_rule = BinRule::ward;
  Bytes
      order_budget{};  // that the order of compute times may take in the file; 0: it was not recorded
  bool complete = true;  // false: salvaged, some ranks or their ends are missing
  RankList recorded;     // ranks that are in the trace (all, unless salvaged)
  Nanoseconds
      elapsed{};  // wall time from the end of MPI_Init to the start of MPI_Finalize, the longest of all ranks
  Nanoseconds merge_elapsed{};  // in MPI_Finalize, on the rank that writes the trace
  Nanoseconds merge_cpu{};      // likewise, of all ranks together
  std::vector<Host> hosts;      // in order of their lowest rank
};

struct ComputeCounters;  // model/compute_counters.hpp
struct FunctionSamples;  // model/function_samples.hpp
struct MessageTimes;     // model/message_times.hpp

struct Trace {
  Header header;
  std::vector<std::string> procedures;  // names in use
  std::vector<Module> modules;
  std::vector<CallPath> call_paths;
  std::vector<FrameName> frame_names;  // ordered by frame
  std::vector<Site> sites;
  std::vector<Communicator> communicators;
  std::vector<std::vector<CommunicatorUse>> communicator_indices;
  std::vector<std::vector<Node>>
      threads;  // one program per thread of a rank that called MPI; 0 is the one that called Init
  // Times shared by calls that matter little (time_pools.hpp), none of them empty: first so many of compute times, then those of times inside calls.
  std::vector<Distribution> pools{};
  std::size_t compute_pools = 0;
  std::shared_ptr<const CodedLevels>
      coded_levels{};  // null: nobody has; else of no use unless the trace has just these orders
  std::vector<Loss> losses;                        // ordered by name
  std::vector<ApartTime> times_apart;              // ordered by what they are, none twice
  std::optional<Compensation> compensation{};      // there where times_apart has a row of it
  std::optional<PreemptionRecord> preemptions{};   // none: nobody looked
  std::optional<CompletionRecord> completions{};   // none: kept call by call
  std::shared_ptr<const MessageTimes> messages{};  // message_times.hpp; null: none were sampled
  // Of ranks that marked their iterations, on thread 0; ascending.
  std::vector<RankIterations> marked_iterations{};
  std::shared_ptr<const FunctionSamples> functions{};  // none: functions were not sampled
  std::shared_ptr<const ComputeCounters> counters{};   // none: nothing was counted
  // Of ranks whose recording ended without MPI_Finalize and that could say so; ascending by rank and thread.
  std::vector<RecordingEnd> ends{};
};

// How much a trace can hold, so that the memory of whoever reads one stays proportional to the bytes that were given.
inline constexpr std::int32_t kMaxRanks = 1 << 22;
inline constexpr int kMaxNesting = 256;                  // loops within loops
inline constexpr std::int64_t kMaxListLength = 1 << 24;  // elements of a list field in one call
inline constexpr std::size_t kMaxFrames = 1024;          // frames of a call path

// REQUIRES: the site is in the trace's tables.
Procedure procedure_of(const Trace&, SiteId);
std::span<const FieldSpec> fields_of(const Trace&, SiteId);
// A call site in words: "MPI_Recv at solve.c:212", or "MPI_Recv at libsolve.so+0x1f40" where frames have no names. The innermost
// frame of the site's call path; only the procedure where the path is empty, and "site N, which does not exist" where an index is out
// of its table.
std::string site_text(const Trace&, SiteId);

// Whether the entries are of the same ranks, in the same forms, and fold into the same terms.
bool same_terms(const FieldEntry&, const FieldEntry&);

// What one execution takes a rank in the mean, in relation to the mean of its class: 1 without scale factors. Cost: O(1) without
// scale factors, else O(scaled ranks), for callers that keep the answer. REQUIRES: the rank is one of the class; count() > 0.
double relative_mean(const DeltaClass&, Rank);

// About how many bytes scale factors take in a file: folded, and one after the other (the most there is where they cannot be).
std::size_t folded_bytes(const ValueSequence&);
std::size_t plain_bytes(const ValueSequence&);

// Calls visit(leaf) for every call of a program, in program order.
template <class Nodes, class Visit>
void for_each_leaf(Nodes& nodes, const Visit& visit) {
  for (auto& node : nodes) {
    if (auto* loop = std::get_if<Loop>(&node.content))
      for_each_leaf(loop->body, visit);
    else
      visit(std::get<Leaf>(node.content));
  }
}

// Entries, classes, hosts: whatever has ranks.
template <class Ranked>
void sort_by_lowest_rank(std::vector<Ranked>& all) {
  std::sort(all.begin(), all.end(),
            [](const Ranked& a, const Ranked& b) { return a.ranks.front() < b.ranks.front(); });
}

}  // namespace reprise::trace_io
