// SPDX-License-Identifier: MIT
// reprise trace: info, dump, check, functions, calls, counters, iterations, imbalance, memory, messages, at, diff, salvage, assemble.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>

#include "sim/cli/messages.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/trace_actions.hpp"
#include "sim/symbols/symbolise.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"
#include "trace-io/base/text_file.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/file/finish_times.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/model/end_groups.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::cli {
namespace {
namespace fs = std::filesystem;
namespace po = boost::program_options;

Syntax syntax(const std::string& action, const std::string& operand, const std::string& explanation,
              const std::string& formats) {
  Syntax s{"trace " + action,
           "reprise trace " + action + " " + operand + " [OPTIONS]",
           explanation,
           po::options_description("options"),
           {operand}};
  add_output_options(s.options, formats);
  return s;
}

Syntax trace_making_syntax(const std::string& action, const std::string& operand,
                           const std::string& explanation) {
  Syntax s{"trace " + action,
           "reprise trace " + action + " " + operand + " -o FILE",
           explanation,
           po::options_description("options"),
           {operand}};
  add_trace_options(s.options);
  return s;
}

int info(const Arguments& arguments) {
  Syntax s = syntax("info", "FILE",
                    "Shows what was recorded: program, ranks, run time, the calls of each MPI "
                    "procedure, what the recorder took, and\nwhat was lost.",
                    "text|json");
  s.options.add_options()(
      "verbose,v", "also show how times are stored, and each part of what the recorder took");
  const auto values = parse(s, arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, "trace info", "text|json");
  const auto path = required(*values, "trace info", "FILE");
  const auto trace = trace_io::load(path);
  const auto bytes = fs::file_size(path);
  const auto times = trace_io::load_finish_times(path);
  write_output(*values, format == "json"
                            ? info_json(trace, bytes, times)
                            : info_text(trace, bytes, times, values->count("verbose") > 0));
  return kDone;
}

int dump(const Arguments& arguments) {
  const auto values = parse(syntax("dump", "FILE",
                                   "Prints the whole trace as text, with loops as loops. "
                                   "trace-io/text/SYNTAX.md describes the text form.",
                                   "text"),
                            arguments);
  if (!values) return kDone;
  output_format(*values, "trace dump", "text");
  write_output(*values, trace_io::dump(trace_io::load(required(*values, "trace dump", "FILE"))));
  return kDone;
}

int check_trace(const Arguments& arguments) {
  Syntax s =
      syntax("check", "FILE",
             "Checks that the calls and messages of a trace are readable and consistent. Exit "
             "status 0 if they are, 1 if\nproblems were found. What the recording or the "
             "imported file lacks is listed as well; it is no inconsistency.\nIf other "
             "processes disturbed the recording, so that its times are not the program's, a "
             "note says so.",
             "text|json");
  s.options.add_options()(
      "strict", "exit status 1 also for a trace that does not represent the whole program");
  const auto values = parse(s, arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, "trace check", "text|json");
  const auto path = required(*values, "trace check", "FILE");
  const auto trace = trace_io::load(path);
  const auto findings = trace_io::check(trace);
  const auto is_inconsistent = std::mem_fn(&trace_io::Finding::is_inconsistency);
  const auto is_lack = [](const trace_io::Finding& finding) {
    return finding.is_loss() && finding.severity != trace_io::Severity::notice;
  };
  const bool lacks =
      values->count("strict") > 0 && std::any_of(findings.begin(), findings.end(), is_lack);
  const auto disturbance = disturbance_of(trace);
  write_output(*values, format == "json" ? findings_json(findings, disturbance)
                                         : check_text(path, findings, lacks, disturbance, trace));
  const bool fails = lacks || std::any_of(findings.begin(), findings.end(), is_inconsistent);
  return fails ? kFailed : kDone;
}

int diff(const Arguments& arguments) {
  Syntax s{"trace diff",
           "reprise trace diff FIRST SECOND [OPTIONS]",
           "Compares two traces line by line: loops, calls and their parameters. Times are "
           "compared, too, but do not affect the\nresult. Exit status 0 if the structure is the "
           "same, 1 if it differs.",
           po::options_description("options"),
           {"FIRST", "SECOND"}};
  s.options.add_options()("without-sites",
                          "ignore the source lines of calls: for another build, or a live replay");
  add_output_options(s.options, "text|json");
  const auto values = parse(s, arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, "trace diff", "text|json");
  const auto load = [&](const char* which) {
    const auto path = required(*values, "trace diff", which);
    return NamedTrace{path, trace_io::load(path)};
  };
  const auto first = load("FIRST"), second = load("SECOND");
  const auto difference = compare_traces(first, second, values->count("without-sites") == 0);
  write_output(*values, format == "json" ? difference.json : difference.text);
  return difference.same_structure ? kDone : kFailed;
}

int salvage(const Arguments& arguments) {
  auto s = trace_making_syntax(
      "salvage", "FOLDER",
      "Merges what the ranks of a program that died had saved (FILE.reprise.parts) into one trace, "
      "marked as\nincomplete. If every rank had saved something, calls beyond the point that all "
      "ranks reached are left out,\nso that the trace can be replayed.");
  s.options.add_options()("whole",
                          "keep everything that was saved, even calls that cannot be replayed");
  const auto values = parse(s, arguments);
  if (!values) return kDone;
  const auto folder = required(*values, "trace salvage", "FOLDER");
  require_parts(folder);
  const auto output = new_trace(*values, "trace salvage");
  auto trace = salvage_parts(folder, values->count("whole") > 0);
  symbolise(trace);
  trace_io::save(trace, output);
  if (const auto reached = reached_text(trace); !reached.empty()) note(reached);
  if (!trace.ends.empty())
    for (const std::string& end : trace_io::end_texts(trace)) note(end);
  note("salvaged " + std::to_string(trace.header.recorded.size()) + " of " +
       std::to_string(trace.header.ranks) + " ranks: " + output);
  return kDone;
}

int assemble(const Arguments& arguments) {
  const auto values =
      parse(trace_making_syntax("assemble", "FILE",
                                "Makes a trace from its text form (trace-io/text/SYNTAX.md), "
                                "written by hand or by `reprise trace dump`."),
            arguments);
  if (!values) return kDone;
  const auto path = required(*values, "trace assemble", "FILE");
  const auto output = new_trace(*values, "trace assemble");
  trace_io::save(trace_io::assemble(read_text_file(path), path), output);
  return kDone;
}

struct TraceAction {
  std::string_view name, one_line;
  int (*run)(const Arguments&);
};
constexpr TraceAction kTraceActions[] = {
    {"info", "show what a trace holds", info},
    {"dump", "print it as text", dump},
    {"check", "check that it is consistent", check_trace},
    {"functions", "which functions it computes in", trace_functions},
    {"calls", "show every enter and leave of functions", trace_calls},
    {"counters", "show instructions and cycles of computing", trace_counters},
    {"iterations", "show how the iterations of its main loop differ", trace_iterations},
    {"imbalance", "find load imbalance, and what balancing would save", trace_imbalance},
    {"memory", "estimate the memory traffic of its ranks", trace_memory},
    {"messages", "show how long sampled messages took", trace_messages},
    {"at", "show which call each rank was in at a time", trace_at},
    {"diff", "compare two traces", diff},
    {"salvage", "make a trace from what a program that died had saved", salvage},
    {"assemble", "make a trace from its text form", assemble}};

int run_trace(const Arguments& arguments) {
  std::vector<std::string> names;
  for (const auto& action : kTraceActions) names.emplace_back(action.name);
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h") {
    std::FILE* out = arguments.empty() ? stderr : stdout;
    std::fputs(
        "usage: reprise trace ACTION FILE [OPTIONS]\n"
        "       reprise trace at FILE TIME [OPTIONS]\n"
        "       reprise trace diff FIRST SECOND [OPTIONS]\n"
        "       reprise trace memory FEW MANY --memory-bandwidth RATE [OPTIONS]\n"
        "       reprise trace salvage|assemble FROM -o FILE [OPTIONS]\n\n",
        out);
    for (const auto& action : kTraceActions)
      std::fprintf(out, "  %-12.*s%.*s\n", static_cast<int>(action.name.size()), action.name.data(),
                   static_cast<int>(action.one_line.size()), action.one_line.data());
    std::fputs("\n`reprise trace ACTION --help` lists an action's options.\n", out);
    return arguments.empty() ? kBadUsage : kDone;
  }
  if (arguments[0] == kPrintOptions) {
    for (const auto& action : kTraceActions) {
      std::printf("action\ttrace\t%s\t%s\n", action.name.data(), action.one_line.data());
      action.run(arguments);
    }
    return kDone;
  }
  for (const auto& action : kTraceActions)
    if (action.name == arguments[0]) return action.run({arguments.begin() + 1, arguments.end()});
  const auto nearest = nearest_word(arguments[0], names);
  throw InputError(
      "reprise trace", "no action \"" + arguments[0] + "\"",
      nearest ? "did you mean \"" + *nearest + "\"?"
              : "one of info, dump, check, functions, calls, counters, iterations, imbalance, "
                "memory, messages, at, "
                "diff, salvage, assemble");
}

}  // namespace

const Verb kTraceVerb = {
    "trace", "inspect a trace: info, check, functions, iterations, diff, salvage, …", run_trace};

}  // namespace reprise::cli
