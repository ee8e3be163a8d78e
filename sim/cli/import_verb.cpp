// SPDX-License-Identifier: MIT
// reprise import: other tools' traces as one of ours.
#include <cstdio>

#include "sim/cli/messages.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/order_option.hpp"
#include "sim/cli/output.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/import/import.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;

Syntax import_syntax() {
  std::string explanation =
      "Converts another tool's trace: folded and merged, with call paths if there are any. The "
      "format is detected.\nInformation that the format lacks is listed and counted.";
  std::string words = "auto";
  for (const auto* format : trace_io::import_formats()) {
    explanation += "\n  " + std::string(format->word);
    explanation.append(12 - std::string(format->word).size(), ' ');
    explanation += format->description;
    words += "|" + std::string(format->word);
  }
  Syntax s{"import",
           "reprise import FILE... -o FILE.reprise [OPTIONS]",
           explanation,
           po::options_description("options"),
           {"FILE..."}};
  add_trace_options(s.options);
  s.works_long = true;
  s.options.add_options()(
      "format", po::value<std::string>()->value_name(words)->default_value("auto"), "input format")(
      "flops-per-second", po::value<std::string>()->value_name("N")->default_value("1e9"),
      "speed of the hosts, for converting flops (ti) or instructions (scalatrace) to time")(
      "bins", po::value<std::string>()->value_name("K")->default_value("5"),
      "bins of each distribution of compute times")(
      "order", po::value<std::string>()->value_name("SIZE|none")->default_value("8KiB"),
      "bytes of the trace that the order of compute times may take");
  return s;
}

int run_import(const Arguments& arguments) {
  const auto values = parse(import_syntax(), arguments);
  if (!values) return kDone;
  const auto files = trace_io::files_meant(required_list(*values, "import", "FILE..."));
  std::vector<std::string> words = {"auto"};
  for (const auto* format : trace_io::import_formats()) words.emplace_back(format->word);
  const auto word = choice(*values, "format", words);
  ProgressLine progress(stderr, progress_place(), steady_now);
  trace_io::ImportSettings settings;
  settings.flops_per_second = flops_per_second(*values);
  settings.bins = static_cast<std::uint32_t>(whole_number(*values, "bins", 1, 1000));
  settings.order_budget = order_budget_of((*values)["order"].as<std::string>());
  settings.progress = [&](double part) {
    if (progress.is_due()) progress.show("import: " + part_text(part, progress.elapsed()));
  };
  const auto output = new_trace(*values, "import");
  const auto& format = trace_io::format_of(word, files);
  const auto trace = format.import(files, settings);
  progress.clear();
  detail("import: " + formatted("%.2f s", progress.elapsed().value));
  trace_io::save(trace, output);
  for (const auto& loss : trace.losses) note("note: " + loss.name + ": " + grouped(loss.count));
  note("imported " + counted(static_cast<std::uint64_t>(trace.header.ranks), "rank") + ": " +
       output);
  return kDone;
}

}  // namespace

const Verb kImportVerb = {"import", "convert another tool's trace", run_import};

}  // namespace reprise::cli
