// SPDX-License-Identifier: MIT
#include "sim/calls/call_profile.hpp"

#include <algorithm>

#include "sim/functions/function_names.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {

using trace_io::CallFile;

std::string function_name(const CallFile& file, std::uint32_t function) {
  if (function >= file.functions.size()) return "other functions";
  const auto& known = file.functions[function];
  if (!known.name.empty()) return without_clone(known.name);
  std::string module = "?";
  if (known.module < file.modules.size()) {
    module = file.modules[known.module].path;
    module = module.substr(module.rfind('/') + 1);
  }
  return module + formatted("+0x%llx", static_cast<unsigned long long>(known.offset));
}

std::size_t CallProfile::child(std::size_t parent, std::uint32_t function) {
  if (const auto at = nodes_[parent].children.find(function); at != nodes_[parent].children.end())
    return at->second;
  if (nodes_.size() == kMostPaths) {
    ++beyond_;
    return parent;
  }
  CallPathNode node;
  node.function = function;
  node.parent = parent;
  node.first = ~std::uint64_t{0};
  nodes_.push_back(node);
  nodes_[parent].children.emplace(function, nodes_.size() - 1);
  return nodes_.size() - 1;
}

void CallProfile::add(const trace_io::CallStream& stream, CallRange range) {
  struct Open {
    std::size_t node;
    std::uint64_t since;
  };
  std::vector<Open> open = {{0, 0}};
  trace_io::CallReader reader(file_, stream);
  std::uint64_t now = 0;
  const auto leave = [&] {
    nodes_[open.back().node].inclusive_ns += now - open.back().since;
    open.pop_back();
  };
  for (std::uint64_t done = 0; done < range.count;) {
    const auto event = reader.next();
    if (!event) break;
    const bool is_in = reader.number() >= range.from;
    if (event->ns) {
      if (is_timed_ && now != 0 && is_in && done > 0)
        nodes_[open.back().node].exclusive_ns += std::max(now, *event->ns) - now;
      now = std::max(now, *event->ns);
      is_timed_ = true;
    }
    if (is_in && done == 0)
      for (Open& one : open) one.since = now;  // they count from here on
    if (event->symbol == trace_io::kLeave) {
      if (open.size() > 1 && is_in)
        leave();
      else if (open.size() > 1)
        open.pop_back();
    } else {
      const auto node = child(open.back().node, file_.function_of(stream.rank, event->symbol));
      if (is_in) {
        ++nodes_[node].calls;
        nodes_[node].first = std::min(nodes_[node].first, reader.number());
      }
      open.push_back({node, now});
    }
    done += is_in ? 1 : 0;
    events_ += is_in ? 1 : 0;
    if (done == range.count) break;
  }
  while (open.size() > 1) leave();
}

std::vector<CallRow> CallProfile::rows() const {
  std::map<std::uint32_t, CallRow> rows;
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    const CallPathNode& node = nodes_[i];
    CallRow& row = rows[node.function];
    row.function = node.function;
    row.calls += node.calls;
    row.exclusive_ns += node.exclusive_ns;
    bool is_inside_itself = false;
    for (std::size_t up = node.parent; up != 0 && !is_inside_itself; up = nodes_[up].parent)
      is_inside_itself = nodes_[up].function == node.function;
    if (!is_inside_itself) row.inclusive_ns += node.inclusive_ns;
  }
  std::vector<CallRow> sorted;
  for (const auto& [function, row] : rows)
    if (row.calls > 0 || row.exclusive_ns > 0) sorted.push_back(row);
  std::stable_sort(sorted.begin(), sorted.end(), [](const CallRow& a, const CallRow& b) {
    return a.exclusive_ns != b.exclusive_ns ? a.exclusive_ns > b.exclusive_ns : a.calls > b.calls;
  });
  return sorted;
}

std::string CallProfile::path_text(std::size_t node) const {
  std::string text;
  for (; node != 0; node = nodes_[node].parent)
    text = function_name(file_, nodes_[node].function) + (text.empty() ? "" : " > ") + text;
  return text;
}

}  // namespace reprise::sim
