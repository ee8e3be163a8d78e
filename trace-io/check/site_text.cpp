// SPDX-License-Identifier: MIT
#include "trace-io/check/site_text.hpp"

#include <algorithm>

namespace reprise::trace_io {
namespace {

std::string last_part(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string hexadecimal(std::uint64_t number) {
  std::string digits;
  do digits.insert(digits.begin(), "0123456789abcdef"[number & 15]);
  while ((number >>= 4) != 0);
  return "0x" + digits;
}

}  // namespace

std::string frame_text(const Trace& trace, const Frame& frame) {
  const auto found = std::lower_bound(
      trace.frame_names.begin(), trace.frame_names.end(), frame,
      [](const FrameName& name, const Frame& wanted) { return name.frame < wanted; });
  if (found != trace.frame_names.end() && found->frame == frame) {
    if (!found->file.empty()) return last_part(found->file) + ":" + std::to_string(found->line);
    if (!found->function.empty()) return found->function;
  }
  if (frame.module >= trace.modules.size()) return "an unknown module";
  return last_part(trace.modules[frame.module].path) + "+" + hexadecimal(frame.offset);
}

std::string site_text(const Trace& trace, SiteId id) {
  const std::string missing = "site " + std::to_string(id) + ", which does not exist";
  if (id >= trace.sites.size()) return missing;
  const Site& site = trace.sites[id];
  if (site.procedure >= trace.procedures.size() || site.call_path >= trace.call_paths.size())
    return missing;
  const auto& frames = trace.call_paths[site.call_path].frames;
  const std::string& procedure = trace.procedures[site.procedure];
  return frames.empty() ? procedure : procedure + " at " + frame_text(trace, frames.front());
}

}  // namespace reprise::trace_io
