// SPDX-License-Identifier: MIT
// The two calls that a path between calls leads from and to, of a row of a table that ascends by them: the site by its distance from the row
// before, the predecessor by that from the site, 0 without one.
#pragma once

#include <cstdint>
#include <string>

#include "trace-io/file/payload_tables.hpp"

namespace reprise::trace_io {

// `Row` has `site` and `predecessor`; `before`: the site of the row before, at first 0. Refuses sites that TRACE does not have.
template <class Io, class Row>
void describe_path_ends(Io& io, Column column, const Trace& trace, Row& row,
                        std::uint64_t& before) {
  const std::uint64_t site = before + io.number(column, std::uint64_t{row.site} - before);
  before = site;
  const std::uint64_t from =
      io.number(column, row.predecessor == kNoSite
                            ? 0
                            : 1 + zigzag(std::int64_t{row.predecessor} - std::int64_t{row.site}));
  if constexpr (Io::kReads) {
    const auto site_at = [&](std::uint64_t number) {
      if (number >= trace.sites.size())
        io.refuse(column, "a site that does not exist, there are " +
                              std::to_string(trace.sites.size()) + " sites");
      return static_cast<SiteId>(number);
    };
    row.site = site_at(site);
    if (from > 0) row.predecessor = site_at(site + static_cast<std::uint64_t>(unzigzag(from - 1)));
  }
}

}  // namespace reprise::trace_io
