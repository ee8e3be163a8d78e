// SPDX-License-Identifier: MIT
#include "sim/site_text.hpp"

#include <algorithm>
#include <cstdio>

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

std::string offset_text(const trace_io::Trace& trace, const trace_io::Frame& frame) {
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%llx", static_cast<unsigned long long>(frame.offset));
  return last_part(trace.modules[frame.module].path) + offset;
}

// Importers number the regions of other tools' traces where recordings have addresses. A file's first page holds its header, hardly code.
bool is_numbered_region(const trace_io::Trace& trace, const trace_io::Frame& frame) {
  return trace.modules[frame.module].build_id.empty() && frame.offset < 4096;
}

}  // namespace

std::string place_text(const trace_io::Trace& trace, trace_io::SiteId site) {
  if (site >= trace.sites.size()) return "";
  const auto& frames = trace.call_paths[trace.sites[site].call_path].frames;
  for (const auto& frame : frames) {
    const auto* name = name_of(trace, frame);
    if (name == nullptr) continue;
    if (!name->file.empty()) return last_part(name->file) + ":" + std::to_string(name->line);
    if (!name->function.empty() && is_numbered_region(trace, frame)) return name->function;
    if (!name->function.empty()) return name->function + ", " + offset_text(trace, frame);
  }
  return frames.empty() ? "" : offset_text(trace, frames.front());
}

std::string procedure_text(const trace_io::Trace& trace, trace_io::SiteId site) {
  return site < trace.sites.size() ? trace.procedures[trace.sites[site].procedure] : "";
}

std::string call_text(const trace_io::Trace& trace, trace_io::SiteId site) {
  const std::string place = place_text(trace, site);
  return procedure_text(trace, site) + (place.empty() ? "" : " (" + place + ")");
}

}  // namespace reprise::sim
