// SPDX-License-Identifier: MIT
// reprise validate: a trace against what mpiP measured, or two reports of mpiP against each other.
#include <cstdio>

#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/validation_text.hpp"
#include "sim/mpip/read.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/text_file.hpp"
#include "trace-io/file/trace_file.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;
namespace validation = sim::validation;

Syntax syntax() {
  Syntax s{"validate", "reprise validate FILE --mpip REPORT [OPTIONS]",
           "Holds a trace against mpiP's report of the same program and input: the calls and bytes of every operation and call\n"
           "site must be the same, times must agree within a tolerance. FILE may itself be a report of mpiP (of a live replay,\n"
           "say). Exit status 0 where all agrees, 1 where something does not.",
           po::options_description("options"), {"FILE"}};
  s.options.add_options()
      ("mpip", po::value<std::string>()->value_name("REPORT"), "the report to hold it against, in either of mpiP's forms")
      ("tolerance", po::value<std::string>()->value_name("PERCENT")->default_value("5%"), "how far times may be apart, such as 5%")
      ("counts-only", "do not compare times: the two runs were not made under the same conditions")
      ("every-check", "list every check, not only those that failed");
  add_output_options(s.options, "text|json");
  return s;
}

double percentage(const po::variables_map& values, const std::string& option) {
  const auto& text = values[option].as<std::string>();
  try {
    std::size_t used = 0;
    const double number = std::stod(text, &used);
    if (number >= 0 && number < 1e6 && text.substr(used) == "%") return number / 100;
  } catch (const std::exception&) {
    // std::stod's way of saying what is said below
  }
  throw InputError("--" + option, "\"" + text + "\" is no percentage", "write it such as 5%");
}

validation::Profile profile_of_file(const std::string& path) {
  const auto text = read_text_file(path);
  if (text.starts_with("@ mpiP")) return validation::profile_of(sim::mpip::read_report(text, path), path);
  return validation::profile_of(validation::record_of(trace_io::load(path)), path);
}

int run(const Arguments& arguments) {
  const auto values = parse(syntax(), arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, "validate", "text|json");
  const auto path = required(*values, "validate", "FILE");
  if (!values->count("mpip"))
    throw InputError("reprise validate", "no --mpip REPORT: there is nothing to hold " + path + " against",
                     "run the program under mpiP and name the .mpiP file that it writes");
  validation::ValidationSettings settings;
  settings.time_tolerance = percentage(*values, "tolerance");
  if (values->count("counts-only")) settings.time_tolerance.reset();
  const auto ours = profile_of_file(path);
  const auto report_path = (*values)["mpip"].as<std::string>();
  const auto theirs = validation::profile_of(sim::mpip::load_report(report_path), report_path);
  const auto result = validation::validate(ours, theirs, settings);
  write_output(*values, format == OutputFormat::json ? validation_json(result)
                                                     : validation_text(result, ours, theirs, values->count("every-check") > 0));
  return result.passed() ? kDone : kFailed;
}

}  // namespace

const Verb kValidateVerb = {"validate", "hold a trace against what mpiP measured", run};

}  // namespace reprise::cli
