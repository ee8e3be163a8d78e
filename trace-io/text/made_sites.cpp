// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "trace-io/text/program_builder.hpp"

namespace reprise::trace_io {
namespace {

// Every line, and every name after "at", is a call path of its own: one frame in a module named after the text.
class SiteMaker {
 public:
  SiteMaker(Trace& trace, const std::string& name) : trace_(trace), name_(name) {}

  void visit(std::vector<ParsedNode>& body) {
    for (auto& node : body) {
      if (node.is_loop)
        visit(node.body);
      else if (!node.site)
        node.site = site_for(node);
    }
  }

 private:
  SiteId site_for(const ParsedNode& node) {
    const std::uint32_t procedure = procedure_for(node.procedure);
    const std::uint32_t call_path = call_path_for(node);
    const auto [found, is_new] =
        sites_.emplace(std::pair{procedure, call_path}, static_cast<SiteId>(trace_.sites.size()));
    if (is_new) trace_.sites.push_back({procedure, call_path});
    return found->second;
  }

  std::uint32_t procedure_for(const std::string& name) {
    const auto found = std::find(trace_.procedures.begin(), trace_.procedures.end(), name);
    const auto index = static_cast<std::uint32_t>(found - trace_.procedures.begin());
    if (found == trace_.procedures.end()) trace_.procedures.push_back(name);
    return index;
  }

  std::uint32_t call_path_for(const ParsedNode& node) {
    const std::size_t line = node.site_name.empty() ? node.line : 0;
    const auto [found, is_new] = call_paths_.emplace(
        std::pair{line, node.site_name}, static_cast<std::uint32_t>(trace_.call_paths.size()));
    if (!is_new) return found->second;
    if (call_paths_.size() == 1) trace_.modules.push_back({name_, ""});
    const Frame frame{static_cast<std::uint32_t>(trace_.modules.size() - 1), call_paths_.size()};
    trace_.call_paths.push_back({{frame}});
    if (line > 0)
      trace_.frame_names.push_back({frame, "", name_, static_cast<std::uint32_t>(line)});
    else
      trace_.frame_names.push_back({frame, node.site_name, "", 0});
    return found->second;
  }

  Trace& trace_;
  const std::string& name_;
  std::map<std::pair<std::size_t, std::string>, std::uint32_t> call_paths_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, SiteId> sites_;
};

}  // namespace

void make_sites(std::vector<std::vector<ParsedNode>>& programs, Trace& trace,
                const std::string& name) {
  SiteMaker maker(trace, name);
  for (auto& program : programs) maker.visit(program);
}

}  // namespace reprise::trace_io
