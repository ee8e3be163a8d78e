// SPDX-License-Identifier: MIT
#include "trace-io/file/payload.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "trace-io/file/order_codec.hpp"
#include "trace-io/file/payload_parts.hpp"
#include "trace-io/file/payload_tables.hpp"
#include "trace-io/file/unawaited_sends.hpp"
#include "trace-io/model/tag_steps.hpp"
#include "trace-io/model/time_pools.hpp"

namespace reprise::trace_io {
namespace {

// The scaled count of a class whose ranks are those of its scale factors and execute equally often, modulo 2⁶⁴.
std::uint64_t even_scaled_count(const DeltaClass& delta) {
  const auto ranks = static_cast<std::uint64_t>(delta.scale_factors->ranks.size());
  if (ranks == 0) return 0;
  const Wide all = static_cast<Wide>(delta.durations.count()) *
                   static_cast<std::uint64_t>(delta.scale_factors->values.sum());
  return static_cast<std::uint64_t>(all / ranks);
}

// What tells the ranks of a delta class apart; from kFirstScaleFactors on, the scale factors of that number.
constexpr std::uint64_t kNothing = 0, kRankTotals = 1, kNewScaleFactors = 2, kFirstScaleFactors = 3;

// The programs of a trace (FORMAT.md, section 8), for both directions. REQUIRES: the tables are complete.
template <class Io>
class ProgramsCodec {
 public:
  ProgramsCodec(Io& io, InOut<Io, Trace>& trace) : io_(io), trace_(trace) {
    durations_ = {trace.header.bins, trace.header.ranks, io.version()};
    for (const auto& name : trace_.procedures) specs_.push_back(fields(procedure_named(name)));
  }

  void all() {
    if (has_pools()) pools();
    io_.each(
        Column::structure, Column::structure, trace_.threads, "threads",
        [&](InOut<Io, std::vector<Node>>& program) { body(program, trace_.header.recorded, 0); });
    orders_.levels(trace_.coded_levels.get());
    if constexpr (Io::kReads) {
      if (const std::string problem = pools_problem(trace_); !problem.empty())
        io_.refuse(Column::squares, problem);
      spread_pools(trace_);
    }
  }

 private:
  bool has_pools() const {
    if constexpr (Io::kReads)
      return io_.version() >= kPoolsVersion;
    else
      return !trace_.pools.empty() || io_.coder() != nullptr;
  }

  // Those of compute times, then those of times inside calls.
  void pools() {
    std::uint64_t of_compute = io_.number(Column::deltas, trace_.compute_pools);
    io_.each(Column::deltas, Column::deltas, trace_.pools, "pools of times",
             [&](InOut<Io, Distribution>& pool) {
               io_.distribution(pool, false, durations_);
               if constexpr (Io::kReads) sound(pool, false);
             });
    if constexpr (Io::kReads) {
      if (of_compute > trace_.pools.size())
        io_.refuse(Column::deltas, "more pools of compute times than pools");
      trace_.compute_pools = of_compute;
    }
  }

  void body(InOut<Io, std::vector<Node>>& body, const RankList& context, int depth) {
    if constexpr (!Io::kReads)
      refuse_beyond(static_cast<std::size_t>(depth), kMaxNesting, "loops nested in each other", "");
    std::size_t index = 0;
    io_.each(Column::structure, Column::structure, body, "nodes", [&](InOut<Io, Node>& node) {
      io_.shared().loops_around().at(index++);
      if constexpr (Io::kReads)
        if (depth > kMaxNesting)
          io_.refuse(Column::structure,
                     "loops nest more than " + std::to_string(kMaxNesting) + " deep");
      io_.ranks(Column::structure, node.ranks, context);
      std::uint64_t head = 0;  // of a leaf: 1 + the zigzag of its site's distance
      if constexpr (!Io::kReads)
        if (const auto* call = std::get_if<Leaf>(&node.content)) head = 1 + site_code(call->site);
      head = io_.number(Column::structure, head);
      if constexpr (Io::kReads)
        if (head == 0) node.content = Loop();
      if (head != 0) return leaf(std::get<Leaf>(node.content), head - 1, node.ranks);
      auto& loop = std::get<Loop>(node.content);
      io_.field(loop.iterations, false, node.ranks);
      io_.field(loop.exits, false, node.ranks);
      const ValueSequence* around = std::exchange(
          around_, loop.iterations.empty() ? nullptr : &loop.iterations.front().values);
      io_.set_around(around_);
      const std::uint64_t outer_loop = std::exchange(loop_, ++loops_);
      io_.shared().loops_around().enter(loop);
      this->body(loop.body, node.ranks, depth + 1);
      io_.shared().loops_around().leave();
      around_ = around;
      loop_ = outer_loop;
      io_.set_around(around_);
    });
  }

