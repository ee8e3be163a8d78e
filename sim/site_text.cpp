// SPDX-License-Identifier: MIT
#include "sim/site_text.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

namespace reprise::sim {
namespace {

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

const trace_io::FrameName* name_of(const trace_io::Trace& trace, const trace_io::Frame& frame) {
  const auto found =
      std::lower_bound(trace.frame_names.begin(), trace.frame_names.end(), frame,
                       [](const trace_io::FrameName& name, const trace_io::Frame& wanted) {
                         return name.frame < wanted;
                       });
  return found != trace.frame_names.end() && found->frame == frame ? &*found : nullptr;
}

// Importers number the regions of other tools' traces where recordings have addresses. A file's first page holds its header, hardly code.
bool is_numbered_region(const trace_io::Trace& trace, const trace_io::Frame& frame) {
  return trace.modules[frame.module].build_id.empty() && frame.offset < 4096;
}

// Empty where the frame has no name.
std::string named_text(const trace_io::Trace& trace, const trace_io::Frame& frame) {
  const auto* name = name_of(trace, frame);
  if (name == nullptr) return "";
  if (!name->file.empty()) return last_part(name->file) + ":" + std::to_string(name->line);
  if (name->function.empty() || is_numbered_region(trace, frame)) return name->function;
  return name->function + ", " + offset_text(trace, frame);
}

const std::vector<trace_io::Frame>& frames_of(const trace_io::Trace& trace, trace_io::SiteId site) {
  return trace.call_paths[trace.sites[site].call_path].frames;
}

// The frames of sites with one procedure and place, innermost first, as texts; what has been found to tell them apart.
struct CallPathTexts {
  trace_io::SiteId site = trace_io::kNoSite;
  std::vector<std::string> frames;
  std::string told;
};

// Adds the innermost frame from DEPTH on in which some of them differ, and goes on with those that are still alike.
void tell_apart(std::vector<CallPathTexts*> alike, std::size_t depth) {
  const auto at = [&](const CallPathTexts* one) {
    return depth < one->frames.size() ? one->frames[depth] : std::string();
  };
  const auto has_frames = [&] {
    return std::ranges::any_of(alike, [&](const auto* one) { return depth < one->frames.size(); });
  };
  const auto is_one = [&] {
    return std::ranges::all_of(alike, [&](const auto* one) { return at(one) == at(alike[0]); });
  };
  while (has_frames() && is_one()) ++depth;
  if (alike.size() < 2 || !has_frames()) return;
  std::map<std::string, std::vector<CallPathTexts*>> by_frame;
  for (auto* one : alike) by_frame[at(one)].push_back(one);
  for (auto& [frame, members] : by_frame) {
    if (!frame.empty())
      for (auto* one : members) one->told += (one->told.empty() ? "" : ", ") + frame;
    tell_apart(std::move(members), depth + 1);
  }
}

// Those that frames leave alike, as calls of several programs that share a source file: by the program, where its name differs.
void tell_programs_apart(const trace_io::Trace& trace, std::vector<CallPathTexts>& group) {
  const auto program_of = [&](const CallPathTexts& one) {
    const auto& frames = frames_of(trace, one.site);
    return frames.empty() ? std::string() : last_part(trace.modules[frames.back().module].path);
  };
  std::map<std::string, std::vector<CallPathTexts*>> alike;
  for (CallPathTexts& one : group) alike[one.told].push_back(&one);
  for (const auto& group_alike : alike) {
    const auto& members = group_alike.second;
    if (std::ranges::all_of(members, [&](const auto* one) {
          return program_of(*one) == program_of(*members.front());
        }))
      continue;
    for (CallPathTexts* one : members)
      if (const std::string program = program_of(*one); !program.empty())
        one->told += (one->told.empty() ? "in " : ", in ") + program;
  }
}

}  // namespace

std::string offset_text(const trace_io::Trace& trace, const trace_io::Frame& frame) {
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%llx", static_cast<unsigned long long>(frame.offset));
  return last_part(trace.modules[frame.module].path) + offset;
}

std::string place_text(const trace_io::Trace& trace, trace_io::SiteId site) {
  if (site >= trace.sites.size()) return "";
  const auto& frames = frames_of(trace, site);
  for (const auto& frame : frames)
    if (auto text = named_text(trace, frame); !text.empty()) return text;
  return frames.empty() ? "" : offset_text(trace, frames.front());
}

std::string procedure_text(const trace_io::Trace& trace, trace_io::SiteId site) {
  return site < trace.sites.size() ? trace.procedures[trace.sites[site].procedure] : "";
}

std::string call_text(const trace_io::Trace& trace, trace_io::SiteId site) {
  return call_text(procedure_text(trace, site), place_text(trace, site), "");
}

std::string call_text(const std::string& procedure, const std::string& place,
                      const std::string& caller) {
  return procedure + (place.empty()    ? ""
                      : caller.empty() ? " (" + place + ")"
                      : caller.starts_with("in ")
                          ? std::string(" (").append(place).append(", ") + caller + ")"
                          : std::string(" (").append(place).append(", called at ") + caller + ")");
}

std::map<trace_io::SiteId, std::string> callers_of(const trace_io::Trace& trace,
                                                   const std::set<trace_io::SiteId>& sites) {
  std::map<std::pair<std::string, std::string>, std::vector<CallPathTexts>> by_place;
  for (const auto site : sites)
    if (site < trace.sites.size())
      by_place[{procedure_text(trace, site), place_text(trace, site)}].push_back({site, {}, {}});
  std::map<trace_io::SiteId, std::string> callers;
  for (auto& [place, group] : by_place) {
    if (group.size() < 2) continue;
    std::vector<CallPathTexts*> alike;
    for (auto& one : group) {
      for (const auto& frame : frames_of(trace, one.site)) {
        auto text = named_text(trace, frame);
        one.frames.push_back(text.empty() ? offset_text(trace, frame) : std::move(text));
      }
      alike.push_back(&one);
    }
    tell_apart(std::move(alike), 0);
    tell_programs_apart(trace, group);
    for (auto& one : group)
      if (!one.told.empty()) callers[one.site] = std::move(one.told);
  }
  return callers;
}

}  // namespace reprise::sim
