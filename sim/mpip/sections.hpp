// SPDX-License-Identifier: MIT
// The sections of a report, one reader each. All take the section's lines after its heading.
// Source of the columns: mpiP 3.5, report.c.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/mpip/lines.hpp"

namespace reprise::sim::mpip {

struct Section {
  std::string title;  // "Callsites: 45"
  std::size_t line = 0;
  std::span<const Line> body;
  const std::string& file;
  bool fixed_point = false;
};

void read_tasks(const Section&, Report&);
void read_task_statistics(const Section&, Report&);
void read_call_sites(const Section&, Report&);
void read_aggregate_time(const Section&, Report&);
std::vector<AggregateSize> read_aggregate_size(const Section&);
std::vector<HistogramLine> read_histogram(const Section&);
void read_site_time(const Section&, Report&);
std::vector<SiteSize> read_site_size(const Section&);
std::vector<SiteOverRanks> read_over_ranks(const Section&);

}  // namespace reprise::sim::mpip
