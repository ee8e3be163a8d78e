// SPDX-License-Identifier: MIT
// reprise trace calls: what the streams of function calls hold: which there are, profiles, the calls themselves, where a function is.
#include <algorithm>
#include <limits>

#include "sim/calls/call_profile.hpp"
#include "sim/cli/calls_text.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/trace_actions.hpp"
#include "sim/functions/function_names.hpp"
#include "sim/symbols/call_names.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;
using trace_io::CallFile;
using trace_io::CallStream;

constexpr const char* kCallsFormats = "text|json";
constexpr std::uint64_t kMostNumber = std::numeric_limits<std::int64_t>::max();

Syntax calls_syntax() {
  Syntax s{
      "trace calls",
      "reprise trace calls FILE [OPTIONS]",
      "Shows every enter and leave of functions of programs built with -finstrument-functions and "
      "recorded with\n--functions trace. FILE is NAME.calls, or the folder NAME.calls.parts of a "
      "run that ended early. Without --flat, --tree,\n--stream or --function it lists the streams.",
      po::options_description("options"),
      {"FILE"}};
  s.options.add_options()("flat", "by function: calls and, if recorded, times")(
      "tree", "by call path")("stream", "the calls themselves, and the call stack before them")(
      "function", po::value<std::string>()->value_name("PATTERN"),
      "where functions matching PATTERN (* and ?) were entered: call paths, number of calls, first "
      "event")("rank", po::value<std::string>()->value_name("R"), "this rank only")(
      "thread", po::value<std::string>()->value_name("T"), "this thread only")(
      "from", po::value<std::string>()->value_name("N")->default_value("0"),
      "start at this event of each stream, counted from 0")(
      "count", po::value<std::string>()->value_name("N"),
      "number of events per stream (default: all; 100 with --stream)")(
      "most", po::value<std::string>()->value_name("N")->default_value("40"),
      "number of functions or call paths to show");
  add_output_options(s.options, kCallsFormats);
  return s;
}

// Those that are asked for. Throws InputError where there are none.
std::vector<const CallStream*> chosen_streams(const po::variables_map& values, const CallFile& file,
                                              const std::string& path) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  std::vector<const CallStream*> streams;
  for (const CallStream& stream : file.streams) {
    if (values.count("rank") > 0 &&
        static_cast<std::uint64_t>(stream.rank) != whole_number(values, "rank", 0, kMost))
      continue;
    if (values.count("thread") > 0 && stream.thread != whole_number(values, "thread", 0, kMost))
      continue;
    streams.push_back(&stream);
  }
  if (streams.empty() && (values.count("rank") + values.count("thread") > 0))
    throw InputError(path, "this rank and thread have no stream",
                     "leave out --rank and --thread to list the streams");
  return streams;
}

std::vector<std::uint32_t> matching(const CallFile& file, const std::string& pattern,
                                    const std::string& path) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < file.functions.size(); ++i)
    if (sim::matches_function(pattern, sim::function_name(file, i))) found.push_back(i);
  if (found.empty())
    throw InputError(path, "no function matches \"" + pattern + "\"",
                     "--flat lists the functions; * matches anything");
  return found;
}

}  // namespace

int trace_calls(const Arguments& arguments) {
  const auto values = parse(calls_syntax(), arguments);
  if (!values) return kDone;
  const bool as_json = output_format(*values, "trace calls", kCallsFormats) == "json";
  const auto path = required(*values, "trace calls", "FILE");
  if (values->count("flat") + values->count("tree") + values->count("stream") +
          values->count("function") >
      1)
    throw InputError("trace calls", "more than one of --flat, --tree, --stream and --function",
                     "ask one question at a time");
  const bool is_stream = values->count("stream") > 0;
  const sim::CallRange range{whole_number(*values, "from", 0, kMostNumber),
                             values->count("count") > 0
                                 ? whole_number(*values, "count", 1, kMostNumber)
                                 : (is_stream ? 100 : kMostNumber)};
  const auto most = whole_number(*values, "most", 1, 1'000'000);
  CallFile file = trace_io::open_calls(path);
  name_functions(file);
  const auto streams = chosen_streams(*values, file, path);
  if (is_stream) {
    if (streams.size() != 1)
      throw InputError(path,
                       "--stream shows one stream, but there are " + std::to_string(streams.size()),
                       "choose with --rank and --thread");
    write_output(*values, stream_answer(file, *streams[0], range, as_json));
    return kDone;
  }
  if (values->count("flat") + values->count("tree") + values->count("function") == 0) {
    write_output(*values, streams_answer(file, streams, as_json));
    return kDone;
  }
  sim::CallProfile profile(file);
  for (const CallStream* stream : streams) profile.add(*stream, range);
  if (values->count("function") > 0) {
    const auto wanted = matching(file, (*values)["function"].as<std::string>(), path);
    write_output(*values, places_answer(file, profile, wanted, most, as_json));
  } else if (values->count("tree") > 0) {
    write_output(*values, tree_answer(file, profile, most, as_json));
  } else {
    write_output(*values, flat_answer(file, profile, most, as_json));
  }
  return kDone;
}

}  // namespace reprise::cli