  std::uint64_t site_code(SiteId site) const {
    return zigzag(static_cast<std::int64_t>(std::uint64_t{site} - next_site_));
  }

  SiteId site_at(std::uint64_t site, Column column) const {
    if (site >= trace_.sites.size())
      io_.refuse(column, "a site that does not exist, there are " +
                             std::to_string(trace_.sites.size()) + " sites");
    return static_cast<SiteId>(site);
  }

  void leaf(InOut<Io, Leaf>& leaf, std::uint64_t code, const RankList& context) {
    if constexpr (Io::kReads)
      leaf.site =
          site_at(next_site_ + static_cast<std::uint64_t>(unzigzag(code)), Column::structure);
    next_site_ = std::uint64_t{leaf.site} + 1;
    place_ = place_of(trace_, leaf.site, loop_);
    io_.shared().set_place(place_);
    const auto specs = specs_[trace_.sites[leaf.site].procedure];
    if constexpr (Io::kReads) leaf.fields.resize(specs.size());
    REPRISE_ASSERT(specs.size() == leaf.fields.size(),
                   "a leaf has one value list per field of its procedure");
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const LeafPeers peers(std::span<const FieldValues>(leaf.fields).first(i), specs,
                            [this]() -> const CommunicatorTable& { return communicator_table(); });
      io_.field(leaf.fields[i], specs[i].is_vector, context, &peers);
    }
    last_leaf_ = std::exchange(this_leaf_, leaf.site);
    leaf_count_ = 0;
    const std::uint64_t polls = io_.number(Column::deltas, leaf.polls);
    if constexpr (Io::kReads) leaf.polls = polls;
    io_.each(Column::deltas, Column::deltas, leaf.compute, "paths into a call",
             [&](InOut<Io, PathDeltas>& path) {
               const std::uint64_t from = io_.reference(
                   Referred::predecessor, place_, 0, {distance(last_leaf_, leaf.site)},
                   Column::deltas,
                   path.predecessor == kNoSite ? 0 : distance(path.predecessor, leaf.site));
               if (io_.coder() != nullptr) io_.shared().set_place(place_);
               if constexpr (Io::kReads)
                 if (from > 0)
                   path.predecessor = site_at(
                       leaf.site + static_cast<std::uint64_t>(unzigzag(from - 1)), Column::deltas);
               classes(path.classes, context, true);
             });
    classes(leaf.communicate, context, false);
  }

  // In the file: of a predecessor.
  static std::uint64_t distance(SiteId from, SiteId to) {
    return 1 + zigzag(std::int64_t{from} - std::int64_t{to});
  }

  const CommunicatorTable& communicator_table() {
    if (!table_) {
      if constexpr (Io::kReads) check_communicators(trace_, io_.in().name() + ": communicators");
      table_.emplace(trace_);
    }
    return *table_;
  }

  // ------------------------------------------------------------------ delta times
  void classes(InOut<Io, std::vector<DeltaClass>>& classes, const RankList& context,
               bool has_order) {
    io_.each(Column::deltas, Column::deltas, classes, "delta classes",
             [&](InOut<Io, DeltaClass>& delta) {
               io_.ranks(Column::deltas, delta.ranks, context);
               if (has_pools() && is_member(delta, has_order)) return ranks_apart(delta);
               io_.distribution(delta.durations, delta.is_scaled(), durations_);
               if (io_.version() >= 2) ranks_apart(delta);
               if (has_order && io_.version() >= 3) orders_.of(delta);
               if constexpr (Io::kReads) sound(delta.durations, delta.is_scaled());
             });
  }

  void sound(Distribution& durations, bool is_scaled) {
    if (!durations.consistent(is_scaled))
      io_.refuse(Column::bin_counts,
                 "a distribution's counts, sums and extremes contradict each other");
    durations.follow(trace_.header.bin_rule);
  }

