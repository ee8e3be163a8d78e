// SPDX-License-Identifier: MIT
// reprise import: other tools' traces as one of ours.
#include <cstdio>

#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/printable.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/import/ti_import.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;

Syntax syntax() {
  Syntax s{"import",
           "reprise import FILE -o FILE.reprise [OPTIONS]",
           "Makes a trace of SimGrid's time-independent traces: FILE is the index that lists one "
           "file per rank (what\n"
           "`smpirun -replay` takes), or a trace file that holds all ranks.",
           po::options_description("options"),
           {"FILE"}};
  add_trace_options(s.options);
  s.options.add_options()("format", po::value<std::string>()->value_name("ti")->default_value("ti"),
                          "what is read")(
      "flops-per-second", po::value<std::string>()->value_name("N")->default_value("1e9"),
      "speed of the hosts that the flops were counted for")(
      "bins", po::value<std::string>()->value_name("K")->default_value("5"),
      "of the distributions of compute times");
  return s;
}

int run(const Arguments& arguments) {
  const auto values = parse(syntax(), arguments);
  if (!values) return kDone;
  const auto path = required(*values, "import", "FILE");
  choice(*values, "format", {"ti"});
  trace_io::TiImportSettings settings;
  settings.flops_per_second = flops_per_second(*values);
  settings.bins = static_cast<std::uint32_t>(whole_number(*values, "bins", 1, 1000));
  const auto output = new_trace(*values, "import");
  const auto trace = trace_io::import_ti(path, settings);
  trace_io::save(trace, output);
  for (const auto& loss : trace.losses)
    std::fprintf(stderr, "reprise: note: %s: %s\n", printable(loss.name).c_str(),
                 grouped(loss.count).c_str());
  std::fprintf(stderr, "reprise: imported %s: %s\n",
               counted(static_cast<std::uint64_t>(trace.header.ranks), "rank").c_str(),
               output.c_str());
  return kDone;
}

}  // namespace

const Verb kImportVerb = {"import", "a trace from other tools' traces", run};

}  // namespace reprise::cli
