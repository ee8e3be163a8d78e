// SPDX-License-Identifier: MIT
#include "trace-io/walk/field_plan.hpp"

#include <algorithm>

namespace reprise::trace_io {
namespace {

bool never_changes(const ValueSequence& values) { return values.empty() || values.is_constant(); }
std::int64_t first_of(const ValueSequence& values) { return values.empty() ? 0 : values.front(); }

void place(FieldPlan& plan, std::uint32_t& numbers, std::uint32_t& readers) {
  if (plan.source == Source::per_rank) plan.slot = numbers++;
  if (plan.source == Source::reader) plan.slot = readers++;
}

SizeOf size_of(Field field) {
  switch (field) {
    case Field::bytes:
    case Field::receive_bytes:
      return SizeOf::message;
    case Field::send_bytes:
    case Field::receive_bytes_per_peer:
    case Field::send_bytes_list:
    case Field::receive_bytes_list:
      return SizeOf::block;
    default:
      return SizeOf::none;
  }
}

ClassPlan plan_classes(SiteId predecessor, const std::vector<DeltaClass>& classes,
                       std::uint32_t& numbers) {
  const bool per_rank = classes.size() > 1;
  return {predecessor, per_rank ? numbers++ : 0, &classes, per_rank};
}

}  // namespace

FieldPlan plan_field(const FieldValues& entries, PeerFrame frame, bool frame_is_constant) {
  FieldPlan plan;
  plan.frame = frame;
  if (!std::ranges::all_of(entries,
                           [](const FieldEntry& entry) { return never_changes(entry.values); })) {
    plan.source = Source::reader;
    return plan;
  }
  if (entries.size() > 1) plan.source = Source::per_rank;
  if (!entries.empty()) plan.value = first_of(entries.front().values);
  for (const FieldEntry& entry : entries) {
    const bool depends_on_rank = frame != PeerFrame::not_a_peer &&
                                 entry.form != PeerForm::absolute && entry.ranks.size() > 1 &&
                                 first_of(entry.values) >= kFirstPeer;
    if (depends_on_rank && plan.source == Source::constant) plan.source = Source::per_rank;
    if (depends_on_rank && !frame_is_constant) plan.source = Source::reader;
  }
  return plan;
}

FieldPlan plan_lengths(const FieldValues& entries) {
  FieldPlan plan;
  if (!std::ranges::all_of(entries,
                           [](const FieldEntry& entry) { return never_changes(entry.lengths); }))
    plan.source = Source::reader;
  else if (entries.size() > 1)
    plan.source = Source::per_rank;
  else if (!entries.empty())
    plan.value = first_of(entries.front().lengths);
  return plan;
}

LeafPlans::Kept LeafPlans::add(const Leaf& leaf, const Procedure& procedure) {
  Kept kept;
  LeafPlan& plan = leaves.emplace_back();
  made_of.push_back(&leaf);
  plan.procedure = &procedure;
  plan.site = leaf.site;
  plan.first_class = static_cast<std::uint32_t>(classes.size());
  const auto specs = trace_io::fields(procedure);
  std::vector<FieldPlan> its_fields;
  bool comm_is_constant = true, new_comm_is_constant = true;
  for (std::size_t i = 0; i < std::min(specs.size(), leaf.fields.size()); ++i) {
    const FieldSpec& spec = specs[i];
    const bool frame_is_constant = spec.frame == PeerFrame::comm       ? comm_is_constant
                                   : spec.frame == PeerFrame::new_comm ? new_comm_is_constant
                                                                       : true;
    FieldPlan values = plan_field(leaf.fields[i], spec.frame, frame_is_constant);
    values.size_of = size_of(spec.field);
    if (spec.field == Field::comm) comm_is_constant = values.source != Source::reader;
    if (spec.field == Field::new_comm) new_comm_is_constant = values.source != Source::reader;
    place(values, kept.numbers, kept.readers);
    if (spec.is_vector) {
      FieldPlan lengths = plan_lengths(leaf.fields[i]);
      place(lengths, kept.numbers, kept.readers);
      its_fields.push_back(lengths);
    }
    its_fields.push_back(values);
    ++(spec.is_vector ? plan.vectors : plan.scalars);
  }
  if (its_fields.size() <= LeafPlan::kFew) {
    std::ranges::copy(its_fields, plan.few_fields.begin());
  } else {
    plan.first_field = static_cast<std::uint32_t>(fields.size());
    fields.insert(fields.end(), its_fields.begin(), its_fields.end());
  }
  for (const PathDeltas& path : leaf.compute)
    classes.push_back(plan_classes(path.predecessor, path.classes, kept.numbers));
  plan.paths = static_cast<std::uint32_t>(leaf.compute.size());
  classes.push_back(plan_classes(kNoSite, leaf.communicate, kept.numbers));
  return kept;
}

const FieldValues* LeafPlans::frame_of(const FieldPlan& field, const LeafPlan& plan) const {
  if (field.frame != PeerFrame::comm && field.frame != PeerFrame::new_comm) return nullptr;
  const Leaf& its_leaf = leaf(plan);
  const auto specs = trace_io::fields(*plan.procedure);
  const auto frame = std::ranges::find(
      specs, field.frame == PeerFrame::comm ? Field::comm : Field::new_comm, &FieldSpec::field);
  const auto at = static_cast<std::size_t>(frame - specs.begin());
  return at < std::min(specs.size(), its_leaf.fields.size()) ? &its_leaf.fields[at] : nullptr;
}

LoopPlan plan_loop(const Loop& loop) {
  LoopPlan plan;
  plan.loop = &loop;
  plan.iterations = plan_field(loop.iterations, PeerFrame::not_a_peer, true);
  plan.exits = plan_field(loop.exits, PeerFrame::not_a_peer, true);
  place(plan.iterations, plan.numbers, plan.readers);
  place(plan.exits, plan.numbers, plan.readers);
  return plan;
}

}  // namespace reprise::trace_io
