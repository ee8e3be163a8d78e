// SPDX-License-Identifier: MIT
// Call paths as definitions of an OTF2 archive: regions for their functions, calling contexts for their lines.
#include <algorithm>
#include <filesystem>
#include <set>

#include "sim/export/timeline/otf2_definitions.hpp"
#include "trace-io/import/ranks/field_text.hpp"

namespace reprise::sim {

const trace_io::FrameName* Otf2DefinitionTables::name_of(trace_io::Frame frame) const {
  const auto name = std::lower_bound(
      trace_.frame_names.begin(), trace_.frame_names.end(), frame,
      [](const trace_io::FrameName& a, const trace_io::Frame& b) { return a.frame < b; });
  const bool is_named =
      name != trace_.frame_names.end() && name->frame == frame && !name->function.empty();
  return is_named ? &*name : nullptr;
}

// Of the first threads' calls: others are not exported.
void Otf2DefinitionTables::define_run() {
  std::set<std::uint32_t> paths;
  if (!trace_.threads.empty())
    trace_io::for_each_leaf(trace_.threads.front(), [&](const trace_io::Leaf& leaf) {
      paths.insert(trace_.sites[leaf.site].call_path);
    });
  std::set<OTF2_RegionRef> outermost;
  bool all_begin_somewhere = true;
  for (const std::uint32_t path : paths) {
    const auto& frames = trace_.call_paths[path].frames;
    if (frames.empty() || name_of(frames.back()) == nullptr)
      all_begin_somewhere = false;
    else
      outermost.insert(frame(frames.back()));
  }
  if (all_begin_somewhere && outermost.size() == 1) return;
  run_ = static_cast<OTF2_RegionRef>(regions_.size());
  const std::string program = std::filesystem::path(trace_.header.program).filename().string();
  regions_.push_back({string(program.empty() ? "program" : program),
                      string(std::string(trace_io::kRunRegion)), string(""), false});
}

OTF2_RegionRef Otf2DefinitionTables::frame(trace_io::Frame frame) {
  const auto [known, is_new] =
      frames_.try_emplace(frame, static_cast<OTF2_RegionRef>(regions_.size()));
  if (!is_new) return known->second;
  const trace_io::FrameName* name = name_of(frame);
  const std::string& module = trace_.modules[frame.module].path;
  const std::string function = name != nullptr ? name->function
                                               : module + "+" + std::to_string(frame.offset),
                    &file = name != nullptr ? name->file : module;
  const auto [region, is_function] = functions_.try_emplace({function, file}, known->second);
  if (is_function) regions_.push_back({string(function), string(function), string(file), false});
  return known->second = region->second;
}

std::optional<OTF2_CallingContextRef> Otf2DefinitionTables::call_path(trace_io::SiteId site) {
  const auto& frames = frames_of(site);
  auto& known = call_paths_[trace_.sites[site].call_path];
  if (frames.empty() || known) return known;
  OTF2_CallingContextRef at = OTF2_UNDEFINED_CALLING_CONTEXT;
  for (std::size_t i = frames.size(); i-- > 0;) {
    const auto [context, is_new] = context_of_.try_emplace(
        {at, frames[i]}, static_cast<OTF2_CallingContextRef>(contexts_.size()));
    if (is_new) {
      auto place = OTF2_UNDEFINED_SOURCE_CODE_LOCATION;
      if (const auto* name = name_of(frames[i])) {
        const std::pair where{string(name->file), name->line};
        const auto [numbered, is_new_place] =
            place_of_.try_emplace(where, static_cast<OTF2_SourceCodeLocationRef>(places_.size()));
        if (is_new_place) places_.push_back(where);
        place = numbered->second;
      }
      contexts_.push_back({frame(frames[i]), place, at});
    }
    at = context->second;
  }
  return known = at;
}

}  // namespace reprise::sim
