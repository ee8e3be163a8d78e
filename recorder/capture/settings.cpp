// SPDX-License-Identifier: MIT
#include "recorder/capture/settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"
#include "trace-io/base/units.hpp"
#include "trace-io/model/compute_counters.hpp"
#include "trace-io/model/function_samples.hpp"

extern char** environ;

namespace reprise::recorder {
namespace {

constexpr std::array<std::string_view, 25> kVariables = {
    "REPRISE_OUTPUT",         "REPRISE_TIMING",     "REPRISE_BINS",
    "REPRISE_CLOCK",          "REPRISE_DEPTH",      "REPRISE_CALLPATH",
    "REPRISE_SNAPSHOT",       "REPRISE_VERBOSE",    "REPRISE_MEMORY",
    "REPRISE_HISTOGRAM",      "REPRISE_WAIT",       "REPRISE_PARTS",
    "REPRISE_PREEMPTION",     "REPRISE_ORDER",      "REPRISE_COMPENSATION",
    "REPRISE_ADDED_OVERHEAD", "REPRISE_ITERATIONS", "REPRISE_COMPLETIONS",
    "REPRISE_FUNCTIONS",      "REPRISE_MESSAGES",   "REPRISE_MESSAGE_EVENTS",
    "REPRISE_CALL_FORM",      "REPRISE_COUNTERS",   "REPRISE_TIMES",
    "REPRISE_COMPRESSION"};
constexpr double kEndless = 0;  // s: the other ranks are not asked for
constexpr std::string_view kOfTheCommand =
    "REPRISE_PLATFORM_PATH";  // not the recorder's, and no mistake

std::string_view value_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? std::string_view{} : std::string_view{value};
}

void complain(const char* variable, const char* expected) {
  std::fprintf(stderr, "reprise: warning: %s: \"%s\" is not %s, the default is used\n", variable,
               std::getenv(variable), expected);
}

void warn_about_unknown_variables() {
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    if (!name.starts_with("REPRISE_") || name == kOfTheCommand ||
        std::find(kVariables.begin(), kVariables.end(), name) != kVariables.end())
      continue;
    const auto meant = nearest_word(name, {kVariables.begin(), kVariables.end()});
    const std::string hint = meant ? ", did you mean " + *meant + "?" : "";
    std::fprintf(stderr, "reprise: warning: %.*s: the recorder has no such variable%s\n",
                 static_cast<int>(name.size()), name.data(), hint.c_str());
  }
}

// Leaves `setting` alone where the variable is not set.
void read_number(const char* variable, std::uint32_t low, std::uint32_t high,
                 std::uint32_t& setting) {
  const std::string_view text = value_of(variable);
  if (text.empty()) return;
  char* end = nullptr;
  const long number = std::strtol(text.data(), &end, 10);
  if (*end == '\0' && number >= static_cast<long>(low) && number <= static_cast<long>(high)) {
    setting = static_cast<std::uint32_t>(number);
    return;
  }
  char expected[64];
  std::snprintf(expected, sizeof expected, "a whole number from %u to %u", low, high);
  complain(variable, expected);
}

void read_memory(std::uint64_t& setting) {
  const std::string_view text = value_of("REPRISE_MEMORY");
  if (text.empty()) return;
  try {
    const auto bytes = static_cast<std::uint64_t>(parse_bytes(text, "REPRISE_MEMORY").value);
    if (bytes >= MemoryBudget::kLeast) {
      setting = bytes;
      return;
    }
  } catch (const InputError&) {
  }
  complain("REPRISE_MEMORY", "an amount of memory of at least 64 KiB, such as 64 MiB");
}

void read_order_budget(std::uint64_t& setting) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 24U;
  const std::string_view text = value_of("REPRISE_ORDER");
  if (text.empty()) return;
  if (text == "none") {
    setting = 0;
    return;
  }
  try {
    const auto bytes = static_cast<std::uint64_t>(parse_bytes(text, "REPRISE_ORDER").value);
    if (bytes <= kMost) {
      setting = bytes;
      return;
    }
  } catch (const InputError&) {
  }
  complain("REPRISE_ORDER", "none, or an amount of at most 16 MiB, such as 8 KiB");
}

