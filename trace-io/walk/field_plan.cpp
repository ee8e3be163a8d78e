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
  return {predecessor, per_rank, per_rank ? numbers++ : 0, &classes};
}

}  // namespace

FieldPlan plan_field(const FieldValues& entries, PeerFrame frame, bool frame_is_constant) {
  FieldPlan plan;
  plan.frame = frame;
  plan.entries = &entries;
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
  plan.entries = &entries;
  plan.part = &FieldEntry::lengths;
  if (!std::ranges::all_of(entries,
                           [](const FieldEntry& entry) { return never_changes(entry.lengths); }))
    plan.source = Source::reader;
  else if (entries.size() > 1)
    plan.source = Source::per_rank;
  else if (!entries.empty())
    plan.value = first_of(entries.front().lengths);
  return plan;
}

LeafPlan plan_leaf(const Leaf& leaf, const Procedure& procedure) {
  LeafPlan plan;
  plan.leaf = &leaf;
  plan.procedure = &procedure;
  plan.site = leaf.site;
  const auto specs = fields(procedure);
  for (std::size_t i = 0; i < std::min(specs.size(), leaf.fields.size()); ++i) {
    const FieldSpec& spec = specs[i];
    if (spec.field == Field::comm) plan.comm = static_cast<int>(i);
    if (spec.field == Field::new_comm) plan.new_comm = static_cast<int>(i);
    const int frame = spec.frame == PeerFrame::comm       ? plan.comm
                      : spec.frame == PeerFrame::new_comm ? plan.new_comm
                                                          : -1;
    const bool frame_is_constant =
        frame < 0 || plan.scalars[static_cast<std::size_t>(frame)].source != Source::reader;
    FieldPlan values = plan_field(leaf.fields[i], spec.frame, frame_is_constant);
    values.size_of = size_of(spec.field);
    place(values, plan.numbers, plan.readers);
    if (spec.is_vector) {
      FieldPlan lengths = plan_lengths(leaf.fields[i]);
      place(lengths, plan.numbers, plan.readers);
      plan.vectors.push_back({lengths, values});
    } else {
      plan.scalars.push_back(values);
    }
  }
  for (const PathDeltas& path : leaf.compute)
    plan.compute.push_back(plan_classes(path.predecessor, path.classes, plan.numbers));
  plan.communicate = plan_classes(kNoSite, leaf.communicate, plan.numbers);
  plan.requests = request_fields(procedure);
  return plan;
}

const FieldPlan* LeafPlan::frame_of(const FieldPlan& field) const {
  const int which = field.frame == PeerFrame::comm       ? comm
                    : field.frame == PeerFrame::new_comm ? new_comm
                                                         : -1;
  return which < 0 ? nullptr : &scalars[static_cast<std::size_t>(which)];
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