  // Whether its times are those of a pool; then its count is all of them that stands in the file.
  bool is_member(InOut<Io, DeltaClass>& delta, bool is_compute) {
    const Column column = is_compute ? Column::squares : Column::extremes;
    const std::size_t first = is_compute ? 0 : trace_.compute_pools,
                      end = is_compute ? trace_.compute_pools : trace_.pools.size();
    std::uint64_t pool = 0;
    if constexpr (Io::kReads) {
      pool = pool_reference(is_compute, column, 0);
      io_.in().checked_reference(pool, column, end - first + 1, "pool of times");
      if (pool > 0) delta.pool = static_cast<std::uint32_t>(first + pool - 1);
    } else {
      if (delta.pool != DeltaClass::kOwnTimes) pool = delta.pool - first + 1;
      pool_reference(is_compute, column, pool);
    }
    if (pool == 0) return false;
    const std::uint64_t count = count_of_member(delta.durations.count(), is_compute);
    durations_.previous_count = count;
    if constexpr (Io::kReads)
      delta.durations = Distribution::from_parts(trace_.header.bins, count, 0, {}, {}, {}, {});
    return true;
  }

  std::uint64_t pool_reference(bool is_compute, Column column, std::uint64_t pool) {
    return io_.reference(is_compute ? Referred::compute_pool : Referred::communicate_pool, place_,
                         0, {}, column, pool);
  }

  // Mostly that of the class before, or, of times inside calls, as often as the call was reached.
  std::uint64_t count_of_member(std::uint64_t count, bool is_compute) {
    if (io_.coder() == nullptr)
      return io_.near(Column::bin_counts, count, durations_.previous_count);
    count =
        io_.reference(is_compute ? Referred::compute_count : Referred::communicate_count, place_, 0,
                      {is_compute ? durations_.previous_count : leaf_count_,
                       is_compute ? leaf_count_ : durations_.previous_count},
                      Column::bin_counts, count);
    if (is_compute) leaf_count_ += count;
    return count;
  }

  void ranks_apart(InOut<Io, DeltaClass>& delta) {
    std::uint64_t how = kNothing;
    if constexpr (Io::kReads) {
      how = io_.in().take_reference(Column::deltas, known_.size() + kFirstScaleFactors,
                                    "set of scale factors");
    } else {
      if (!delta.totals.empty()) {
        how = kRankTotals;
      } else if (delta.scale_factors != nullptr) {
        const auto known = numbers_.number_of(*delta.scale_factors);
        how = known ? kFirstScaleFactors + *known : kNewScaleFactors;
      }
      io_.number(Column::deltas, how);
    }
    if (how == kNothing) return;
    if (how == kRankTotals) return totals(delta);
    if constexpr (Io::kReads) {
      if (how == kNewScaleFactors) {
        RankScaleFactors added;
        scale_factors(added);
        known_.push_back(std::make_shared<const RankScaleFactors>(std::move(added)));
      }
      delta.scale_factors =
          how == kNewScaleFactors ? known_.back() : known_[how - kFirstScaleFactors];
      delta.scaled_count = io_.near(Column::deltas, 0, even_scaled_count(delta));
    } else {
      if (how == kNewScaleFactors) {
        scale_factors(*delta.scale_factors);
        numbers_.add(*delta.scale_factors);
      }
      io_.near(Column::deltas, delta.scaled_count, even_scaled_count(delta));
    }
  }

  // One per rank. Those that are read are refused where they do not add up to what the class has.
  void totals(const DeltaClass& delta) {
    for (const RankTotal& total : delta.totals) {
      io_.number(Column::bin_counts, total.count);
      io_.number(Column::bin_times, static_cast<std::uint64_t>(total.sum));
    }
  }
  void totals(DeltaClass& delta) {
    std::uint64_t count = delta.durations.count(),
                  sum = static_cast<std::uint64_t>(delta.durations.sum().value);
    for (std::int32_t i = 0; i < delta.ranks.size(); ++i) {
      const std::uint64_t its_count = io_.number(Column::bin_counts);
      const std::uint64_t its_sum = io_.number(Column::bin_times);
      if (its_count > count || its_sum > sum)
        io_.refuse(Column::bin_times, "totals of ranks that exceed those of all ranks");
      count -= its_count;
      sum -= its_sum;
      delta.totals.push_back({its_count, static_cast<std::int64_t>(its_sum)});
    }
    if (count != 0 || sum != 0)
      io_.refuse(Column::bin_times, "totals of ranks that do not add up to those of all ranks");
  }

