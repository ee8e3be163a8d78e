// SPDX-License-Identifier: MIT
#include "trace-io/model/end_groups.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <map>
#include <tuple>
#include <utility>

namespace reprise::trace_io {
namespace {

std::string signal_text(std::int32_t number) {
  static constexpr std::array<std::pair<int, const char*>, 9> kNames = {{{SIGABRT, "SIGABRT"},
                                                                         {SIGBUS, "SIGBUS"},
                                                                         {SIGFPE, "SIGFPE"},
                                                                         {SIGHUP, "SIGHUP"},
                                                                         {SIGILL, "SIGILL"},
                                                                         {SIGINT, "SIGINT"},
                                                                         {SIGSEGV, "SIGSEGV"},
                                                                         {SIGTERM, "SIGTERM"},
                                                                         {SIGXCPU, "SIGXCPU"}}};
  const auto found = std::ranges::find(kNames, number, &std::pair<int, const char*>::first);
  return found == kNames.end() ? "signal " + std::to_string(number) : found->second;
}

std::string ranks_text(const RankList& ranks) {
  return (ranks.size() == 1 ? "rank " : "ranks ") + ranks.text();
}

std::string time_text(Nanoseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g s", time.seconds().value);
  return text;
}

// " for 5.3 s", " for 5.3 s to 5.4 s".
std::string time_text(const EndGroup& group, const char* before) {
  if (group.most.value <= 0) return "";
  const std::string least = time_text(group.least), most = time_text(group.most);
  return before + (least == most ? most : least + " to " + most);
}

bool came_to_finalize(const Trace& trace) {
  return std::ranges::find(trace.procedures, "MPI_Finalize") != trace.procedures.end() &&
         trace.ends.empty();
}

}  // namespace

std::vector<EndGroup> end_groups(const Trace& trace) {
  using Key = std::tuple<std::uint32_t, LastPlace, std::string, std::int32_t>;
  std::map<Key, std::pair<EndGroup, std::vector<Rank>>> groups;
  for (const RecordingEnd& end : trace.ends) {
    const std::string site = end.site == kNoSite ? "" : site_text(trace, end.site);
    const auto [at, is_new] = groups.try_emplace(Key{end.thread, end.place, site, end.signal});
    auto& [group, ranks] = at->second;
    if (is_new) group = {{}, end.thread, end.place, end.site, end.signal, end.time, end.time};
    group.least = std::min(group.least, end.time);
    group.most = std::max(group.most, end.time);
    ranks.push_back(end.rank);
  }
  std::vector<EndGroup> all;
  for (auto& [key, one] : groups) {
    one.first.ranks = RankList::from_ranks(std::move(one.second));
    all.push_back(std::move(one.first));
  }
  std::ranges::stable_sort(all, [](const EndGroup& a, const EndGroup& b) {
    if (a.ranks.size() != b.ranks.size()) return a.ranks.size() > b.ranks.size();
    return a.ranks.front() < b.ranks.front();
  });
  return all;
}

std::string end_text(const Trace& trace, const EndGroup& group) {
  const std::string site = group.site == kNoSite ? "" : site_text(trace, group.site);
  std::string text = ranks_text(group.ranks);
  if (group.thread > 0) text += ", thread " + std::to_string(group.thread);
  switch (group.place) {
    case LastPlace::inside:
      text += " had been in " + (site.empty() ? "an MPI call" : site) + time_text(group, " for ");
      break;
    case LastPlace::polling:
      text += " had polled by " + (site.empty() ? "MPI calls" : site) + time_text(group, " for ") +
              ", in vain,";
      break;
    case LastPlace::outside:
      text += " had been outside MPI" + time_text(group, " for ") +
              (site.empty() ? "" : ", after " + site + ",");
      break;
  }
  const bool is_one = group.ranks.size() == 1;
  if (group.signal == 0)
    return text + (is_one ? " when the process ended" : " when the processes ended") +
           " without MPI_Finalize";
  return text + " when " + signal_text(group.signal) + " ended " + (is_one ? "it" : "them");
}

std::vector<std::string> end_texts(const Trace& trace) {
  std::vector<std::string> texts;
  if (trace.header.complete || came_to_finalize(trace)) return texts;
  std::vector<Rank> known;
  for (const EndGroup& group : end_groups(trace)) texts.push_back(end_text(trace, group));
  for (const RecordingEnd& end : trace.ends)
    if (known.empty() || known.back() != end.rank) known.push_back(end.rank);
  const RankList unknown = trace.header.recorded.minus(RankList::from_ranks(std::move(known)));
  if (!unknown.empty())
    texts.push_back("where " + ranks_text(unknown) + (unknown.size() == 1 ? " was" : " were") +
                    " at the end is not known: nothing was saved after the last snapshot (ended by "
                    "SIGKILL, or while saving)");
  return texts;
}

Nanoseconds longest_hang(const Trace& trace) {
  Nanoseconds longest{};
  for (const RecordingEnd& end : trace.ends)
    if (end.place != LastPlace::outside) longest = std::max(longest, end.time);
  return longest;
}

}  // namespace reprise::trace_io
