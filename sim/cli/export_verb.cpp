// SPDX-License-Identifier: MIT
// reprise export: a trace in the words of other tools.
#include <cstdio>
#include <limits>

#include "sim/cli/options.hpp"
#include "sim/cli/words.hpp"
#include "sim/export/ti_export.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;

Syntax syntax() {
  Syntax s{"export", "reprise export FILE -o FOLDER [OPTIONS]",
           "Writes a trace as SimGrid's time-independent traces, one text file per rank, for `smpirun -replay FOLDER/ti.txt`.\n"
           "What they cannot say is named; where it changes the run the export is refused, unless --lossy.",
           po::options_description("options"), {"FILE"}};
  s.options.add_options()
      ("output,o", po::value<std::string>()->value_name("FOLDER"), "where to; it is made")
      ("format", po::value<std::string>()->value_name("ti")->default_value("ti"), "what is written")
      ("flops-per-second", po::value<std::string>()->value_name("N")->default_value("1e9"),
       "speed of the hosts on which computing takes as long as recorded")
      ("deltas", po::value<std::string>()->value_name("mean|distribution|sample")->default_value("distribution"),
       "how recorded compute times are written out, as in reprise replay")
      ("seed", po::value<std::string>()->value_name("N")->default_value("1"), "of the draws of --deltas sample")
      ("lossy", "export also what changes by it");
  return s;
}

int run(const Arguments& arguments) {
  const auto values = parse(syntax(), arguments);
  if (!values) return kDone;
  const auto path = required(*values, "export", "FILE");
  choice(*values, "format", {"ti"});
  if (!values->count("output") || (*values)["output"].as<std::string>().empty())
    throw InputError("reprise export", "-o is missing", "name the folder to write to: -o FOLDER");
  sim::TiSettings settings;
  settings.flops_per_second = flops_per_second(*values);
  const auto deltas = choice(*values, "deltas", {"mean", "distribution", "sample"});
  settings.deltas = deltas == "mean" ? sim::Deltas::mean : deltas == "sample" ? sim::Deltas::sample : sim::Deltas::distribution;
  settings.seed = whole_number(*values, "seed", 0, std::numeric_limits<std::uint64_t>::max());
  settings.lossy = values->count("lossy") > 0;
  const auto trace = trace_io::load(path);
  const auto summary = sim::export_ti(trace, path, settings, (*values)["output"].as<std::string>());
  for (const auto& [what, loss] : summary.losses)
    std::fprintf(stderr, "reprise: %s: %s: %s\n", loss.severity == trace_io::Severity::notice ? "note" : "warning", what.c_str(),
                 grouped(loss.count).c_str());
  std::fprintf(stderr, "reprise: exported %s of %s: %s\n", counted(summary.lines, "line").c_str(),
               counted(static_cast<std::uint64_t>(trace.header.ranks), "rank").c_str(), summary.index.c_str());
  return kDone;
}

}  // namespace

const Verb kExportVerb = {"export", "a trace in the words of other tools", run};

}  // namespace reprise::cli