void read_added_overhead(std::int64_t& setting) {
  constexpr double kMost = 1e-3;  // s
  const std::string_view text = value_of("REPRISE_ADDED_OVERHEAD");
  if (text.empty()) return;
  try {
    const double seconds = parse_seconds(text, "REPRISE_ADDED_OVERHEAD").value;
    if (seconds >= 0 && seconds <= kMost) {
      setting = std::llround(seconds * 1e9);
      return;
    }
  } catch (const InputError&) {
  }
  complain("REPRISE_ADDED_OVERHEAD", "a time of at most 1 ms, such as 5 us");
}

// The modes of REPRISE_FUNCTIONS: "sample" or "sample:RATE", "trace", "timed".
void read_functions(std::uint32_t& setting, bool& trace_calls) {
  constexpr std::string_view kSample = "sample";
  for (std::string_view rest = value_of("REPRISE_FUNCTIONS"); !rest.empty();) {
    const std::string_view mode = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), mode.size() + 1));
    trace_calls = trace_calls || mode == "trace";
    if (mode == "trace" || mode == "timed" || mode == "none") continue;
    if (!mode.starts_with(kSample)) {
      complain("REPRISE_FUNCTIONS", "sample, trace or trace,timed");
      continue;
    }
    if (mode == kSample) {
      setting = trace_io::kDefaultSamplingRate;
      continue;
    }
    const std::string number(mode.substr(std::min(mode.size(), kSample.size() + 1)));
    char* end = nullptr;
    const long rate = std::strtol(number.c_str(), &end, 10);
    if (mode[kSample.size()] == ':' && !number.empty() && *end == '\0' && rate >= 1 &&
        rate <= static_cast<long>(trace_io::kHighestSamplingRate))
      setting = static_cast<std::uint32_t>(rate);
    else
      complain("REPRISE_FUNCTIONS", "sample or sample:RATE with a rate from 1 to 10000");
  }
}

void read_counters(std::uint32_t& setting) {
  const std::string_view text = value_of("REPRISE_COUNTERS");
  if (text.empty() || text == "none") return;
  const auto events = trace_io::counter_events_named(text);
  if (!events) return complain("REPRISE_COUNTERS", trace_io::kCounterEventForms);
  for (const trace_io::CounterEvent event : *events) setting |= 1U << static_cast<unsigned>(event);
}

void read_messages(Settings& settings) {
  const std::string_view text = value_of("REPRISE_MESSAGES");
  if (text.empty() || text == "none") return;
  const auto choice = trace_io::message_choice_of(text);
  if (!choice) return complain("REPRISE_MESSAGES", trace_io::kMessageChoiceForms);
  if (settings.clock == trace_io::Clock::cpu) {
    std::fprintf(
        stderr,
        "reprise: warning: REPRISE_MESSAGES: the times of messages are wall time, none are "
        "sampled with REPRISE_CLOCK=cpu\n");
    return;
  }
  settings.messages = *choice;
}

// Leaves `setting` alone where the variable is not set. Returns whether it makes sense.
bool read_seconds(const char* variable, double& setting) {
  const std::string_view text = value_of(variable);
  if (text.empty()) return true;
  char* end = nullptr;
  const double number = std::strtod(text.data(), &end);
  if (*end != '\0' || !(number >= 0)) return false;
  setting = number;
  return true;
}

std::string job_name() {
  for (const char* variable : {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID"})
    if (const std::string_view id = value_of(variable); !id.empty()) return std::string(id);
  return std::to_string(getpid());
}

std::string absolute(std::string path) {
  if (path.starts_with('/')) return path;
  char folder[PATH_MAX];
  if (getcwd(folder, sizeof folder) == nullptr) return path;
  return std::string(folder) + "/" + path;
}

std::string default_output(int ranks) {
  std::string program = program_path();
  program = program.substr(program.rfind('/') + 1);
  const std::string stem = absolute(program + "." + std::to_string(ranks) + "." + job_name());
  std::string output = stem + ".reprise";
  for (int i = 1; access(output.c_str(), F_OK) == 0; ++i)
    output = stem + "." + std::to_string(i) + ".reprise";
  return output;
}

}  // namespace

std::string program_path() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : std::string("unknown");
}

double patience_from_environment() {
  double patience = kEndless;
  read_seconds("REPRISE_WAIT", patience);
  return patience;
}

