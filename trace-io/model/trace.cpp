// SPDX-License-Identifier: MIT
#include "trace-io/model/trace.hpp"

#include <limits>

#include "trace-io/base/integers.hpp"

namespace reprise::trace_io {

std::string_view name_of(TimeApart what) {
  switch (what) {
    case TimeApart::snapshots:
      return "snapshots";
    case TimeApart::calibration:
      return "calibration";
    case TimeApart::folding:
      return "folding";
    case TimeApart::preemption:
      return "preemption";
    case TimeApart::compensation:
      return "compensation";
  }
  return "";
}
namespace {

std::string last_part(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string frame_text(const Trace& trace, const Frame& frame) {
  std::string function;
  const auto found = std::lower_bound(
      trace.frame_names.begin(), trace.frame_names.end(), frame,
      [](const FrameName& name, const Frame& wanted) { return name.frame < wanted; });
  if (found != trace.frame_names.end() && found->frame == frame) {
    if (!found->file.empty()) return last_part(found->file) + ":" + std::to_string(found->line);
    if (!found->function.empty()) function = found->function + ", ";  // many calls stand in it
  }
  if (frame.module >= trace.modules.size()) return "an unknown module";
  return function + last_part(trace.modules[frame.module].path) + "+0x" + hexadecimal(frame.offset);
}

// An upper bound: zigzag may need one byte less where the number is negative.
std::size_t signed_bytes(std::int64_t number) {
  return varint_bytes(static_cast<std::uint64_t>(number < 0 ? -number : number) * 2);
}

}  // namespace

Procedure procedure_of(const Trace& trace, SiteId site) {
  return procedure_named(trace.procedures[trace.sites[site].procedure]);
}

std::span<const FieldSpec> fields_of(const Trace& trace, SiteId site) {
  return fields(procedure_of(trace, site));
}

std::string site_text(const Trace& trace, SiteId id) {
  std::string missing = "site " + std::to_string(id) + ", which does not exist";
  if (id >= trace.sites.size()) return missing;
  const Site& site = trace.sites[id];
  if (site.procedure >= trace.procedures.size() || site.call_path >= trace.call_paths.size())
    return missing;
  const auto& frames = trace.call_paths[site.call_path].frames;
  const std::string& procedure = trace.procedures[site.procedure];
  return frames.empty() ? procedure : procedure + " at " + frame_text(trace, frames.front());
}

bool same_terms(const FieldEntry& a, const FieldEntry& b) {
  return a.ranks == b.ranks && a.form == b.form && a.other_forms == b.other_forms &&
         a.values.terms() == b.values.terms() && a.lengths.terms() == b.lengths.terms();
}

double relative_mean(const DeltaClass& delta, Rank rank) {
  if (delta.scale_factors == nullptr) return 1;
  ValueSequence::Cursor scale_factors(delta.scale_factors->values);
  for (const Rank one : delta.scale_factors->ranks.ranks()) {
    const std::int64_t scale_factor = scale_factors.next();
    if (one == rank)
      return static_cast<double>(scale_factor) * static_cast<double>(delta.durations.count()) /
             static_cast<double>(delta.scaled_count);
  }
  return 1;
}

std::size_t folded_bytes(const ValueSequence& values) {
  std::size_t bytes = 0;
  for (const auto& term : values.terms()) {
    bytes += 1 + varint_bytes(term.count);
    bytes += term.is_loop ? varint_bytes(term.body_terms) : signed_bytes(term.start);
    if (term.stride != 0) bytes += signed_bytes(term.stride);
  }
  return bytes;
}

std::size_t plain_bytes(const ValueSequence& values) {
  if (values.empty() || values.size() > static_cast<std::uint64_t>(kMaxRanks))
    return std::numeric_limits<std::size_t>::max();
  const auto all = values.unrolled();
  const std::int64_t lowest = *std::min_element(all.begin(), all.end());
  std::size_t bytes = varint_bytes(static_cast<std::uint64_t>(lowest));
  for (const std::int64_t value : all)
    bytes += varint_bytes(static_cast<std::uint64_t>(value - lowest));
  return bytes;
}

}  // namespace reprise::trace_io
