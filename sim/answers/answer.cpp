// SPDX-License-Identifier: MIT
#include "sim/answers/answer.hpp"

#include <algorithm>
#include <map>

#include "sim/answers/platform_variants.hpp"
#include "sim/site_text.hpp"

namespace reprise::sim {
namespace {

std::vector<CallSiteUse> call_sites(const trace_io::Trace& trace, const Observation& watched) {
  std::map<trace_io::SiteId, CallSiteUse> by_site;
  for (const auto& row : watched.calls()) {
    CallSiteUse& use = by_site[row.site];
    ++use.ranks;
    use.account += row.account;
  }
  std::vector<CallSiteUse> uses;
  for (auto& [site, use] : by_site) {
    use.site = site;
    use.procedure = procedure_text(trace, site);
    use.place = place_text(trace, site);
    uses.push_back(std::move(use));
  }
  std::stable_sort(uses.begin(), uses.end(), [](const CallSiteUse& a, const CallSiteUse& b) {
    return a.account.compute + a.account.in_mpi > b.account.compute + b.account.in_mpi;
  });
  return uses;
}

TrafficMatrix matrix_of(const TrafficMeter& traffic) {
  TrafficMatrix matrix;
  const std::size_t size = traffic.matrix_size();
  for (std::size_t cell = 0; cell <= size; ++cell)
    matrix.first_ranks.push_back(traffic.first_rank(cell));
  for (std::size_t from = 0; from < size; ++from)
    for (std::size_t to = 0; to < size; ++to) {
      matrix.bytes.push_back(traffic.cell(from, to).bytes);
      matrix.messages.push_back(traffic.cell(from, to).messages);
    }
  return matrix;
}

TimeLine timeline_of(const TimeBins& seen) {
  TimeLine line;
  line.bin = seen.width();
  line.bins = seen.used_bins();
  for (std::size_t row = 0; row <= seen.row_count(); ++row)
    line.first_ranks.push_back(seen.first_rank(row));
  for (std::size_t row = 0; row < seen.row_count(); ++row) {
    const double whole =
        line.bin.value * static_cast<double>(line.first_ranks[row + 1] - line.first_ranks[row]);
    for (std::size_t bin = 0; bin < line.bins; ++bin) {
      const auto& share = seen.at(row, bin);
      line.shares.push_back(
          {share.compute / whole, share.communication / whole, share.wait / whole});
    }
  }
  return line;
}

Outcome on_ideal_network(const trace_io::Trace& trace, const platforms::Platform& platform,
                         ReplaySettings settings) {
  settings.observation = nullptr;
  settings.network = NetworkKind::uncontended;
  return replay(trace, with_ideal_network(platform), settings);
}

}  // namespace

Watched watched_for(const AnswerParts& parts) {
  return {.calls = parts.call_sites,
          .timeline = parts.timeline,
          .traffic = parts.links || parts.matrix};
}

Answer answer(const trace_io::Trace& trace, const platforms::Platform& platform,
              ReplaySettings settings, const AnswerParts& parts) {
  const bool watches = parts.call_sites || parts.timeline || parts.links || parts.matrix;
  Observation own(watched_for(parts));
  if (settings.observation == nullptr && watches) settings.observation = &own;
  const Observation& watched = settings.observation == nullptr ? own : *settings.observation;
  Answer result;
  result.outcome = replay(trace, platform, settings);
  if (parts.efficiencies)
    result.efficiencies = efficiencies(result.outcome, on_ideal_network(trace, platform, settings));
  if (parts.links) result.link_classes = link_use(watched.traffic(), result.outcome.predicted_time);
  if (parts.sensitivities)
    result.sensitivities = sensitivities(trace, platform, settings, result.outcome);
  if (parts.call_sites) result.call_sites = call_sites(trace, watched);
  if (parts.matrix) result.matrix = matrix_of(watched.traffic());
  if (parts.timeline) result.timeline = timeline_of(watched.timeline());
  return result;
}

}  // namespace reprise::sim
