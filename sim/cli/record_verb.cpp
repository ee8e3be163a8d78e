// SPDX-License-Identifier: MIT
// reprise record: sets the environment of the recorder and runs the program; afterwards names the call sites in the trace.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "sim/cli/file_lock.hpp"
#include "sim/cli/functions_option.hpp"
#include "sim/cli/join_recorded_calls.hpp"
#include "sim/cli/messages.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/order_option.hpp"
#include "sim/cli/record_conclusion.hpp"
#include "sim/cli/record_environment.hpp"
#include "sim/cli/record_plan.hpp"
#include "sim/cli/version.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/model/compute_counters.hpp"
#include "trace-io/model/message_choice.hpp"
#include "trace-io/model/time_pools.hpp"

namespace reprise::cli {
namespace {
namespace fs = std::filesystem;
namespace po = boost::program_options;

Syntax record_syntax() {
  Syntax s{"record",
           "reprise record [OPTIONS] -- mpirun -n N ./app …",
           "Runs an unmodified MPI program under the recorder and writes one compressed trace. Put "
           "it in front of mpirun,\nmpiexec or srun, or behind them (mpirun -n 4 reprise record -- "
           "./app). The program's output and exit status\ndo not change, even if no trace can be "
           "written.",
           po::options_description("options"),
           {}};
  s.options.add_options()("output,o", po::value<std::string>()->value_name("FILE"),
                          "the trace to write (default PROGRAM.RANKS.JOB.reprise)")(
      "force", "overwrite the trace if it exists")(
      "timing", po::value<std::string>()->value_name("stat|histogram|path")->default_value("path"),
      "how the times between and inside calls are stored")(
      "bins", po::value<std::string>()->value_name("K")->default_value("5"),
      "bins of each histogram, 2 … 1000")(
      "histogram",
      po::value<std::string>()->value_name("ward|balanced|balanced_exact")->default_value("ward"),
      "how values are grouped into bins: by least variance (ward), or as the balanced histogram of "
      "Ratn et al. with its original or an exact split")(
      "order", po::value<std::string>()->value_name("SIZE|none")->default_value("8KiB"),
      "bytes of the trace that the order of compute times may take")(
      "completions",
      po::value<std::string>()->value_name("represented|exact")->default_value("represented"),
      "the order in which MPI_Waitany, MPI_Testsome and similar calls completed requests: keep a "
      "few representative phases, or every call")(
      "times", po::value<std::string>()->value_name("pooled:SHARE|each")->default_value("pooled"),
      "where there are many call sites, calls of similar times share them, so that at most SHARE "
      "(1%) of the time is attributed to another call; each: every call keeps its own")(
      "iterations", po::value<std::string>()->value_name("N|none")->default_value("none"),
      "record how the iterations of the main loop differ, in at most N clusters per rank, 1 … 1024 "
      "(64 is a good choice), and one more for each further set of calls that iterations make")(
      "functions", functions_value(), kFunctionsText)(
      "counters",
      po::value<std::string>()
          ->value_name("EVENT,...")
          ->implicit_value(std::string(trace_io::kDefaultCounterEvents)),
      "count events while ranks compute: instructions and cycles of the processor (the default "
      "without EVENT), task-clock, page-faults, context-switches and cpu-migrations of the kernel")(
      "messages", po::value<std::string>()->value_name("WHICH")->default_value("none"),
      "sample message times, from the start of the send to the end of the receive: sample:1% picks "
      "at random, counter:64~8 one in 64, timer:1ms~100us the first send after that time; append "
      ",size=1KiB..1MiB to limit the size")(
      "clock", po::value<std::string>()->value_name("wall|cpu")->default_value("wall"),
      "cpu: for more ranks than cores; leaves out sleep between MPI calls")(
      "depth", po::value<std::string>()->value_name("N")->default_value("16"),
      "frames kept per call path, 1 … 64")(
      "no-compensation", "do not subtract the recorder's estimated overhead from compute times")(
      "no-symbols", "do not look up function names and lines after the run")(
      "print-env", "print the environment and the command, and exit");
  return s;
}

// Whether WORD, such as "--bins" or "-o", is an option whose value is the next word.
bool takes_value(const Syntax& record_syntax, const std::string& word) {
  using namespace po::command_line_style;
  return std::ranges::any_of(record_syntax.options.options(), [&](const auto& option) {
    return option->semantic()->min_tokens() > 0 &&
           (word == "--" + option->long_name() ||
            word == option->canonical_display_name(allow_dash_for_short));
  });
}

// Splits at "--", or at the first word that is not an option of ours.
void split(const Arguments& all, Arguments& own, Arguments& command) {
  const Syntax described = record_syntax();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == "--") return command.assign(all.begin() + static_cast<long>(i) + 1, all.end());
    if (!all[i].starts_with("-"))
      return command.assign(all.begin() + static_cast<long>(i), all.end());
    own.push_back(all[i]);
    if (takes_value(described, all[i]) && i + 1 < all.size()) own.push_back(all[++i]);
  }
}

