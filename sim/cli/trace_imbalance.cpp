// SPDX-License-Identifier: MIT
// reprise trace imbalance: where ranks compute unequally long, and what evening it out would save.
#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/cli/experiment_options.hpp"
#include "sim/cli/jobs_option.hpp"
#include "sim/cli/messages.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/replay_progress.hpp"
#include "sim/cli/trace_actions.hpp"
#include "sim/experiment/imbalance.hpp"
#include "sim/processes/usable_cores.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/file/trace_file.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;
using nlohmann::ordered_json;

constexpr const char* kImbalanceFormats = "text|csv|json";
constexpr const char* kKinds[] = {"everything", "loop", "call path", "rank", "over time"};

// Rounded; never a zero with a sign.
double shown(double number, int digits) {
  const double unit = std::pow(10, digits);
  return std::round(number * unit) / unit + 0.0;
}

std::string as_text(const sim::ImbalanceAnswer& answer, const std::string& machine) {
  std::string text = "predicted run time  " + seconds_text(Seconds{answer.predicted}) + " on " +
                     machine + "; " + seconds_text(Seconds{answer.with_means}) +
                     " with every compute time at its mean\n";
  if (answer.rows.empty()) return text + "\nall ranks compute equally long\n";
  if (const auto& all = answer.rows.front();
      all.of == sim::Imbalance::Of::everything && all.is_within_scatter())
    text += formatted(
        "\nover the whole run all ranks compute equally long within %.2g%%: one recording cannot "
        "tell a slower rank\n",
        100 * (all.most / all.mean - 1));
  text += formatted("\n%10s  %7s  %12s  %12s  %8s  of, and how ranks differ\n", "saves s",
                    "saves %", "mean rank s", "slowest s", "rank");
  bool has_loss = false;
  for (const auto& row : answer.rows) {
    const double percent =
        answer.predicted > 0 ? shown(100 * row.saved / answer.predicted, 2) : 0.0;
    has_loss |= percent < 0;
    text += formatted("%10.6f  %6.2f%%  %12.6f  %12.6f  %8s  ", shown(row.saved, 6), percent,
                      row.mean, row.most,
                      row.is_within_scatter() ? "-" : std::to_string(row.slowest.value).c_str()) +
            row.what + (row.pattern.empty() ? "" : "; " + row.pattern) + "\n";
  }
  text +=
      "\nEach row is one replay with only that balanced: savings do not add up. Those of call "
      "paths, "
      "loops and ranks are of the run with means.\n";
  if (has_loss)
    text +=
        "A row below zero makes the run longer: ranks that compute less than the mean there get "
        "more to compute, and others wait for them.\n";
  if (const auto& other = answer.other_sharing)
    text += "note: by network " + std::string(name_of(other->network)) + " the run takes " +
            seconds_text(Seconds{other->predicted}) +
            formatted(
                ", and the first row saves %.2f%% of it: what balancing saves depends "
                "strongly on how messages share links\n",
                100 * other->saved / other->predicted);
  return text;
}

ordered_json rows_of(const sim::ImbalanceAnswer& answer) {
  auto rows = ordered_json::array();
  for (const auto& row : answer.rows)
    rows.push_back(
        {{"of", kKinds[static_cast<std::size_t>(row.of)]},
         {"what", row.what},
         {"site", row.site == trace_io::kNoSite ? ordered_json() : ordered_json(row.site)},
         {"mean_s", row.mean},
         {"most_s", row.most},
         {"slowest_rank", row.slowest.value},
         {"scatter_s", row.scatter},
         {"told", !row.is_within_scatter()},
         {"pattern", row.pattern},
         {"saved_s", row.saved}});
  return rows;
}

ordered_json json_of(const sim::ImbalanceAnswer& answer) {
  ordered_json json{{"format", 1},
                    {"predicted_time_s", answer.predicted},
                    {"with_means_s", answer.with_means},
                    {"imbalances", rows_of(answer)}};
  if (const auto& other = answer.other_sharing)
    json["other_sharing"] = {{"network", name_of(other->network)},
                             {"predicted_time_s", other->predicted},
                             {"saved_s", other->saved}};
  return json;
}

}  // namespace

int trace_imbalance(const Arguments& arguments) {
  Syntax syntax{
      "trace imbalance",
      "reprise trace imbalance FILE [OPTIONS]",
      "Finds load imbalance: the call paths, loops and ranks ordered by the time saved "
      "if all ranks took the mean there.\nWhere ranks take different call paths, the mean "
      "is that of their sums in each loop.\nEach is one replay, on the machine of "
      "--platform or of the recording.",
      po::options_description("options"),
      {"FILE"}};
  syntax.options.add_options()("most",
                               po::value<std::string>()->value_name("N")->default_value("8"),
                               "number of call paths, loops and ranks to try, largest first");
  add_jobs_option(syntax.options,
                  "concurrent replays (default: the cores that this process may use)");
  add_experiment_options(syntax.options);
  syntax.works_long = true;
  add_output_options(syntax.options, kImbalanceFormats);
  const auto values = parse(syntax, arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, syntax.verb, kImbalanceFormats);
  auto experiment = experiment_of(*values, syntax.verb);
  const auto most = whole_number(*values, "most", 1, 1000);
  const auto jobs = jobs_of(*values, sim::usable_cores());
  const auto trace = trace_io::load(experiment.trace_path);
  experiment.trace = &trace;
  sim::set_machine(experiment, values->count("platform")
                                   ? std::optional((*values)["platform"].as<std::string>())
                                   : std::nullopt);
  ProgressLine line(stderr, progress_place(), steady_now);
  // Call paths, loops and ranks, MOST of each, and everything: fewer where there are not so many.
  ReplayProgress progress(line, trace_io::summarise(trace).operations, 3 * most + 1, detail);
  experiment.settings.watch = &progress;
  const auto answer = sim::find_imbalance(experiment, most, jobs);
  line.clear();
  if (format == "csv")
    write_output(*values, csv_text(rows_of(answer)));
  else if (format == "json")
    write_output(*values, json_text(json_of(answer)));
  else
    write_output(*values, as_text(answer, experiment.is_recorded_machine
                                              ? "the recorded machine"
                                              : (*values)["platform"].as<std::string>()));
  return kDone;
}

}  // namespace reprise::cli
