// SPDX-License-Identifier: MIT
#include "sim/cli/window_options.hpp"

#include <algorithm>

#include "sim/number_ranges.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;

constexpr const char* kOptions[] = {"from", "to", "iterations", "ranks"};

std::string text_of(const po::variables_map& values, const char* option) {
  return values[option].as<std::string>();
}

double time_of(const po::variables_map& values, const char* option) {
  return parse_seconds(text_of(values, option), "--" + std::string(option)).value;
}

trace_io::RankList ranks_of(const std::string& text, std::int32_t ranks) {
  const auto asked = sim::parse_ranges(text, "--ranks");
  if (sim::highest(asked) >= ranks)
    throw InputError("--ranks", "there is no rank " + std::to_string(sim::highest(asked)),
                     "the trace has ranks 0 to " + std::to_string(ranks - 1));
  std::vector<Rank> list;
  for (const auto& range : asked)
    for (std::int64_t rank = range.first; rank <= range.last; ++rank)
      list.push_back(Rank{static_cast<std::int32_t>(rank)});
  return trace_io::RankList::from_ranks(list);
}

}  // namespace

void add_window_options(po::options_description& options) {
  options.add_options()(
      "from", po::value<std::string>()->value_name("TIME"),
      "show the calls and messages of the predicted run from this time on, such as 1.2s")(
      "to", po::value<std::string>()->value_name("TIME"), "… up to this time")(
      "iterations", po::value<std::string>()->value_name("N|N-M"),
      "… in these iterations of the main loop, counted from 0")(
      "ranks", po::value<std::string>()->value_name("LIST"), "… of these ranks, such as 0-63,70");
}

bool has_window(const po::variables_map& values) {
  return std::ranges::any_of(kOptions, [&](const char* one) { return values.count(one) > 0; }) ||
         values.count("at") > 0;
}

sim::WindowQuestion window_of(const po::variables_map& values, std::int32_t ranks) {
  sim::WindowQuestion question;
  question.keeps_loops = true;
  if (values.count("ranks")) question.ranks = ranks_of(text_of(values, "ranks"), ranks);
  const bool has_times = values.count("from") > 0 || values.count("to") > 0,
             has_moment = values.count("at") > 0, has_iterations = values.count("iterations") > 0;
  if (has_times + has_moment + has_iterations > 1)
    throw InputError(has_moment ? "--at" : "--iterations",
                     "cannot be combined with the other options that select a part of the run",
                     "use --from and --to, or --iterations, or --at");
  if (values.count("from")) question.from = time_of(values, "from");
  if (values.count("to")) question.to = time_of(values, "to");
  if (has_times && question.from >= question.to)
    throw InputError("--to",
                     "the window from " + to_text(Seconds{question.from}) + " to " +
                         to_text(Seconds{question.to}) + " is empty",
                     "the end must be after the beginning");
  if (has_moment) question.from = question.to = time_of(values, "at");
  if (has_iterations) {
    const auto asked = sim::parse_ranges(text_of(values, "iterations"), "--iterations");
    if (asked.size() != 1) throw InputError("--iterations", "takes one range", "such as 100-102");
    question.iterations = {static_cast<std::uint64_t>(asked.front().first),
                           static_cast<std::uint64_t>(asked.front().last)};
  }
  return question;
}

}  // namespace reprise::cli
