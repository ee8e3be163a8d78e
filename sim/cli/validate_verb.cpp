// SPDX-License-Identifier: MIT
// reprise validate: a trace against what mpiP measured, or two reports of mpiP against each other.
#include <cstdio>

#include "platforms/catalogue.hpp"
#include "platforms/load.hpp"
#include "platforms/placement.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/simulated_run.hpp"
#include "sim/cli/validation_text.hpp"
#include "sim/engine/replay.hpp"
#include "sim/mpip/read.hpp"
#include "sim/report/validation_page.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/text_file.hpp"
#include "trace-io/file/trace_file.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;
namespace validation = sim::validation;

Syntax syntax() {
  Syntax s{"validate",
           "reprise validate FILE --mpip REPORT [OPTIONS]",
           "Holds a trace against mpiP's report of the same program and input: the calls and bytes "
           "of every operation and call\n"
           "site must be the same, times must agree within a tolerance. FILE may itself be a "
           "report of mpiP (of a live replay,\n"
           "say). With --platform the times are those of a replay there: how far is the prediction "
           "from what mpiP measured?\n"
           "Exit status 0 where all agrees, 1 where something does not.",
           po::options_description("options"),
           {"FILE"}};
  s.options.add_options()("mpip", po::value<std::string>()->value_name("REPORT"),
                          "the report to hold it against, in either of mpiP's forms")(
      "tolerance", po::value<std::string>()->value_name("PERCENT")->default_value("5%"),
      "how far times may be apart, such as 5%")(
      "platform,p", po::value<std::string>()->value_name("PLATFORM"),
      "replay the trace on this platform and compare its times")(
      "placement", po::value<std::string>()->value_name("HOW")->default_value("block"),
      "which ranks share a node, as in reprise replay")(
      "deltas",
      po::value<std::string>()
          ->value_name("mean|distribution|sample")
          ->default_value("distribution"),
      "how recorded compute times are played back, as in reprise replay")(
      "counts-only", "do not compare times: the two runs were not made under the same conditions")(
      "html", po::value<std::string>()->value_name("FILE"),
      "write the verdict and every check as a page as well")(
      "every-check", "list every check, not only those that failed");
  add_output_options(s.options, "text|json");
  return s;
}

// The trace's calls with the times of a replay.
validation::Profile replayed(const std::string& path, const po::variables_map& values) {
  const auto trace = trace_io::load(path);
  const auto platform = platforms::parse_platform(platforms::load_document(platforms::find_platform(
      values["platform"].as<std::string>(), platforms::platform_folders(), "--platform")));
  sim::ReplaySettings settings;
  settings.placement =
      platforms::load_placement(values["placement"].as<std::string>(), platform, "--placement");
  const auto deltas = choice(values, "deltas", {"mean", "distribution", "sample"});
  settings.deltas = deltas == "mean"     ? sim::Deltas::mean
                    : deltas == "sample" ? sim::Deltas::sample
                                         : sim::Deltas::distribution;
  sim::Observation observation({.calls = true});
  settings.observation = &observation;
  const auto outcome = sim::replay(trace, platform, settings);
  return validation::profile_of(simulated_record(trace, outcome, observation, platform.name),
                                path + " replayed on " + platform.name);
}

validation::Profile profile_of_file(const std::string& path, const po::variables_map& values) {
  const auto text = read_text_file(path);
  const bool is_report = text.starts_with("@ mpiP");
  if (values.count("platform")) {
    if (is_report)
      throw InputError(path, "is a report of mpiP: it cannot be replayed on --platform",
                       "name the trace, or leave --platform out");
    return replayed(path, values);
  }
  if (is_report) return validation::profile_of(sim::mpip::read_report(text, path), path);
  return validation::profile_of(validation::record_of(trace_io::load(path)), path);
}

int run(const Arguments& arguments) {
  const auto values = parse(syntax(), arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, "validate", "text|json");
  const auto path = required(*values, "validate", "FILE");
  if (!values->count("mpip"))
    throw InputError("reprise validate",
                     "no --mpip REPORT: there is nothing to hold " + path + " against",
                     "run the program under mpiP and name the .mpiP file that it writes");
  if (values->count("html")) refuse_missing_folder((*values)["html"].as<std::string>());
  validation::ValidationSettings settings;
  settings.time_tolerance = percentage(*values, "tolerance");
  if (values->count("counts-only")) settings.time_tolerance.reset();
  const auto ours = profile_of_file(path, *values);
  const auto report_path = (*values)["mpip"].as<std::string>();
  const auto theirs = validation::profile_of(sim::mpip::load_report(report_path), report_path);
  const auto result = validation::validate(ours, theirs, settings);
  if (values->count("html"))
    write_file((*values)["html"].as<std::string>(), sim::validation_page(result, ours, theirs));
  write_output(*values,
               format == OutputFormat::json
                   ? validation_json(result)
                   : validation_text(result, ours, theirs, values->count("every-check") > 0));
  return result.passed() ? kDone : kFailed;
}

}  // namespace

const Verb kValidateVerb = {"validate", "hold a trace against what mpiP measured", run};

}  // namespace reprise::cli
