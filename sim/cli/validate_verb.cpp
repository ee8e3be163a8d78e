// SPDX-License-Identifier: MIT
// reprise validate: a trace against what mpiP measured, or two reports of mpiP against each other.
#include <map>
#include <optional>

#include "sim/cli/messages.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/replay_progress.hpp"
#include "sim/experiment/answer.hpp"
#include "sim/formats/format.hpp"
#include "sim/formats/mpip.hpp"
#include "sim/mpip/read.hpp"
#include "sim/report/validation_page.hpp"
#include "sim/text/disturbance.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/text_file.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/model/time_pools.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;
namespace validation = sim::validation;

Syntax validate_syntax() {
  Syntax s{"validate",
           "reprise validate FILE --mpip REPORT [OPTIONS]",
           "Compares a trace with mpiP's report of the same program and input. Calls and bytes of "
           "every operation and call site\nmust be equal, times must agree within a tolerance. "
           "FILE may also be an mpiP report, of a live replay for example.\nWith --platform the "
           "times are those of a replay on that machine, compared with what mpiP measured.\nExit "
           "status 0 if everything agrees, 1 otherwise.",
           po::options_description("options"),
           {"FILE"}};
  s.works_long = true;
  s.options.add_options()("mpip", po::value<std::string>()->value_name("REPORT"),
                          "the report to compare with, concise or verbose")(
      "tolerance", po::value<std::string>()->value_name("PERCENT")->default_value("5%"),
      "tolerance for times, such as 5%")("platform,p",
                                         po::value<std::string>()->value_name("PLATFORM"),
                                         "replay the trace on this platform and compare its times")(
      "placement", po::value<std::string>()->value_name("HOW")->default_value("block"),
      "which ranks share a node, as in reprise replay")(
      "deltas", deltas_value(), "how recorded compute times are played back, as in reprise replay")(
      "noise", po::value<std::string>()->value_name("recorded|none|FILE")->default_value("none"),
      "what interrupts computing, as in reprise replay; use \"recorded\" if mpiP measured on a "
      "busy machine")("counts-only",
                      "do not compare times, for runs made under different conditions")(
      "html", po::value<std::string>()->value_name("FILE"),
      "also write the verdict and every check as a page")(
      "every-check", "list every check, not only those that failed");
  add_output_options(s.options, "text|json");
  return s;
}

bool is_time(const validation::Check& check) {
  return check.what == "time" || check.what == "application time" || check.what == "MPI time";
}

std::string check_line(const validation::Check& check) {
  const std::string name = check.key.empty() ? check.what : check.what + " of " + check.key;
  const std::string mark = check.ok ? "  ok    " : "  FAIL  ";
  if (!check.reason.empty() || check.what == "program")
    return mark + name + (check.reason.empty() ? "" : ": " + check.reason) + "\n";
  if (is_time(check))
    return mark + name + formatted(": %.6g s, mpiP %.6g s", check.ours, check.theirs) +
           (check.theirs > 0 ? formatted(" (%+.1f %%)", 100 * (check.ours / check.theirs - 1))
                             : "") +
           "\n";
  return mark + name + formatted(": %.12g, mpiP %.12g", check.ours, check.theirs) +
         (check.ok && check.within > 0 ? formatted(" (rounded: equal within %.3g)", check.within)
                                       : "") +
         "\n";
}

// One line for each kind of check, every failure, and what was not compared. With `every_check`, all checks.
std::string validation_text(const validation::Validation& result, const validation::Profile& ours,
                            const validation::Profile& theirs, bool every_check) {
  std::string text =
      ours.source + " against " + theirs.source + ": " + (result.passed() ? "pass" : "FAIL") + "\n";
  struct Tally {
    std::size_t passed = 0, failed = 0;
  };
  std::map<std::string, Tally> tallies;
  for (const auto& check : result.checks)
    ++(check.ok ? tallies[check.what].passed : tallies[check.what].failed);
  for (const auto& [what, tally] : tallies)
    text += formatted("  %-18s %zu of %zu checks pass\n", what.c_str(), tally.passed,
                      tally.passed + tally.failed);
  if (result.worst_time_error > 0)
    text += formatted("  %-18s %.1f %%\n", "worst time error", 100 * result.worst_time_error);
  std::string lines;
  for (const auto& check : result.checks)
    if (every_check || !check.ok) lines += check_line(check);
  if (!lines.empty()) text += "\n" + lines;
  if (!result.skipped.empty()) {
    text += "\nnot compared:\n";
    std::map<std::pair<std::string, std::string>, std::string> keys;  // (what, reason) → keys
    for (const auto& skipped : result.skipped) {
      auto& list = keys[{skipped.what, skipped.reason}];
      if (!skipped.key.empty()) list += (list.empty() ? "" : ", ") + skipped.key;
    }
    for (const auto& [key, list] : keys)
      text += "  " + key.first + (list.empty() ? "" : " of " + list) + ": " + key.second + "\n";
  }
  for (const std::string& note : result.notes) text += "\nnote: " + note + "\n";
  return text;
}

