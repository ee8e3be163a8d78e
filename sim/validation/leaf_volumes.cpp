// SPDX-License-Identifier: MIT
#include "sim/validation/leaf_volumes.hpp"

#include "trace-io/check/sequence_sums.hpp"

namespace reprise::sim::validation {

using trace_io::Field;

LeafVolumes::LeafVolumes(const trace_io::Leaf& leaf, const trace_io::Procedure& procedure,
                         const trace_io::NodeExecutions& executed)
    : leaf_(leaf), specs_(fields(procedure)), executed_(executed) {}

namespace {

bool holds(const trace_io::FieldEntry& entry, std::uint64_t executions) {
  return executions > 0 && !entry.values.empty();
}

}  // namespace

LeafVolumes::Reading LeafVolumes::reading(Field field, std::size_t rank_place) {
  for (std::size_t f = 0; f < specs_.size(); ++f) {
    if (specs_[f].field != field) continue;
    auto& owners = owners_[f];
    std::string problem;
    if (owners.empty())
      owners = entry_owners(leaf_.fields[f], executed_.node.ranks, executed_.ranks, problem);
    if (owners.empty()) return {};
    const std::uint64_t executions = executed_.executions[rank_place];
    const auto key = std::tuple(f, owners[rank_place], executions);
    const auto known = readings_.find(key);
    if (known != readings_.end()) return known->second;
    const auto& entry = leaf_.fields[f][owners[rank_place]];
    Reading read;
    const std::uint64_t used =
        specs_[f].is_vector
            ? static_cast<std::uint64_t>(trace_io::SequenceSums(entry.lengths).sum(executions))
            : executions;
    if (holds(entry, used)) {
      const trace_io::SequenceSums sums(entry.values);
      read.numbers.total = static_cast<double>(sums.sum(used));
      read.constant = entry.values.is_constant();
      const double mean = read.numbers.total / static_cast<double>(executions);
      read.numbers.least = specs_[f].is_vector ? mean : static_cast<double>(sums.least());
      read.numbers.most = specs_[f].is_vector ? mean : static_cast<double>(sums.greatest());
    }
    return readings_[key] = read;
  }
  return {};
}

void LeafVolumes::book(ByteRule rule, std::size_t place, SiteRecord& to) {
  const auto take = [&](Field field) { to.bytes = reading(field, place).numbers; };
  // Ignored arguments have no field: what mpiP books for them cannot be known.
  const auto only_without = [&](Field in_place) {
    to.bytes_known = reading(in_place, place).numbers.total == 0;
  };
  const auto only_at_root = [&] {
    to.bytes_known = reading(Field::peer, place).constant && to.bytes.total > 0;
  };
  switch (rule) {
    case ByteRule::none:
      return;
    case ByteRule::input_output:
    case ByteRule::one_sided:
    case ByteRule::point_to_point:
      return take(Field::bytes);
    case ByteRule::one_sided_both_ways:
      take(Field::bytes);
      to.bytes_known =
          to.bytes.least > 0 || reading(Field::receive_bytes, place).numbers.total == 0;
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
      to.bytes_known = false;
      return;
  }
}

}  // namespace reprise::sim::validation