std::string messages_of(const po::variables_map& values, const std::string& clock) {
  auto text = values["messages"].as<std::string>();
  if (text == "none") return text;
  if (!trace_io::message_choice_of(text))
    throw InputError("--messages", "\"" + text + "\" does not select messages",
                     std::string("write none, ") + trace_io::kMessageChoiceForms);
  if (clock != "wall")
    throw InputError("--messages", "message times are wall-clock times, but --clock is cpu",
                     "record twice: one run for each");
  return text;
}

std::string times_of(const po::variables_map& values) {
  auto text = values["times"].as<std::string>();
  if (!trace_io::pooled_share_of(text))
    throw InputError("--times", "\"" + text + "\" does not say which calls keep their times",
                     std::string("write ") + trace_io::kPooledForms);
  return text;
}

std::string counters_of(const po::variables_map& values) {
  if (values.count("counters") == 0) return "";
  auto text = values["counters"].as<std::string>();
  if (!trace_io::counter_events_named(text))
    throw InputError("--counters", "\"" + text + "\" are not events that can be counted",
                     std::string("write ") + trace_io::kCounterEventForms);
  return text;
}

RecordSettings plan_settings(const po::variables_map& values) {
  RecordSettings settings;
  if (values.count("output")) settings.output = values["output"].as<std::string>();
  settings.force = values.count("force") > 0;
  settings.timing = choice(values, "timing", {"stat", "histogram", "path"});
  settings.histogram = choice(values, "histogram", {"ward", "balanced", "balanced_exact"});
  settings.order = values["order"].as<std::string>();
  order_budget_of(settings.order);  // refused here, not by every rank
  settings.completions = choice(values, "completions", {"represented", "exact"});
  settings.times = times_of(values);
  if (values["iterations"].as<std::string>() != "none")
    settings.iterations = whole_number(values, "iterations", 1, trace_io::kMostClusters);
  settings.functions = functions(values);
  settings.counters = counters_of(values);
  settings.clock = choice(values, "clock", {"wall", "cpu"});
  settings.messages = messages_of(values, settings.clock);
  settings.compensate = values.count("no-compensation") == 0;
  settings.bins = whole_number(values, "bins", 2, 1000);
  settings.depth = whole_number(values, "depth", 1, 64);
  return settings;
}

std::vector<fs::path> recorder_folders() {
  const auto bin = fs::canonical("/proc/self/exe").parent_path();
  const auto installed = bin / kLibraryFolderFromBin, built = bin / ".." / "lib";
  return installed.lexically_normal() == built.lexically_normal() ? std::vector{built}
                                                                  : std::vector{installed, built};
}

int record(const RecordPlan& plan, bool with_symbols) {
  if (plan.is_rank) become(plan.command, plan.environment);
  std::optional<FileLock> lock;
  if (!plan.output.empty()) lock.emplace(plan.output.string());
  fs::remove(plan.output);  // with --force; else there is none
  if (plan.traces_calls) remove_calls_beside(plan.output);
  if (plan.sanitized)
    note("ASAN_OPTIONS has verify_asan_link_order=0 in this run: " + *plan.sanitized +
         " is built with -fsanitize=address, which ends programs behind a preloaded library");
  const int status = run_child(plan.command, plan.environment);
  conclude_recording(plan.output, plan.traces_calls, with_symbols, status);
  return status;
}

int run_record(const Arguments& arguments) {
  Arguments own, command;
  split(arguments, own, command);
  auto values = parse(record_syntax(), own);
  if (!values) return kDone;
  const Arguments of_environment = options_of_environment(*values);
  own.insert(own.begin(), of_environment.begin(), of_environment.end());
  values = parse(record_syntax(), own);
  RecordSettings settings;
  try {
    settings = plan_settings(*values);
  } catch (const InputError& error) {
    throw naming_the_variable(error, of_environment);
  }
  if (command.empty())
    throw InputError("reprise record", "no program to run",
                     "usage: reprise record [OPTIONS] -- mpirun -n N ./app …");
  settings.compresses_afterwards = values->count("print-env") == 0;
  const auto plan = plan_recording(settings, command, recorder_folders());
  if (!values->count("print-env")) return record(plan, !values->count("no-symbols"));
  std::fputs(plan_text(plan).c_str(), stdout);
  return kDone;
}

}  // namespace

const Verb kRecordVerb = {"record", "run an MPI program and write its trace", run_record};

}  // namespace reprise::cli
