// SPDX-License-Identifier: MIT
#include "sim/validation/record_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "sim/validation/mpip_rules.hpp"

namespace reprise::sim::validation {
namespace {

constexpr std::size_t kMostRows = 20;  // of mpiP's "top twenty"
constexpr double kMilliseconds = 1e3;

mpip::Printed printed(double value) { return {value, 0}; }
double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

enum class Volume { none, sent, input_output, one_sided };
Volume volume_of(ByteRule rule) {
  switch (rule) {
    case ByteRule::none:
    case ByteRule::unknown:
      return Volume::none;
    case ByteRule::input_output:
      return Volume::input_output;
    case ByteRule::one_sided:
    case ByteRule::one_sided_both_ways:
      return Volume::one_sided;
    default:
      return Volume::sent;
  }
}

// The call sites that mpiP lists: those it times, in the order of their names.
struct ListedSite {
  const CallPlace& place;
  const std::map<std::int32_t, SiteRecord>& ranks;
  std::int32_t id;
  Volume volume;
  SiteRecord all{};  // over ranks
};

std::vector<ListedSite> listed(const RunRecord& record) {
  std::vector<ListedSite> sites;
  for (const auto& [place, ranks] : record.sites) {
    const auto operation = mpip_operation(place.operation);
    if (!operation) continue;
    sites.push_back(
        {place, ranks, static_cast<std::int32_t>(sites.size() + 1), volume_of(operation->bytes)});
    for (const auto& [rank, one] : ranks) sites.back().all += one;
  }
  return sites;
}

// mpiP has dates here, which neither a trace nor a replay knows: what stands there must not look like one.
std::string start_text(const RunRecord& record) {
  return record.is_replay ? "none (a simulated run)" : "none (a trace has no date)";
}

std::string stop_text(double longest_s) {
  char text[64];
  std::snprintf(text, sizeof text, "%.6f s after the start", longest_s);
  return text;
}

double all_of(const std::vector<double>& each) {
  return std::accumulate(each.begin(), each.end(), 0.0);
}

// What no report of mpiP has: which part of the times no clock of the rank's has measured like that.
void add_remarks(const RunRecord& record,
                 std::vector<std::pair<std::string, std::string>>& header) {
  char text[160];
  const double preempted = all_of(record.preempted_s);
  if (preempted > 0) {
    const auto most = std::ranges::max_element(record.preempted_s);
    std::snprintf(text, sizeof text,
                  "%.3g s of AppTime, in which others had ranks' cores (rank %d: %.3g s)",
                  preempted, static_cast<int>(most - record.preempted_s.begin()), *most);
    header.emplace_back("Preempted", text);
  }
  double inside = 0;
  for (const auto& [place, ranks] : record.sites)
    for (const auto& [rank, one] : ranks) inside += one.time_s.total;
  if (record.levelled_s <= 0 || inside <= 0) return;
  std::snprintf(text, sizeof text, "%.3g %% of MPI time, which the trace has as means of its ranks",
                percent(record.levelled_s, inside));
  header.emplace_back("Levelled over ranks", text);
}

class ReportOf {
 public:
  ReportOf(const RunRecord& record, const std::string& folder)
      : sites_(listed(record)), app_s_(record.app_s) {
    for (std::size_t rank = 0; rank < app_s_.size(); ++rank)
      app_s_[rank] += record.preempted_s[rank];
    const double longest = app_s_.empty() ? 0 : *std::max_element(app_s_.begin(), app_s_.end());
    report_.command = record.command;
    report_.header = {{"Version", "3.5.0"},
                      {"MPIP Build date", "written by reprise"},
                      {"Start time", start_text(record)},
                      {"Stop time", stop_text(longest)},
                      {"Timer Used", record.clock},
                      {"MPIP env var", "[null]"},
                      {"Collector Rank", "0"},
                      {"Collector PID", "0"},
                      {"Final Output Dir", folder},
                      {"Report generation", "Single collector task"}};
    add_remarks(record, report_.header);
    report_.hosts = record.hosts;
  }

  mpip::Report run() {
    add_tasks();
    for (const auto& site : sites_) add_site(site);
    add_aggregate_time();
    report_.aggregate_sent = aggregate(Volume::sent);
    report_.aggregate_io = aggregate(Volume::input_output);
    report_.aggregate_rma = aggregate(Volume::one_sided);
    for (const auto& site : sites_) {
      add_site_time(site);
      add_site_size(site);
    }
    return std::move(report_);
  }

 private:
  void add_tasks() {
    mpi_s_.resize(app_s_.size());
    for (const auto& site : sites_)
      for (const auto& [rank, one] : site.ranks)
        mpi_s_[static_cast<std::size_t>(rank)] += one.time_s.total;
    for (std::size_t rank = 0; rank < mpi_s_.size(); ++rank) {
      const double app = app_s_[rank], mpi = mpi_s_[rank];
      report_.tasks[static_cast<std::int32_t>(rank)] = {printed(app), printed(mpi),
                                                        percent(mpi, app)};
      all_app_s_ += app;
      all_mpi_s_ += mpi;
    }
    report_.all_tasks =
        mpip::TaskTime{printed(all_app_s_), printed(all_mpi_s_), percent(all_mpi_s_, all_app_s_)};
  }

