// SPDX-License-Identifier: MIT
#include "sim/validation/validate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "sim/validation/mpip_rules.hpp"
#include "sim/validation/program_name.hpp"

namespace reprise::sim::validation {
namespace {

using PerRank = std::map<RankNumber, Calls>;

std::string word(const std::string& operation) { return "MPI_" + operation; }

Calls sum(const PerRank& ranks) {
  Calls all;
  for (const auto& [rank, calls] : ranks) all += calls;
  return all;
}

bool knows_ranks(const PerRank& ranks) { return !ranks.contains(mpip::kAllRanks); }

// All sites of one operation, united.
std::map<std::string, PerRank> by_operation(const Profile& profile) {
  std::map<std::string, PerRank> operations;
  for (const auto& [key, ranks] : profile.sites)
    for (const auto& [rank, calls] : ranks) operations[key.operation][rank] += calls;
  return operations;
}

class Comparison {
 public:
  Comparison(const Profile& ours, const Profile& theirs, const ValidationSettings& settings)
      : ours_(ours),
        theirs_(theirs),
        settings_(settings),
        is_live_replay_(ours.is_live_replay() || theirs.is_live_replay()) {}

  Validation run() {
    compare_job();
    for (const auto* profile : {&ours_, &theirs_}) refuse_contradictions(*profile);
    for (const auto* profile : {&ours_, &theirs_})
      for (const auto& name : profile->nested)
        skip("calls", word(name) + " in callbacks",
             "mpiP does not count calls made inside other MPI calls");
    const auto mine = by_operation(ours_), other = by_operation(theirs_);
    std::set<std::string> names;
    for (const auto& [name, ranks] : mine) names.insert(name);
    for (const auto& [name, ranks] : other) names.insert(name);
    for (const auto& name : names) {
      if (!is_comparable(name, mine.contains(name), other.contains(name))) continue;
      static const PerRank none;
      const auto& a = mine.contains(name) ? mine.at(name) : none;
      const auto& b = other.contains(name) ? other.at(name) : none;
      compare_calls(word(name), a, b);
      compare_sites(name);
      compare_operation_time(name, a, b);
    }
    compare_times();
    explain_times();
    tell_of_rounded_bytes();
    return std::move(result_);
  }

 private:
  void check(std::string what, std::string key, double ours, double theirs, bool ok,
             std::string reason = "") {
    result_.checks.push_back(
        {std::move(what), std::move(key), ours, theirs, ok, std::move(reason)});
  }
  void skip(std::string what, std::string key, std::string reason) {
    result_.skipped.push_back({std::move(what), std::move(key), std::move(reason)});
  }

  // A report that was edited, or damaged, need not be wrong in the row that the comparison uses.
  void refuse_contradictions(const Profile& profile) {
    for (const auto& [site, of_ranks, of_all] : profile.contradictions)
      check("report", word(site.operation) + (site.place.empty() ? "" : " ") + site.place,
            static_cast<double>(of_ranks), static_cast<double>(of_all), false,
            profile.source + ": its rows of single ranks add up to " + std::to_string(of_ranks) +
                " calls, its row of all ranks has " + std::to_string(of_all) +
                ": was the report changed or damaged?");
  }

  void compare_job() {
    const bool same = are_one_program(ours_.command, theirs_.command);
    if (!same && is_live_replay_)
      skip("program", ours_.program + " and " + theirs_.program,
           "a live replay can represent any program");
    else
      check("program", ours_.program, 0, 0, same,
            same ? "" : "the report is of \"" + theirs_.program + "\"");
    if (theirs_.ranks == 0 || ours_.ranks == 0)
      return skip("ranks", "", "a concise report does not contain the number of ranks");
    check("ranks", "", ours_.ranks, theirs_.ranks, ours_.ranks == theirs_.ranks);
  }

  bool is_comparable(const std::string& name, bool in_ours, bool in_theirs) {
    const auto operation = mpip_operation(name);
    if (!operation) {
      skip("calls", word(name), "mpiP does not time it, and counts its time as application time");
      return false;
    }
    if (operation->is_poll) {
      skip("calls", word(name), "a poll: the number of calls varies from run to run");
      return false;
    }
    if ((!in_ours || (!in_theirs && is_live_replay_)) &&
        trace_io::procedure_named(word(name)).kind == trace_io::Kind::unmodelled) {
      skip("calls", word(name), "it does not communicate: the trace counts its time as computing");
      return false;
    }
    if (!in_theirs && theirs_.is_cut_to_twenty) {
      skip("calls", word(name), "a concise report lists its first twenty call sites only");
      return false;
    }
    return true;
  }