// docs/JSON.md. REPLAY: where one was made.
std::string validation_json(const validation::Validation& result,
                            const std::optional<sim::Answer>& replay) {
  nlohmann::ordered_json answer;
  answer["format"] = 1;
  answer["verdict"] = result.passed() ? "pass" : "fail";
  auto checks = nlohmann::ordered_json::array();
  for (const auto& check : result.checks) {
    nlohmann::ordered_json row = {{"what", check.what},
                                  {"key", check.key},
                                  {"ours", check.ours},
                                  {"mpip", check.theirs},
                                  {"ok", check.ok}};
    if (!check.reason.empty()) row["reason"] = check.reason;
    if (check.within > 0) row["within"] = check.within;
    checks.push_back(std::move(row));
  }
  answer["checks"] = std::move(checks);
  auto skipped = nlohmann::ordered_json::array();
  for (const auto& one : result.skipped)
    skipped.push_back({{"what", one.what}, {"key", one.key}, {"reason", one.reason}});
  answer["skipped"] = std::move(skipped);
  answer["worst_time_error"] = result.worst_time_error;
  if (!result.notes.empty()) answer["notes"] = result.notes;
  if (replay) {
    answer["replay"] = {{"platform", replay->machine},
                        {"placement", replay->placement},
                        {"network", replay->outcome.network}};
    answer["replay"].update(sim::summary_json(*replay));
  }
  return json_text(answer);
}

// A replay on --platform, where there is one.
std::optional<sim::Answer> replay_on_platform(const trace_io::Trace& trace, const std::string& path,
                                              const po::variables_map& values) {
  if (!values.count("platform")) return std::nullopt;
  ProgressLine line(stderr, progress_place(), steady_now);
  ReplayProgress progress(line, trace_io::summarise(trace).operations, 0, detail);
  sim::Experiment experiment;
  experiment.settings.watch = &progress;
  experiment.trace = &trace;
  experiment.trace_path = path;
  experiment.placement = values["placement"].as<std::string>();
  experiment.keeps_placement = true;
  experiment.settings.deltas = deltas(values);
  experiment.noise = values["noise"].as<std::string>();
  sim::set_machine(experiment, values["platform"].as<std::string>());
  return sim::answer(
      experiment, {.details = {}, .rank_calls = true, .other_sharing = false, .progress = false});
}

// What the replay says of itself beside the times that are compared.
std::string limits_of(const sim::Answer& replay) {
  return (replay.band ? "\npredicted run time within " + sim::band_text(*replay.band) + "\n" : "") +
         sim::limits_text(replay);
}

// Times by call site are what the trace has.
std::string remark_on_pools(const trace_io::Trace& trace) {
  if (trace.pools.empty()) return "";
  return "\n" + trace_io::pools_text(trace) +
         ": times by call site are those of the pools (reprise record --times each)\n";
}

// Times of a recording hold what disturbed it; a replay says so itself.
std::optional<std::string> note_on_disturbance(const trace_io::Trace& trace) {
  const auto found = disturbance_of(trace);
  if (!found) return std::nullopt;
  return "the recording was disturbed: " + describe(*found) +
         "; what its ranks lost, and waited for each other meanwhile, is in its times, and not in "
         "those of another run" +
         remedy_of_disturbance(trace);
}

// Options of a replay mean nothing where there is none.
void refuse_replay_options(const po::variables_map& values) {
  for (const char* option : {"placement", "deltas", "noise"})
    if (!values[option].defaulted())
      throw InputError(
          "--" + std::string(option),
          "applies to a replay, but nothing is replayed: the recorded times are compared",
          "name a machine to replay on with --platform");
}

int run_validate(const Arguments& arguments) {
  const auto values = parse(validate_syntax(), arguments);
  if (!values) return kDone;
  if (!values->count("platform")) refuse_replay_options(*values);
  const auto format = output_format(*values, "validate", "text|json");
  const auto path = required(*values, "validate", "FILE");
  if (!values->count("mpip"))
    throw InputError("reprise validate",
                     "no --mpip REPORT: there is nothing to compare " + path + " with",
                     "run the program under mpiP and name the .mpiP file that it writes");
  if (values->count("html")) refuse_unwritable((*values)["html"].as<std::string>());
  validation::ValidationSettings settings;
  settings.time_tolerance = percentage(*values, "tolerance");
  if (values->count("counts-only")) settings.time_tolerance.reset();

  const auto text = read_text_file(path);
  const bool is_report = text.starts_with("@ mpiP");
  if (is_report && values->count("platform"))
    throw InputError(path, "is an mpiP report: it cannot be replayed on --platform",
                     "name the trace, or leave --platform out");
  const auto trace = is_report ? trace_io::Trace() : trace_io::load(path);
  const auto replay = replay_on_platform(trace, path, *values);
  const auto ours = is_report ? validation::profile_of(sim::mpip::read_report(text, path), path)
                    : replay  ? validation::profile_of(sim::run_record_of(*replay),
                                                       path + " replayed on " + replay->platform)
                              : validation::profile_of(validation::record_of(trace), path);
  const auto report_path = (*values)["mpip"].as<std::string>();
  const auto theirs = validation::profile_of(sim::mpip::load_report(report_path), report_path);
  auto result = validation::validate(ours, theirs, settings);
  if (!is_report && !replay)
    if (auto note = note_on_disturbance(trace)) result.notes.push_back(std::move(*note));
  if (values->count("html"))
    write_file((*values)["html"].as<std::string>(), sim::validation_page(result, ours, theirs));
  write_output(*values,
               format == "json"
                   ? validation_json(result, replay)
                   : validation_text(result, ours, theirs, values->count("every-check") > 0) +
                         remark_on_pools(trace) + (replay ? limits_of(*replay) : ""));
  return result.passed() ? kDone : kFailed;
}

}  // namespace

const Verb kValidateVerb = {"validate", "compare a trace with an mpiP report", run_validate};

}  // namespace reprise::cli
