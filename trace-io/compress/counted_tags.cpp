// SPDX-License-Identifier: MIT
#include "trace-io/compress/counted_tags.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "trace-io/model/tag_steps.hpp"

namespace reprise::trace_io {
namespace {

// Steps between tags fit, but for those between the ends of their range, which come out as others.
std::int32_t narrow(std::int64_t step) { return static_cast<std::int32_t>(step); }

}  // namespace

bool CountedTags::begins_to_count(Site& site, const Comm& comm, std::int32_t tag) {
  const std::int32_t step = narrow(tag - comm.changed);
  const bool is_steady = std::exchange(site.step, step) == step;
  const bool is_small = std::abs(step) <= kMostStep;
  const bool is_new = (tag > site.most || tag < site.least) &&
                      std::int64_t{tag} != std::int64_t{site.last} + site.stride;
  if (!is_new || site.telling == Telling::tags_for_good) return false;
  ++site.fresh;
  site.steady += is_steady && is_small && step != 0 ? 1 : 0;
  if (comm.is_counted && is_small) return true;
  return site.fresh >= kManyNew && site.steady * 4 >= site.fresh * 3;
}

void CountedTags::watch(Site& site, bool is_steady) {
  site.fresh = std::max(site.fresh + (is_steady ? -1 : 2), 0);
  if (site.fresh >= kManyWrong) site.telling = Telling::tags_for_good;
}

std::int64_t CountedTags::told(SiteId id, std::int64_t comm_index, std::int64_t tag) {
  if (tag < 0 || tag > kMostTag || comm_index < 0) return tag;
  const auto index = static_cast<std::size_t>(comm_index);
  if (index >= comms_.size()) comms_.resize(index + 1);
  if (id >= sites_.size())
    sites_.resize(std::max<std::size_t>(id + std::size_t{1}, sites_.size() * 2));
  Comm& comm = comms_[index];
  Site& site = sites_[id];
  const auto own = static_cast<std::int32_t>(tag);
  if (site.last < 0) {  // the first call
    site.least = site.most = own;
    const bool is_next = tag >= comm.told && tag - comm.told <= kNextSteps;
    if (comm.is_counted && is_next) site.telling = Telling::steps;
  }
  if (site.last != own) {
    if (site.telling != Telling::steps && site.last >= 0 && begins_to_count(site, comm, own)) {
      site.telling = Telling::steps;
      site.fresh = 0;
      comm.is_counted = true;
    }
    site.least = std::min(site.least, own);
    site.most = std::max(site.most, own);
    site.stride = site.last < 0 ? 0 : narrow(tag - site.last);
    site.last = own;
    comm.changed = tag;
  }
  if (site.telling != Telling::steps) return tag;
  const std::int64_t step = tag - std::exchange(comm.told, tag);
  watch(site, std::exchange(site.step, narrow(step)) == narrow(step));
  return as_tag_step(step);
}

}  // namespace reprise::trace_io
