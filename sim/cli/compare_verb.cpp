// SPDX-License-Identifier: MIT
// reprise compare: what the change of the run time between two answers is made of.
#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/comparison/comparison.hpp"
#include "sim/report/comparison_page.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;

constexpr const char* kCompareFormats = "text|json|csv";

Syntax compare_syntax() {
  Syntax s{
      "compare",
      "reprise compare A B [OPTIONS]",
      "Breaks the change of the run time from A to B down into its causes, largest first. A and B "
      "are answers of replays\n(reprise replay … --details critical-path,wait-states,call-sites "
      "--format json -o A), or points of a study: RESULTS.json:POINT.\n"
      "With the detail functions of traces whose functions were sampled, it names those whose "
      "computing changes most.\nChanges have ranges between points of several recordings each "
      "(two \"applications\" of a study, each with \"traces\").",
      po::options_description("options"),
      {"A", "B"}};
  s.options.add_options()("html", po::value<std::string>()->value_name("FILE"),
                          "also write the answer as a page with a waterfall chart of the change");
  add_output_options(s.options, kCompareFormats);
  return s;
}

int run_compare(const Arguments& arguments) {
  const auto values = parse(compare_syntax(), arguments);
  if (!values) return kDone;
  const auto before = required(*values, "compare", "A"), after = required(*values, "compare", "B");
  const std::string format = output_format(*values, "compare", kCompareFormats);
  const auto page = values->count("html") ? (*values)["html"].as<std::string>() : "";
  if (!page.empty() && page != "-") refuse_unwritable(page);
  const auto comparison = sim::compare(sim::load_answer(before), sim::load_answer(after));
  if (!page.empty()) write_file(page, sim::comparison_page(sim::to_json(comparison)));
  if (format == "json")
    write_output(*values, sim::to_json(comparison).dump() + "\n");
  else if (format == "csv")
    write_output(*values, sim::csv_of(comparison));
  else
    write_output(*values, sim::text_of(comparison));
  return kDone;
}

}  // namespace

const Verb kCompareVerb = {"compare", "explain why two replays take different times", run_compare};

}  // namespace reprise::cli
