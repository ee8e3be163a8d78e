// SPDX-License-Identifier: MIT
#include "sim/symbols/call_names.hpp"

#include <map>

#include "sim/symbols/symbolise.hpp"

namespace reprise {

void name_functions(trace_io::CallFile& file) {
  trace_io::Trace trace;  // of frames alone
  for (const auto& module : file.modules) trace.modules.push_back({module.path, module.build_id});
  trace_io::CallPath frames;
  for (const auto& function : file.functions)
    if (function.name.empty() && function.module < file.modules.size())
      frames.frames.push_back({function.module, function.offset + 1});  // as a return address
  trace.call_paths.push_back(std::move(frames));
  symbolise(trace);
  std::map<trace_io::Frame, std::string> names;
  for (const auto& name : trace.frame_names) names[name.frame] = name.function;
  for (auto& function : file.functions)
    if (function.name.empty())
      if (const auto at = names.find({function.module, function.offset + 1}); at != names.end())
        function.name = at->second;
}

}  // namespace reprise
