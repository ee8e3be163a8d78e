// SPDX-License-Identifier: MIT
#include "sim/cli/answer_text.hpp"

#include <algorithm>

#include "sim/cli/words.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"

namespace reprise::cli {
namespace {

constexpr std::size_t kShownSites = 20;

struct Part {
  const char* word;
  const char* key;
  bool sim::AnswerParts::*flag;
};
constexpr Part kParts[] = {
    {"efficiencies", "efficiencies", &sim::AnswerParts::efficiencies},
    {"links", "link_classes", &sim::AnswerParts::links},
    {"sensitivities", "sensitivities", &sim::AnswerParts::sensitivities},
    {"call-sites", "call_sites", &sim::AnswerParts::call_sites},
    {"matrix", "matrix", &sim::AnswerParts::matrix},
    {"timeline", "timeline", &sim::AnswerParts::timeline},
};

std::string efficiencies_text(const sim::Efficiencies& e) {
  const auto row = [](const char* name, double value, const char* meaning) {
    return formatted("  %-26s %6.1f%%  %s\n", name, 100 * value, meaning);
  };
  return "\nefficiencies (POP; on an ideal network the run would take " +
         seconds_text(e.ideal_time) + ")\n" +
         row("parallel efficiency", e.parallel, "the ranks' time spent computing") +
         row("  load balance", e.load_balance, "mean computing to most computing") +
         row("  communication efficiency", e.communication, "most computing to run time") +
         row("    serialisation", e.serialisation, "left by waiting for one another") +
         row("    transfer", e.transfer, "left by moving data");
}

std::string links_text(const std::vector<sim::LinkClassUse>& classes) {
  std::string text =
      formatted("\n%24s  %10s  %10s  %14s  %s\n", "links", "busiest", "mean", "bytes", "used");
  for (const auto& use : classes)
    text += formatted("%24s  %9.2f%%  %9.2f%%  %14.0f  %llu of %llu\n", use.name.c_str(),
                      100 * use.busy_share, 100 * use.mean_busy_share, use.bytes,
                      static_cast<unsigned long long>(use.used_links),
                      static_cast<unsigned long long>(use.links));
  return text;
}

std::string sensitivities_text(const std::vector<sim::Sensitivity>& all) {
  std::string text =
      formatted("\n%12s  %22s  %s\n", "sensitivity", "1% more changes time", "costs 5% from");
  for (const auto& one : all) {
    text +=
        formatted("%12s  %+20.3f%%  ", std::string(name_of(one.parameter)).c_str(), one.elasticity);
    text += one.costs_5_percent_at ? formatted("× %.4g", *one.costs_5_percent_at)
                                   : std::string("no factor up to 1024");
    text += one.uncertainty >= 5e-4 ? formatted("  (± %.3f%%)\n", one.uncertainty) : "\n";
  }
  return text;
}

std::string call_sites_text(const std::vector<sim::CallSiteUse>& uses) {
  double all = 0;
  for (const auto& use : uses) all += use.account.compute + use.account.in_mpi;
  std::string text =
      formatted("\n%-40s  %12s  %12s  %13s  %12s  %6s\n", "call site (over all ranks)", "calls",
                "compute s", "communicate s", "wait s", "share");
  for (std::size_t i = 0; i < std::min(uses.size(), kShownSites); ++i) {
    const auto& [site, procedure, place, ranks, a] = uses[i];
    const std::string name = procedure + (place.empty() ? "" : " (" + place + ")");
    text += formatted("%-40s  %12llu  %12.6f  %13.6f  %12.6f  %5.1f%%\n", name.c_str(),
                      static_cast<unsigned long long>(a.calls), a.compute, a.in_mpi - a.wait,
                      a.wait, all > 0 ? 100 * (a.compute + a.in_mpi) / all : 0);
  }
  if (uses.size() > kShownSites)
    text += formatted("(%zu more: --format json or csv)\n", uses.size() - kShownSites);
  return text + "(compute: before the calls of a site, since the call before)\n";
}

std::string ranks_text(const std::vector<std::int32_t>& first, std::size_t at) {
  const auto last = first[at + 1] - 1;
  return first[at] == last ? "rank " + std::to_string(last)
                           : "ranks " + std::to_string(first[at]) + "-" + std::to_string(last);
}

std::string matrix_text(const sim::TrafficMatrix& matrix) {
  const std::size_t size = matrix.first_ranks.size() - 1;
  std::uint64_t bytes = 0, messages = 0;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < matrix.bytes.size(); ++i) {
    bytes += matrix.bytes[i];
    messages += matrix.messages[i];
    pairs += matrix.messages[i] > 0;
  }
  std::string text =
      "\ntraffic             " + counted(bytes, "byte") + " in " + counted(messages, "message") +
      " between " +
      counted(pairs, size < static_cast<std::size_t>(matrix.first_ranks.back()) ? "pair of blocks"
                                                                                : "pair") +
      (pairs == 1 ? "" : " (of " + grouped(matrix.bytes.size()) + ")") + "\n";
  const auto most = static_cast<std::size_t>(
      std::max_element(matrix.bytes.begin(), matrix.bytes.end()) - matrix.bytes.begin());
  if (bytes > 0)
    text += "most traffic        " + ranks_text(matrix.first_ranks, most / size) + " to " +
            ranks_text(matrix.first_ranks, most % size) + ", " +
            counted(matrix.bytes[most], "byte") + "\n";
  return text;
}

std::string timeline_text(const sim::TimeLine& line) {
  std::string text =
      formatted("\n%22s  %9s  %13s  %9s\n", "time s", "compute", "communicate", "wait");
  const std::size_t rows = line.first_ranks.size() - 1,
                    parts = std::min<std::size_t>(10, line.bins);
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t begin = part * line.bins / parts, end = (part + 1) * line.bins / parts;
    sim::TimeBins::Share sum;
    double ranks = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      const double weight = line.first_ranks[row + 1] - line.first_ranks[row];
      ranks += weight;
      for (std::size_t bin = begin; bin < end; ++bin) {
        const auto& share = line.shares[row * line.bins + bin];
        sum += {share.compute * weight, share.communication * weight, share.wait * weight};
      }
    }
    const double whole = ranks * static_cast<double>(end - begin) / 100;
    text += formatted("%10.6f … %9.6f  %8.1f%%  %12.1f%%  %8.1f%%\n",
                      line.bin.value * static_cast<double>(begin),
                      line.bin.value * static_cast<double>(end), sum.compute / whole,
                      sum.communication / whole, sum.wait / whole);
  }
  return text;
}

}  // namespace

