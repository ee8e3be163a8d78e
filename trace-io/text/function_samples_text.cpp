// SPDX-License-Identifier: MIT
#include "trace-io/text/function_samples_text.hpp"

#include <memory>

#include "trace-io/text/sequence_text.hpp"

namespace reprise::trace_io {
namespace {

std::string paths_text(const std::vector<PathSamples>& paths) {
  std::string text = "[";
  for (const PathSamples& path : paths) {
    if (text.size() > 1) text += "; ";
    text += "@" + std::to_string(path.site);
    if (path.predecessor != kNoSite) text += " after @" + std::to_string(path.predecessor);
    const char* separator = ": ";
    for (const StackSamples& one : path.stacks) {
      text += separator + std::to_string(one.stack) + "/" + std::to_string(one.count);
      separator = ", ";
    }
  }
  return text + "]";
}

std::uint32_t read_index(Scanner& in, const char* what, std::size_t limit) {
  const std::size_t at = in.position();
  const std::uint64_t number = in.unsigned_number(what);
  if (number >= limit)
    in.refuse(at, std::string("there is no ") + what + " " + std::to_string(number) + ", " +
                      std::to_string(limit) + " are declared");
  return static_cast<std::uint32_t>(number);
}

SiteId read_sampled_site(Scanner& in, const Trace& tables) {
  in.expect("@", "in front of a site");
  return read_index(in, "site", tables.sites.size());
}

std::vector<PathSamples> read_paths(Scanner& in, const Trace& tables) {
  std::vector<PathSamples> paths;
  in.expect("[", "in front of sampled paths");
  while (!in.accept("]")) {
    if (!paths.empty()) in.expect(";", "between sampled paths");
    PathSamples& path = paths.emplace_back();
    path.site = read_sampled_site(in, tables);
    if (in.accept("after")) path.predecessor = read_sampled_site(in, tables);
    in.expect(":", "in front of samples");
    do {
      StackSamples& one = path.stacks.emplace_back();
      one.stack = read_index(in, "path", tables.call_paths.size());
      in.expect("/", "between a call path and its samples");
      one.count = in.unsigned_number("a number of samples");
    } while (in.accept(","));
  }
  return paths;
}

}  // namespace

std::string function_samples_text(const FunctionSamples& samples) {
  std::string text = "functions rate " + std::to_string(samples.rate) +
                     (samples.are_precise ? "" : " at_ticks") + " own " +
                     std::to_string(samples.own) + " left_out " + std::to_string(samples.left_out) +
                     "\n";
  for (const SampledRanks& one : samples.classes)
    text += "sampled " + one.ranks.text() + " compute " + paths_text(one.compute) +
            " communicate " + paths_text(one.communicate) + "\n";
  return text;
}

void read_functions(Scanner& in, Trace& trace) {
  auto samples = std::make_shared<FunctionSamples>();
  in.expect("rate", "after \"functions\"");
  const std::size_t at = in.position();
  const std::uint64_t rate = in.unsigned_number("a rate of sampling");
  if (rate == 0 || rate > kHighestSamplingRate)
    in.refuse(at, "a rate of " + std::to_string(rate) + " samples per second, 1 to " +
                      std::to_string(kHighestSamplingRate) + " can be");
  samples->rate = static_cast<std::uint32_t>(rate);
  samples->are_precise = !in.accept("at_ticks");
  in.expect("own", "after the rate");
  samples->own = in.unsigned_number("a number of samples");
  in.expect("left_out", "after the recorder's own samples");
  samples->left_out = in.unsigned_number("a number of samples");
  trace.functions = std::move(samples);
}

void read_sampled(Scanner& in, Trace& trace) {
  if (trace.functions == nullptr)
    in.refuse("samples of ranks, but no statement \"functions\" before them");
  auto samples = std::make_shared<FunctionSamples>(*trace.functions);
  SampledRanks& one = samples->classes.emplace_back();
  one.ranks = read_ranks(in, trace.header.ranks);
  in.expect("compute", "after the sampled ranks");
  one.compute = read_paths(in, trace);
  in.expect("communicate", "after the samples between calls");
  one.communicate = read_paths(in, trace);
  trace.functions = std::move(samples);
}

}  // namespace reprise::trace_io
