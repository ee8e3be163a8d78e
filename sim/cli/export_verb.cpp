// SPDX-License-Identifier: MIT
// reprise export: a trace in the words of other tools.
#include <cstdio>
#include <filesystem>
#include <limits>

#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/export/ti_export.hpp"
#include "sim/export/timeline/timeline_export.hpp"
#include "sim/mpip/write.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/printable.hpp"
#include "sim/validation/record_report.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/file/trace_file.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;

Syntax syntax() {
  Syntax s{"export",
           "reprise export FILE -o TO [OPTIONS]",
           "Writes a trace in the words of other tools:\n"
           "  ti    SimGrid's time-independent traces, one text file per rank, for `smpirun "
           "-replay FOLDER/ti.txt`. What they\n"
           "        cannot say is named; where it changes the run the export is refused, unless "
           "--lossy.\n"
           "  mpip  the report that mpiP would have written of the recorded run; `reprise replay "
           "--mpip` writes that of a\n"
           "        simulated one.\n"
           "  otf2  an OTF2 archive of every call at its recorded time, for Vampir and others\n"
           "  prv   a Paraver trace of the same, with its .pcf and .row",
           po::options_description("options"),
           {"FILE"}};
  s.options.add_options()(
      "output,o", po::value<std::string>()->value_name("TO"),
      "where to: for ti and otf2 a folder, which is made, for mpip a file or -, for prv NAME.prv")(
      "format", po::value<std::string>()->value_name("ti|mpip|otf2|prv")->default_value("ti"),
      "what is written")("flops-per-second",
                         po::value<std::string>()->value_name("N")->default_value("1e9"),
                         "speed of the hosts on which computing takes as long as recorded")(
      "deltas", deltas_value(), "how recorded compute times are written out, as in reprise replay")(
      "seed", po::value<std::string>()->value_name("N")->default_value("1"),
      "of the draws of --deltas sample")("lossy", "export also what changes by it")(
      "size-limit", po::value<std::string>()->value_name("BYTES")->default_value("2 GB"),
      "larger timelines (otf2, prv) are refused");
  return s;
}

int export_mpip(const po::variables_map& values, const std::string& path) {
  const auto trace = trace_io::load(path);
  const auto to = values["output"].as<std::string>();
  const auto record = sim::validation::record_of(trace);
  if (!record.times_mean_nothing.empty())
    std::fprintf(stderr, "reprise: warning: the report's times are no wall times: %s\n",
                 record.times_mean_nothing.c_str());
  const auto folder = std::filesystem::absolute(to).parent_path().string();
  write_output(values, sim::mpip::write_report(
                           sim::validation::report_of(record, to == "-" ? "-" : folder)));
  return kDone;
}

int export_timeline(const po::variables_map& values, const std::string& path,
                    const std::string& format) {
  sim::TimelineSettings settings;
  settings.deltas = deltas(values);
  settings.seed = whole_number(values, "seed", 0, std::numeric_limits<std::uint64_t>::max());
  settings.most_bytes = static_cast<std::uint64_t>(
      parse_bytes(values["size-limit"].as<std::string>(), "--size-limit").value);
  const auto trace = trace_io::load(path);
  const auto summary = sim::export_timeline(
      trace, path, format == "otf2" ? sim::TimelineFormat::otf2 : sim::TimelineFormat::prv,
      settings, values["output"].as<std::string>());
  for (const auto& [what, count] : summary.losses)
    std::fprintf(stderr, "reprise: note: %s: %s\n", printable(what).c_str(),
                 grouped(count).c_str());
  std::fprintf(stderr, "reprise: exported %s of %s: %s\n",
               counted(summary.calls, "MPI call").c_str(),
               counted(static_cast<std::uint64_t>(trace.header.ranks), "rank").c_str(),
               summary.path.c_str());
  return kDone;
}

// A line for each call: before it takes the disk, how much that will be.
void warn_of_size(std::uint64_t calls) {
  constexpr std::uint64_t kMany = 100'000'000;
  constexpr double kLine = 16;  // bytes, about
  if (calls > kMany)
    std::fprintf(stderr, "reprise: %s, a line each: about %s\n", counted(calls, "MPI call").c_str(),
                 formatted("%.0f GB", static_cast<double>(calls) * kLine / 1e9).c_str());
}

int run(const Arguments& arguments) {
  const auto values = parse(syntax(), arguments);
  if (!values) return kDone;
  const auto path = required(*values, "export", "FILE");
  const auto format = choice(*values, "format", {"ti", "mpip", "otf2", "prv"});
  const bool is_mpip = format == "mpip";
  if (!values->count("output") || (*values)["output"].as<std::string>().empty())
    throw InputError(
        "reprise export", "-o is missing",
        is_mpip ? "name the report to write: -o FILE" : "name the folder to write to: -o FOLDER");
  if (is_mpip) return export_mpip(*values, path);
  if (format != "ti") return export_timeline(*values, path, format);
  sim::TiSettings settings;
  settings.flops_per_second = flops_per_second(*values);
  settings.deltas = deltas(*values);
  settings.seed = whole_number(*values, "seed", 0, std::numeric_limits<std::uint64_t>::max());
  settings.lossy = values->count("lossy") > 0;
  const auto trace = trace_io::load(path);
  warn_of_size(trace_io::summarise(trace).operations);
  const auto summary = sim::export_ti(trace, path, settings, (*values)["output"].as<std::string>());
  for (const auto& [what, loss] : summary.losses)
    std::fprintf(stderr, "reprise: %s: %s: %s\n",
                 loss.severity == trace_io::Severity::notice ? "note" : "warning",
                 printable(what).c_str(), grouped(loss.count).c_str());
  std::fprintf(stderr, "reprise: exported %s of %s: %s\n", counted(summary.lines, "line").c_str(),
               counted(static_cast<std::uint64_t>(trace.header.ranks), "rank").c_str(),
               summary.index.c_str());
  return kDone;
}

}  // namespace

const Verb kExportVerb = {"export", "a trace in the words of other tools", run};

}  // namespace reprise::cli
