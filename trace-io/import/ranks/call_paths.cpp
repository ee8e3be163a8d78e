// SPDX-License-Identifier: MIT
#include "trace-io/import/ranks/call_paths.hpp"

#include <algorithm>
#include <set>

namespace reprise::trace_io {

std::uint32_t CallPaths::look_up(Path at, std::uint32_t what, bool is_site) {
  const std::uint64_t local = (std::uint64_t{what} << 1) | (is_site ? 1 : 0);
  if (nodes_[at].last_key == local) return nodes_[at].last_answer;
  auto& known = is_site ? site_ids_ : children_;
  const auto next = static_cast<std::uint32_t>(is_site ? sites_.size() : nodes_.size());
  const auto [place, is_new] = known.try_emplace((std::uint64_t{at} << 32) | what, next);
  if (is_new && is_site) sites_.emplace_back(at, what);
  if (is_new && !is_site) nodes_.push_back({at, what, nodes_[at].depth + 1});
  nodes_[at].last_key = local;
  nodes_[at].last_answer = place->second;
  return place->second;
}

CallPaths::Path CallPaths::entered(Path caller, ImportedJob::FrameId frame) {
  // A recursion without end has as much of its path as a trace can hold.
  if (nodes_[caller].depth >= kMaxFrames) return caller;
  return look_up(caller, frame, false);
}

CallPaths::ProcedureId CallPaths::procedure(std::string_view name) {
  const auto [known, is_new] =
      procedure_ids_.try_emplace(std::string(name), static_cast<ProcedureId>(procedures_.size()));
  if (is_new) procedures_.emplace_back(name);
  return known->second;
}

SiteId CallPaths::site(Path path, ProcedureId procedure) { return look_up(path, procedure, true); }

void CallPaths::describe(const ImportedJob& job, Trace& trace) const {
  trace.procedures = procedures_;
  trace.modules = {{job.program, ""}};
  std::unordered_map<Path, std::uint32_t> path_of;
  std::set<ImportedJob::FrameId> used;
  for (const auto& [path, procedure] : sites_) {
    const auto [known, is_new] =
        path_of.try_emplace(path, static_cast<std::uint32_t>(trace.call_paths.size()));
    if (is_new) {
      CallPath frames;
      for (Path at = path; at != kEmpty; at = nodes_[at].caller) {
        frames.frames.push_back({0, nodes_[at].frame});
        used.insert(nodes_[at].frame);
      }
      trace.call_paths.push_back(std::move(frames));
    }
    trace.sites.push_back({procedure, known->second});
  }
  if (used.empty()) trace.modules.clear();
  for (const auto frame : used) {
    FrameName name = job.frame_name(frame);
    name.frame = {0, frame};
    trace.frame_names.push_back(std::move(name));
  }
}

}  // namespace reprise::trace_io