Settings settings_from_environment(int ranks) {
  Settings settings;
  warn_about_unknown_variables();
  if (const auto timing = value_of("REPRISE_TIMING"); timing == "histogram") {
    settings.timing = trace_io::Timing::histogram;
  } else if (timing == "stat") {
    settings.timing = trace_io::Timing::stat;
  } else if (!timing.empty() && timing != "path") {
    complain("REPRISE_TIMING", "path, histogram or stat");
  }
  if (const auto clock = value_of("REPRISE_CLOCK"); clock == "cpu") {
    settings.clock = trace_io::Clock::cpu;
  } else if (!clock.empty() && clock != "wall") {
    complain("REPRISE_CLOCK", "wall or cpu");
  }
  if (const auto histogram = value_of("REPRISE_HISTOGRAM"); !histogram.empty()) {
    if (const auto rule = trace_io::bin_rule_named(histogram))
      settings.bin_rule = *rule;
    else
      complain("REPRISE_HISTOGRAM", "ward, balanced or balanced_exact");
  }
  if (const auto call_path = value_of("REPRISE_CALLPATH"); call_path == "flat") {
    settings.full_call_path = false;
  } else if (call_path == "full") {
    settings.shorten_call_paths = false;
  } else if (!call_path.empty() && call_path != "auto") {
    complain("REPRISE_CALLPATH", "auto, full or flat");
  }
  read_number("REPRISE_BINS", 2, 1000, settings.bins);
  read_number("REPRISE_DEPTH", 1, 64, settings.depth);
  if (settings.timing == trace_io::Timing::stat) settings.bins = 0;
  if (!read_seconds("REPRISE_SNAPSHOT", settings.first_snapshot_s))
    complain("REPRISE_SNAPSHOT", "a number of seconds");
  double patience = kEndless;
  if (!read_seconds("REPRISE_WAIT", patience)) complain("REPRISE_WAIT", "a number of seconds");
  read_memory(settings.memory);
  read_order_budget(settings.order_budget);
  if (value_of("REPRISE_ITERATIONS") != "none")
    read_number("REPRISE_ITERATIONS", 1, trace_io::kMostClusters, settings.iterations);
  if (settings.timing == trace_io::Timing::stat) settings.order_budget = 0;
  if (const auto parts = value_of("REPRISE_PARTS"); parts == "keep") {
    settings.keep_parts = true;
  } else if (!parts.empty()) {
    complain("REPRISE_PARTS", "keep");
  }
  if (const auto preemption = value_of("REPRISE_PREEMPTION"); preemption == "none") {
    settings.see_preemption = false;
  } else if (!preemption.empty() && preemption != "rseq") {
    complain("REPRISE_PREEMPTION", "rseq or none");
  }
  if (const auto compensation = value_of("REPRISE_COMPENSATION"); compensation == "off") {
    settings.compensate = false;
  } else if (!compensation.empty() && compensation != "on") {
    complain("REPRISE_COMPENSATION", "on or off");
  }
  if (const auto completions = value_of("REPRISE_COMPLETIONS"); completions == "exact") {
    settings.exact_completions = true;
  } else if (!completions.empty() && completions != "represented") {
    complain("REPRISE_COMPLETIONS", "represented or exact");
  }
  if (const auto times = value_of("REPRISE_TIMES"); !times.empty()) {
    if (const auto share = trace_io::pooled_share_of(times))
      settings.pooled_share = *share;
    else
      complain("REPRISE_TIMES", trace_io::kPooledForms);
  }
  if (const auto compression = value_of("REPRISE_COMPRESSION"); compression == "quick") {
    settings.compresses_quickly = true;
  } else if (!compression.empty() && compression != "full") {
    complain("REPRISE_COMPRESSION", "full or quick");
  }
  read_functions(settings.sampling_rate, settings.trace_calls);
  if (const auto form = value_of("REPRISE_CALL_FORM");
      !form.empty() && form != "context" && form != "symbol")
    complain("REPRISE_CALL_FORM", "context or symbol");
  read_counters(settings.counters);
  read_messages(settings);
  read_added_overhead(settings.added_overhead);
  const auto verbose = value_of("REPRISE_VERBOSE");
  settings.names_trace = verbose == "trace";
  settings.verbose = !verbose.empty() && verbose != "0" && !settings.names_trace;

  const auto given = value_of("REPRISE_OUTPUT");
  settings.output_given = !given.empty();
  const std::string output =
      settings.output_given ? absolute(std::string(given)) : default_output(ranks);
  std::strncpy(settings.output, output.c_str(), Settings::kPathRoom - 1);
  return settings;
}

}  // namespace reprise::recorder