  // Calls and bytes of an operation or a site: over all ranks, and every rank that differs.
  void compare_calls(const std::string& key, const PerRank& ours, const PerRank& theirs) {
    const auto a = sum(ours), b = sum(theirs);
    check("calls", key, static_cast<double>(a.calls), static_cast<double>(b.calls),
          a.calls == b.calls);
    compare_bytes(key, a, b);
    if (!knows_ranks(ours) || !knows_ranks(theirs)) return;
    std::set<RankNumber> ranks;
    for (const auto& [rank, calls] : ours) ranks.insert(rank);
    for (const auto& [rank, calls] : theirs) ranks.insert(rank);
    for (const auto rank : ranks) {
      const auto mine = ours.contains(rank) ? ours.at(rank) : Calls{},
                 other = theirs.contains(rank) ? theirs.at(rank) : Calls{};
      const std::string place = key + " rank " + std::to_string(rank);
      if (mine.calls != other.calls)
        check("calls", place, static_cast<double>(mine.calls), static_cast<double>(other.calls),
              false);
      if (mine.bytes_known && other.bytes_known && !agree(mine.bytes, other.bytes))
        check("bytes", place, mine.bytes.value, other.bytes.value, false);
    }
  }

  static double rounding(const Measured& a, const Measured& b) {
    return a.uncertainty + b.uncertainty;
  }

  static bool agree(const Measured& a, const Measured& b) {
    // The last digit of either, and what doubles lose in adding up.
    const double slack = rounding(a, b) + 1e-12 * std::max(std::fabs(a.value), std::fabs(b.value));
    return std::fabs(a.value - b.value) <= slack * (1 + 1e-9);
  }

  void compare_bytes(const std::string& key, const Calls& a, const Calls& b) {
    if (!a.bytes_known || !b.bytes_known)
      return skip("bytes", key,
                  "mpiP counts an argument that MPI ignores (with MPI_IN_PLACE, or on ranks other "
                  "than the root)");
    if (a.bytes.value == 0 && b.bytes.value == 0) return;
    check("bytes", key, a.bytes.value, b.bytes.value, agree(a.bytes, b.bytes));
    constexpr double kOneByte = 1;
    if (const double within = rounding(a.bytes, b.bytes); within >= kOneByte)
      result_.checks.back().within = within;
  }

  // Site by site, where both sides could resolve all sites of the operation.
  void compare_sites(const std::string& name) {
    if (is_live_replay_) return;  // its call sites are its own
    std::map<std::string, std::pair<const PerRank*, const PerRank*>> places;
    const auto collect = [&](const Profile& profile, bool is_ours) {
      for (const auto& [key, ranks] : profile.sites)
        if (key.operation == name)
          (is_ours ? places[key.place].first : places[key.place].second) = &ranks;
    };
    collect(ours_, true);
    collect(theirs_, false);
    if (const auto unresolved = places.find(""); unresolved != places.end())
      return skip(
          "calls", word(name),
          lack_of_lines(unresolved->second.first != nullptr, unresolved->second.second != nullptr));
    static const PerRank none;
    const bool all_paired = std::all_of(places.begin(), places.end(), [](const auto& p) {
      return p.second.first && p.second.second;
    });
    for (const auto& [place, sides] : places) {
      const std::string key = word(name) + " " + place;
      if (sides.first && sides.second)
        compare_calls(key, *sides.first, *sides.second);
      else if (!all_paired && same_unpaired_calls(places))
        skip("calls", key,
             std::string("only in ") + (sides.first ? "the trace" : "the report") +
                 ": the two give other lines for the same calls");
      else
        check("calls", key, static_cast<double>(sum(sides.first ? *sides.first : none).calls),
              static_cast<double>(sum(sides.second ? *sides.second : none).calls), false);
    }
  }

  // Which side has calls without file and line, and what would give it them.
  std::string lack_of_lines(bool is_ours, bool is_theirs) const {
    const std::string who = is_ours && is_theirs ? ours_.source + " and " + theirs_.source + " have"
                            : is_ours            ? ours_.source + " has"
                                                 : theirs_.source + " has";
    return who + " call sites without file and line: compared as one (" +
           (is_ours ? "compile the program with -g to compare each)"
                    : "the program has them; was mpiP built without libbfd and libdwarf?)");
  }

  // Lines of a call that spans several can differ between debug readers: then what is left over on both sides is as much.
  static bool same_unpaired_calls(
      const std::map<std::string, std::pair<const PerRank*, const PerRank*>>& places) {
    std::map<std::uint64_t, int> balance;
    for (const auto& [place, sides] : places) {
      if (sides.first && !sides.second) ++balance[sum(*sides.first).calls];
      if (!sides.first && sides.second) --balance[sum(*sides.second).calls];
    }
    return std::all_of(balance.begin(), balance.end(),
                       [](const auto& entry) { return entry.second == 0; });
  }