Details parse_details(const std::string& list) {
  Details details;
  std::vector<std::string> words{"all"};
  for (const auto& part : kParts) words.emplace_back(part.word);
  const auto ask = [&details](const Part& part) {
    if (details.parts.*part.flag) return;
    details.parts.*part.flag = true;
    details.keys.emplace_back(part.key);
  };
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string word = list.substr(begin, end - begin);
    begin = end + 1;
    const auto* found = std::find_if(std::begin(kParts), std::end(kParts),
                                     [&](const Part& part) { return word == part.word; });
    if (found != std::end(kParts)) {
      ask(*found);
    } else if (word == "all") {
      for (const auto& part : kParts) ask(part);
    } else {
      const auto nearest = nearest_word(word, words);
      throw InputError(
          "--details",
          "\"" + word +
              "\" is none of efficiencies, links, sensitivities, call-sites, matrix, timeline, all",
          nearest ? "did you mean \"" + *nearest + "\"?" : "");
    }
  }
  return details;
}

std::string answer_text(const sim::Answer& answer) {
  std::string text;
  if (answer.efficiencies) text += efficiencies_text(*answer.efficiencies);
  if (answer.link_classes) text += links_text(*answer.link_classes);
  if (answer.sensitivities) text += sensitivities_text(*answer.sensitivities);
  if (answer.call_sites) text += call_sites_text(*answer.call_sites);
  if (answer.matrix) text += matrix_text(*answer.matrix);
  if (answer.timeline) text += timeline_text(*answer.timeline);
  return text;
}

}  // namespace reprise::cli
