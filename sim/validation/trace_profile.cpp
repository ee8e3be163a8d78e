// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sim/validation/mpip_rules.hpp"
#include "sim/validation/profile.hpp"
#include "trace-io/check/executions.hpp"
#include "trace-io/check/sequence_sums.hpp"
#include "trace-io/walk/rank_mean.hpp"

namespace reprise::sim::validation {
namespace {

using trace_io::Field;
using trace_io::FieldValues;
using trace_io::NodeExecutions;

std::string base_name(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string place_of(const trace_io::Trace& trace, const trace_io::Site& site) {
  const auto& frames = trace.call_paths[site.call_path].frames;
  if (frames.empty()) return "";
  const auto found = std::lower_bound(trace.frame_names.begin(), trace.frame_names.end(), frames.front(),
                                      [](const auto& name, const auto& wanted) { return name.frame < wanted; });
  if (found == trace.frame_names.end() || found->frame != frames.front() || found->file.empty()) return "";
  return base_name(found->file) + ":" + std::to_string(found->line);
}

// The sums that each of a leaf's ranks has of its fields; equal prefixes of equal entries are added up once.
class LeafSums {
 public:
  LeafSums(const trace_io::Leaf& leaf, const trace_io::Procedure& procedure, const NodeExecutions& executed)
      : leaf_(leaf), specs_(fields(procedure)), executed_(executed) {}

  // Σ over the rank's executions; 0 for a field that the procedure does not have.
  double sum(Field field, std::size_t rank_place) {
    const auto* read = reading(field, rank_place);
    return read ? read->sum : 0;
  }
  // Whether the field is the same in all of the rank's executions.
  bool is_constant(Field field, std::size_t rank_place) {
    const auto* read = reading(field, rank_place);
    return read == nullptr || read->constant;
  }

 private:
  struct Reading {
    double sum = 0;
    bool constant = true;
  };
  const Reading* reading(Field field, std::size_t rank_place) {
    for (std::size_t f = 0; f < specs_.size(); ++f) {
      if (specs_[f].field != field) continue;
      auto& owners = owners_[f];
      std::string problem;
      if (owners.empty()) owners = entry_owners(leaf_.fields[f], executed_.node.ranks, executed_.ranks, problem);
      if (owners.empty()) return nullptr;
      const auto key = std::tuple(f, owners[rank_place], executed_.executions[rank_place]);
      const auto known = readings_.find(key);
      if (known != readings_.end()) return &known->second;
      return &(readings_[key] = read(leaf_.fields[f][owners[rank_place]], specs_[f].is_vector, executed_.executions[rank_place]));
    }
    return nullptr;
  }
  static Reading read(const trace_io::FieldEntry& entry, bool is_vector, std::uint64_t executions) {
    std::uint64_t used = executions;
    if (is_vector) used = static_cast<std::uint64_t>(trace_io::SequenceSums(entry.lengths).sum(used));
    if (used == 0) return {};
    return {static_cast<double>(trace_io::SequenceSums(entry.values).sum(used)), entry.values.is_constant()};
  }

  const trace_io::Leaf& leaf_;
  std::span<const trace_io::FieldSpec> specs_;
  const NodeExecutions& executed_;
  std::map<std::size_t, std::vector<std::uint32_t>> owners_;
  std::map<std::tuple<std::size_t, std::uint32_t, std::uint64_t>, Reading> readings_;
};

void book_bytes(LeafSums& sums, std::size_t place, ByteRule rule, Calls& calls) {
  const auto take = [&](Field field) { calls.bytes.value = sums.sum(field, place); };
  // Ignored arguments have no field: what mpiP books for them cannot be known.
  const auto only_without = [&](Field in_place) { calls.bytes_known = sums.sum(in_place, place) == 0; };
  const auto only_at_root = [&] { calls.bytes_known = sums.is_constant(Field::peer, place) && calls.bytes.value > 0; };
  switch (rule) {
    case ByteRule::none:
    case ByteRule::input_output:
    case ByteRule::one_sided:
    case ByteRule::point_to_point:
      if (rule != ByteRule::none) take(Field::bytes);
      return;
    case ByteRule::send_argument:
      return take(Field::send_bytes);
    case ByteRule::unless_in_place:
      take(Field::send_bytes);
      return only_without(Field::in_place);
    case ByteRule::at_root:
      take(Field::send_bytes);
      return only_at_root();
    case ByteRule::list_at_root:
      take(Field::send_bytes_list);
      return only_at_root();
    case ByteRule::list_unless_in_place:
      take(Field::send_bytes_list);
      return only_without(Field::in_place);
    case ByteRule::receive_list:
      return take(Field::receive_bytes_list);
    case ByteRule::unknown:
      calls.bytes_known = false;
      return;
  }
}

// Each rank's part of the durations of its class: in proportion to its pace, where the class has paces, and as if all ranks had called
// equally often.
template <class Add>
void for_each_rank_time(const std::vector<trace_io::DeltaClass>& classes, Add add) {
  for (const auto& one : classes) {
    const double share = one.durations.sum().seconds().value / static_cast<double>(one.ranks.size());
    for (const Rank rank : one.ranks.ranks()) add(rank, share * (one.is_scaled() ? relative_mean(one, rank) : 1));
  }
}

}  // namespace

Profile profile_of(const trace_io::Trace& trace, const std::string& path) {
  Profile profile;
  profile.source = path;
  profile.program = base_name(trace.header.program);
  profile.ranks = trace.header.ranks;
  profile.times.resize(static_cast<std::size_t>(trace.header.ranks));
  if (trace.header.clock == trace_io::Clock::cpu)
    profile.times_mean_nothing = "the trace was recorded with the cpu clock, which stands still while a rank waits";
  const auto times_of = [&](Rank rank) -> RankTimes& { return profile.times[static_cast<std::size_t>(rank.value)]; };
  bool is_first_thread = true;  // the one that called MPI_Init: its time is the rank's
  const trace_io::VisitNode visit = [&](const NodeExecutions& executed) {
    const auto* leaf = std::get_if<trace_io::Leaf>(&executed.node.content);
    if (leaf == nullptr) return;
    const auto& site = trace.sites[leaf->site];
    const auto procedure = trace_io::procedure_named(trace.procedures[site.procedure]);
    const bool is_init = procedure.kind == trace_io::Kind::init, is_finalize = procedure.kind == trace_io::Kind::finalize;
    if (!is_init && is_first_thread)
      for (const auto& way : leaf->compute)
        for_each_rank_time(way.classes, [&](Rank rank, double time) { times_of(rank).app_s.value += time; });
    if (is_init || is_finalize) return;
    if (is_first_thread)
      for_each_rank_time(leaf->communicate, [&](Rank rank, double time) { times_of(rank).app_s.value += time; });
    const auto operation = mpip_operation(procedure.name.substr(4));
    const SiteKey key{std::string(procedure.name.substr(4)), place_of(trace, site)};
    auto& ranks = profile.sites[key];
    LeafSums sums(*leaf, procedure, executed);
    for (std::size_t i = 0; i < executed.ranks.size(); ++i) {
      Calls calls;
      calls.calls = executed.executions[i];
      if (operation && calls.calls > 0) book_bytes(sums, i, operation->bytes, calls);
      ranks[executed.ranks[i].value] += calls;
    }
    for_each_rank_time(leaf->communicate, [&](Rank rank, double time) {
      ranks[rank.value].time_s.value += time;
      if (operation) times_of(rank).mpi_s.value += time;
    });
  };
  for (const auto& program : trace.threads) {
    walk_executions(program, trace.header.recorded, visit, [](const trace_io::Node&, const std::string&) {});
    is_first_thread = false;
  }
  for (const auto& rank : profile.times) {
    profile.all_ranks.app_s += rank.app_s;
    profile.all_ranks.mpi_s += rank.mpi_s;
  }
  return profile;
}

}  // namespace reprise::sim::validation