  void add_site(const ListedSite& site) {
    auto& into = report_.sites[site.id];
    into.operation = site.place.operation;
    const auto& place = site.place;
    if (place.file.empty())
      into.frames.push_back({"0x0", 0, "[unknown]", false});
    else
      into.frames.push_back({place.file, static_cast<std::int32_t>(place.line),
                             place.function.empty() ? "[unknown]" : place.function, true});
  }

  // The sites by what they have of something, most first; those that have nothing are left out.
  template <class Amount>
  std::vector<const ListedSite*> first_twenty(Amount amount) const {
    std::vector<const ListedSite*> order;
    for (const auto& site : sites_)
      if (amount(site) > 0) order.push_back(&site);
    std::stable_sort(order.begin(), order.end(),
                     [&](const auto* a, const auto* b) { return amount(*a) > amount(*b); });
    order.resize(std::min(order.size(), kMostRows));
    return order;
  }

  // Standard deviation over mean of what the ranks have in all their calls.
  static double variation(const ListedSite& site) {
    const auto n = static_cast<double>(site.ranks.size());
    if (site.ranks.size() < 2) return 0;
    const double mean = site.all.time_s.total / n;
    double squares = 0;
    for (const auto& [rank, one] : site.ranks)
      squares += (one.time_s.total - mean) * (one.time_s.total - mean);
    return mean > 0 ? std::sqrt(squares / (n - 1)) / mean : 0;
  }

  void add_aggregate_time() {
    for (const auto* site : first_twenty([](const ListedSite& s) { return s.all.time_s.total; })) {
      const double time = site->all.time_s.total;
      report_.aggregate_time.push_back({site->place.operation, site->id,
                                        printed(time * kMilliseconds), percent(time, all_app_s_),
                                        percent(time, all_mpi_s_), site->all.calls,
                                        variation(*site)});
    }
  }

  std::vector<mpip::AggregateSize> aggregate(Volume volume) const {
    double everything = 0;
    for (const auto& site : sites_)
      if (site.volume == volume) everything += site.all.bytes.total;
    std::vector<mpip::AggregateSize> rows;
    for (const auto* site : first_twenty(
             [&](const ListedSite& s) { return s.volume == volume ? s.all.bytes.total : 0; })) {
      const double bytes = site->all.bytes.total;
      rows.push_back({site->place.operation, site->id, site->all.calls, printed(bytes),
                      printed(bytes / static_cast<double>(site->all.calls)),
                      percent(bytes, everything)});
    }
    return rows;
  }

  void add_site_time(const ListedSite& site) {
    const auto add = [&](std::int32_t rank, const SiteRecord& one, double app_s, double mpi_s) {
      const double mean = one.calls > 0 ? one.time_s.total / static_cast<double>(one.calls) : 0;
      report_.site_time.push_back(
          {site.place.operation, site.id, rank, one.calls, printed(one.time_s.most * kMilliseconds),
           printed(mean * kMilliseconds), printed(one.time_s.least * kMilliseconds),
           percent(one.time_s.total, app_s), percent(one.time_s.total, mpi_s)});
    };
    for (const auto& [rank, one] : site.ranks)
      if (one.calls > 0)
        add(rank, one, app_s_[static_cast<std::size_t>(rank)],
            mpi_s_[static_cast<std::size_t>(rank)]);
    add(mpip::kAllRanks, site.all, all_app_s_, all_mpi_s_);
  }

  void add_site_size(const ListedSite& site) {
    if (site.volume == Volume::none || site.all.bytes.total <= 0) return;
    auto& rows = site.volume == Volume::sent           ? report_.site_sent
                 : site.volume == Volume::input_output ? report_.site_io
                                                       : report_.site_rma;
    const auto add = [&](std::int32_t rank, const SiteRecord& one) {
      rows.push_back({site.place.operation, site.id, rank, one.calls, printed(one.bytes.most),
                      printed(one.bytes.total / static_cast<double>(one.calls)),
                      printed(one.bytes.least), printed(one.bytes.total)});
    };
    for (const auto& [rank, one] : site.ranks)
      if (one.bytes.total > 0) add(rank, one);
    add(mpip::kAllRanks, site.all);
  }

  std::vector<ListedSite> sites_;
  std::vector<double> app_s_;  // per rank, by the wall clock
  std::vector<double> mpi_s_;  // per rank
  double all_app_s_ = 0, all_mpi_s_ = 0;
  mpip::Report report_;
};

}  // namespace

mpip::Report report_of(const RunRecord& record, const std::string& folder) {
  return ReportOf(record, folder).run();
}

}  // namespace reprise::sim::validation