  bool times_are_comparable() {
    if (!settings_.time_tolerance) return false;
    return ours_.times_mean_nothing.empty() && theirs_.times_mean_nothing.empty();
  }

  void compare_time(const std::string& what, const std::string& key, const Measured& ours,
                    const Measured& theirs) {
    const double difference =
        std::max(0.0, std::fabs(ours.value - theirs.value) - ours.uncertainty - theirs.uncertainty);
    const double error =
        theirs.value > 0 ? difference / theirs.value : (difference > 0 ? 1.0 : 0.0);
    result_.worst_time_error = std::max(result_.worst_time_error, error);
    check(what, key, ours.value, theirs.value, error <= *settings_.time_tolerance);
  }

  void compare_operation_time(const std::string& name, const PerRank& ours, const PerRank& theirs) {
    if (!times_are_comparable()) return;
    const auto a = sum(ours), b = sum(theirs);
    if (std::max(a.time_s.value, b.time_s.value) <
        kShareThatMatters * theirs_.all_ranks.app_s.value)
      return;
    compare_time("time", word(name), a.time_s, b.time_s);
  }

  void compare_times() {
    if (!settings_.time_tolerance) return skip("application time", "", "not asked for");
    for (const auto* side : {&ours_, &theirs_})
      if (!side->times_mean_nothing.empty())
        return skip("application time", "", side->times_mean_nothing);
    compare_time("application time", "all ranks", ours_.all_ranks.app_s, theirs_.all_ranks.app_s);
    compare_time("MPI time", "all ranks", ours_.all_ranks.mpi_s, theirs_.all_ranks.mpi_s);
    if (ours_.times.size() != theirs_.times.size()) return;
    for (std::size_t rank = 0; rank < ours_.times.size(); ++rank)
      compare_time("application time", "rank " + std::to_string(rank), ours_.times[rank].app_s,
                   theirs_.times[rank].app_s);
  }

  // Why times differ that no tolerance would bring together.
  void explain_times() {
    bool any_differs = false, tool_saw_more = false;
    for (const Check& check : result_.checks) {
      const bool is_application = check.what == "application time";
      if (check.ok || !(is_application || check.what == "MPI time" || check.what == "time"))
        continue;
      any_differs = true;
      tool_saw_more = tool_saw_more || (is_application && check.theirs > check.ours);
    }
    if (!any_differs) return;
    if (!ours_.oversubscribed.empty())
      result_.notes.push_back(
          "the recording was oversubscribed (" + ours_.oversubscribed +
          "): times that mpiP measured there contain waiting for a core" +
          (ours_.is_replay ? ", which a replay does not play" : ", which varies from run to run") +
          ", and cannot be compared; use --counts-only");
    if (tool_saw_more && ours_.recorder_s > 0 && !ours_.is_replay) {
      char seconds[32];
      std::snprintf(seconds, sizeof seconds, "%.3g s", ours_.recorder_s);
      result_.notes.push_back(
          "if mpiP measured the recorded run itself, its application time contains the recorder's "
          "work at start and end, which is not in the trace's times: " +
          std::string(seconds) +
          " over all ranks for folding and merging, and measuring its overhead in MPI_Init; "
          "measure times in a run without the recorder, or use --counts-only");
    }
  }

  // Sums that mpiP rounded are equal within their last digit, which hides any smaller difference.
  void tell_of_rounded_bytes() {
    std::size_t compared = 0, rounded = 0;
    double most = 0;
    for (const Check& check : result_.checks) {
      if (check.what != "bytes" || !check.ok) continue;
      ++compared;
      if (check.within <= 0) continue;
      ++rounded;
      most = std::max(most, check.within / std::max(check.ours, check.theirs));
    }
    if (rounded == 0) return;
    char text[256];
    std::snprintf(text, sizeof text,
                  "%zu of %zu comparisons of bytes pass against rounded numbers, because mpiP "
                  "prints three or four significant digits: a difference of up to %.1g %% would "
                  "not be seen there",
                  rounded, compared, 100 * most);
    result_.notes.emplace_back(text);
  }

  const Profile& ours_;
  const Profile& theirs_;
  const ValidationSettings& settings_;
  bool is_live_replay_;
  Validation result_;
};

}  // namespace

bool Validation::passed() const {
  return std::all_of(checks.begin(), checks.end(), [](const Check& check) { return check.ok; });
}

Validation validate(const Profile& ours, const Profile& theirs,
                    const ValidationSettings& settings) {
  return Comparison(ours, theirs, settings).run();
}

}  // namespace reprise::sim::validation