  // Folded like other sequences, or, where that is longer, one after the other from the lowest on.
  void scale_factors(InOut<Io, RankScaleFactors>& factors) {
    io_.ranks(Column::deltas, factors.ranks, trace_.header.recorded);
    std::uint64_t form = 0;
    if constexpr (!Io::kReads)
      form = folded_bytes(factors.values) <= plain_bytes(factors.values) ? 0 : 1;
    form = io_.number(Column::deltas, form);
    if (form == 0) return io_.sequence(Column::deltas, factors.values);
    if constexpr (Io::kReads) {
      if (form > 1)
        io_.refuse(Column::deltas,
                   "form of scale factors " + std::to_string(form) + " does not exist");
      constexpr auto kLargest = static_cast<std::uint64_t>(RankScaleFactors::kLargest);
      const std::uint64_t lowest = io_.number(Column::deltas);
      for (std::int32_t i = 0; i < factors.ranks.size(); ++i) {
        const std::uint64_t more = io_.number(Column::deltas);
        if (lowest > kLargest || more > kLargest - lowest)
          io_.refuse(Column::deltas, "a scale factor above " + std::to_string(kLargest));
        factors.values.append(static_cast<std::int64_t>(lowest + more));
      }
    } else {
      const auto all = factors.values.unrolled();
      const std::int64_t lowest = *std::min_element(all.begin(), all.end());
      io_.number(Column::deltas, static_cast<std::uint64_t>(lowest));
      for (const std::int64_t value : all)
        io_.number(Column::deltas, static_cast<std::uint64_t>(value - lowest));
    }
  }

  Io& io_;
  InOut<Io, Trace>& trace_;
  DistributionContext durations_;
  std::vector<std::span<const FieldSpec>> specs_;  // per procedure
  OrdersCodec<Io> orders_{io_};
  Numbering<RankScaleFactors> numbers_;                         // of those written
  std::vector<std::shared_ptr<const RankScaleFactors>> known_;  // those read
  std::optional<CommunicatorTable> table_;                      // made when first needed
  std::uint64_t next_site_ = 0;
  CallPlace place_;               // of the call that is described
  std::uint64_t leaf_count_ = 0;  // its executions by the paths so far
  std::uint64_t loop_ = 0, loops_ = 0;
  SiteId this_leaf_ = 0, last_leaf_ = 0;
  const ValueSequence* around_ = nullptr;  // iterations of the loop that is described
};

template <class Io>
void describe(Io& io, InOut<Io, Trace>& trace) {
  TablesCodec<Io>(io, trace).all();
  ProgramsCodec<Io>(io, trace).all();
  if (io.version() >= 3) describe_parts(io, trace);
}

// Whether a reader of an older version would take calls for others without fields.
bool has_newer_procedures(const Trace& trace) {
  return std::ranges::any_of(trace.procedures, [](const std::string& name) {
    return procedure_named(name).since > kNeighboursVersion;
  });
}

}  // namespace

std::vector<std::byte> encode_payload(const Trace& trace, std::uint32_t& version, bool is_coded) {
  const bool has_steps = has_tag_steps(trace), is_newest = has_newer_procedures(trace);
  is_coded = is_coded || has_steps || is_newest ||
             has_peaks(trace);  // no version without coded numbers has them
  PayloadWriter out(is_coded);
  describe(out, trace);
  version = is_newest                    ? kDetachVersion
            : is_coded                   ? kNeighboursVersion
            : !trace.pools.empty()       ? kPoolsVersion
            : has_unawaited_sends(trace) ? kUnawaitedVersion
                                         : out.needed_version();
  return out.payload();
}

std::vector<std::byte> encode_payload(const Trace& trace) {
  std::uint32_t version = 0;
  return encode_payload(trace, version);
}

Trace decode_payload(std::span<const std::byte> payload, std::uint32_t version,
                     const std::string& name) {
  PayloadReader in(payload, version, name);
  Trace trace;
  describe(in, trace);
  in.in().expect_end();
  return trace;
}

}  // namespace reprise::trace_io
