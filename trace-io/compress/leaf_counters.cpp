// SPDX-License-Identifier: MIT
#include "trace-io/compress/leaf_counters.hpp"

namespace reprise::trace_io {

std::size_t LeafCounters::path_after(SiteId predecessor) {
  if (latest_path < paths.size() && paths[latest_path].predecessor == predecessor)
    return latest_path;
  std::size_t path = 0;
  while (path < paths.size() && paths[path].predecessor != predecessor) ++path;
  if (path == paths.size())
    paths.push_back(
        {predecessor, Distribution(communicate.bin_limit(), communicate.rule()), OrderLog()});
  return latest_path = path;
}

void LeafCounters::add_vectors(const EventView& event) {
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    vectors[i].lengths.append(static_cast<std::int64_t>(event.vectors[i].size()));
    for (const auto value : event.vectors[i]) vectors[i].values.append(value);
  }
}

void LeafCounters::add_extras(const EventView& event) {
  polls += event.polls;
  further += event.further;
  bytes += event.bytes;
}

void LeafCounters::append(LeafCounters&& later) {
  for (std::size_t i = 0; i < scalars.size(); ++i) scalars[i].append(later.scalars[i]);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    vectors[i].values.append(later.vectors[i].values);
    vectors[i].lengths.append(later.vectors[i].lengths);
  }
  for (const auto& path : later.paths) {
    ComputePath& own = paths[path_after(path.predecessor)];
    own.compute.merge(path.compute);
    own.order.append(path.order);
  }
  communicate.merge(later.communicate);
  polls += later.polls;
  further += later.further;
  added += later.added;
  bytes += later.bytes;
}

}  // namespace reprise::trace_io
