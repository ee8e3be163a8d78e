// SPDX-License-Identifier: MIT
#include "tests/physics/simulate.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "sim/engine/observe/observation.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

enum class Ending : char { outcome, input_error, run_error, replay_error };

void put(std::string& text, const void* data, std::size_t size) {
  text.append(static_cast<const char*>(data), size);
}
void put(std::string& text, double value) { put(text, &value, sizeof value); }
void put(std::string& text, std::uint64_t value) { put(text, &value, sizeof value); }
void put(std::string& text, const std::string& value) {
  put(text, std::uint64_t{value.size()});
  text += value;
}

struct Reader {
  const std::string& text;
  std::size_t at = 0;
  void take(void* data, std::size_t size) {
    if (text.size() - at < size) throw std::runtime_error("the simulating process died");
    std::memcpy(data, text.data() + at, size);
    at += size;
  }
  double number() {
    double value = 0;
    take(&value, sizeof value);
    return value;
  }
  std::uint64_t count() {
    std::uint64_t value = 0;
    take(&value, sizeof value);
    return value;
  }
  std::string word() {
    std::string value(count(), ' ');
    take(value.data(), value.size());
    return value;
  }
};

std::string written(const sim::Outcome& outcome) {
  std::string text(1, static_cast<char>(Ending::outcome));
  put(text, outcome.predicted_time.value);
  put(text, outcome.network);
  put(text, outcome.collectives);
  put(text, outcome.seed);
  put(text, outcome.operations);
  put(text, outcome.messages);
  put(text, outcome.reordered_completions);
  put(text, outcome.reordered_wildcards);
  put(text, std::uint64_t{outcome.kept_wildcards});
  put(text, std::uint64_t{outcome.wildcards_as_recorded});
  put(text, std::uint64_t{outcome.ranks.size()});
  for (const auto& row : outcome.ranks)
    for (const Seconds time : {row.compute, row.communication, row.wait, row.finish})
      put(text, time.value);
  put(text, outcome.noise.value);
  put(text, outcome.memory.time.value);
  put(text, outcome.memory.longer.value);
  put(text, std::uint64_t{outcome.memory.nodes});
  put(text, std::uint64_t{outcome.no_effect.size()});
  for (const auto& fact : outcome.no_effect) put(text, fact);
  put(text, outcome.forwarded.skipped_iterations);
  put(text, outcome.forwarded.error_bound.value);
  put(text, outcome.forwarded.reason);
  put(text, std::uint64_t{outcome.losses.size()});
  for (const auto& loss : outcome.losses) {
    put(text, loss.name);
    put(text, static_cast<std::uint64_t>(loss.severity));
    put(text, loss.count);
    put(text, static_cast<std::uint64_t>(loss.time.value));
  }
  return text;
}

sim::Outcome read(Reader& reader) {
  sim::Outcome outcome;
  outcome.predicted_time = Seconds{reader.number()};
  outcome.network = reader.word();
  outcome.collectives = reader.word();
  outcome.seed = reader.count();
  outcome.operations = reader.count();
  outcome.messages = reader.count();
  outcome.reordered_completions = reader.count();
  outcome.reordered_wildcards = reader.count();
  outcome.kept_wildcards = reader.count() != 0;
  outcome.wildcards_as_recorded = reader.count() != 0;
  outcome.ranks.resize(reader.count());
  int rank = 0;
  for (auto& row : outcome.ranks) {
    row.rank = Rank{rank++};
    for (Seconds* time : {&row.compute, &row.communication, &row.wait, &row.finish})
      *time = Seconds{reader.number()};
  }
  outcome.noise = Seconds{reader.number()};
  outcome.memory.time = Seconds{reader.number()};
  outcome.memory.longer = Seconds{reader.number()};
  outcome.memory.nodes = static_cast<std::uint32_t>(reader.count());
  outcome.no_effect.resize(reader.count());
  for (auto& fact : outcome.no_effect) fact = reader.word();
  outcome.forwarded.skipped_iterations = reader.count();
  outcome.forwarded.error_bound = Seconds{reader.number()};
  outcome.forwarded.reason = reader.word();
  outcome.losses.resize(reader.count());
  for (auto& loss : outcome.losses) {
    loss.name = reader.word();
    loss.severity = static_cast<trace_io::Severity>(reader.count());
    loss.count = reader.count();
    loss.time = Nanoseconds{static_cast<std::int64_t>(reader.count())};
  }
  return outcome;
}

template <class Error>
std::string written(Ending ending, const Error& error) {
  std::string text(1, static_cast<char>(ending));
  put(text, error.where());
  put(text, error.problem());
  put(text, error.hint());
  return text;
}

// What the critical path of a replay does not explain, or where watching it changes the replay; empty where all is well.
std::string fault_of_path(const trace_io::Trace& trace, const platforms::Platform& machine,
                          sim::ReplaySettings settings, const sim::Outcome& unwatched) {
  sim::Observation observation({.path = true, .waits = true, .delays = true});
  settings.observation = &observation;
  const sim::Outcome outcome = sim::replay(trace, machine, settings);
  if (outcome.predicted_time.value != unwatched.predicted_time.value)
    return "is changed by watching";
  const auto path = observation.path()->result();
  double sum = 0, cells = 0, other = 0;
  bool is_any_below_0 = false;
  for (const auto& entry : path.entries) {
    (sim::PathCell::is_one(entry.key) ? cells : sum) += entry.seconds;
    is_any_below_0 = is_any_below_0 || entry.seconds < 0;
    if (!sim::PathCell::is_one(entry.key) &&
        sim::PathKey::unpacked(entry.key).part == sim::PathPart::other)
      other += entry.seconds;
  }
  const double whole = outcome.predicted_time.value, allowed = 1e-9 * std::max(whole, 1e-6);
  const auto differs = [&](double part) { return std::abs(part - whole) > allowed; };
  if (differs(path.time) || differs(sum))
    return "has parts of " + std::to_string(sum * 1e9) + " ns, not " + std::to_string(whole * 1e9);
  if (differs(cells))
    return "has a map of " + std::to_string(cells * 1e9) + " ns, not " +
           std::to_string(whole * 1e9);
  if (is_any_below_0) return "has a part below 0";
  if (differs(path.slopes.sum()))
    return "has slopes that add up to " + std::to_string(path.slopes.sum() * 1e9) + " ns, not " +
           std::to_string(whole * 1e9);
  double waits = 0, delays = 0;
  for (const auto& [key, seconds] : observation.waits()->accounts()) waits += seconds;
  for (const auto& [key, seconds] : observation.delays()->costs) delays += seconds;
  if (std::abs(waits - delays) > 1e-9 * std::max(waits, 1e-6))
    return "has delays that cost " + std::to_string(delays * 1e9) + " ns, where ranks wait " +
           std::to_string(waits * 1e9);
  if (other > allowed && trace.threads.size() < 2)
    return "leaves " + std::to_string(other * 1e9) + " ns to other";
  return "";
}

std::string replayed(const trace_io::Trace& trace, const platforms::Platform& machine,
                     const sim::ReplaySettings& settings) {
  try {
    const sim::Outcome outcome = sim::replay(trace, machine, settings);
    if (!sim::model_of(settings.network).simulates_once) {
      const std::string fault = fault_of_path(trace, machine, settings, outcome);
      if (!fault.empty())
        return written(Ending::run_error, RunError("the critical path", fault, ""));
    }
    return written(outcome);
  } catch (const InputError& error) {
    return written(Ending::input_error, error);
  } catch (const sim::ReplayError& error) {
    return written(Ending::replay_error, error) + static_cast<char>(error.kind());
  } catch (const RunError& error) {
    return written(Ending::run_error, error);
  }
}

std::string in_child(const trace_io::Trace& trace, const platforms::Platform& machine,
                     const sim::ReplaySettings& settings) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe failed");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    const std::string text = replayed(trace, machine, settings);
    std::size_t sent = 0;
    while (sent < text.size()) {
      const ssize_t part = write(ends[1], text.data() + sent, text.size() - sent);
      if (part <= 0) _exit(1);
      sent += static_cast<std::size_t>(part);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t part = 0; (part = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(part));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return text;
}

}  // namespace

sim::Outcome simulate(int ranks, const std::string& body, const platforms::Platform& machine,
                      const sim::ReplaySettings& settings) {
  const trace_io::Trace trace = trace_io::assemble(
      "reprise-text 1\nranks " + std::to_string(ranks) + "\n" + body + "\n", "test");
  const std::string text = in_child(trace, machine, settings);
  Reader reader{text, 1};
  if (text.empty()) throw std::runtime_error("the simulating process died");
  if (text[0] == static_cast<char>(Ending::outcome)) return read(reader);
  const std::string where = reader.word(), problem = reader.word(), hint = reader.word();
  if (text[0] == static_cast<char>(Ending::input_error)) throw InputError(where, problem, hint);
  if (text[0] == static_cast<char>(Ending::run_error)) throw RunError(where, problem, hint);
  sim::ReplayError::Kind kind{};
  reader.take(&kind, sizeof kind);
  throw sim::ReplayError(kind, where, problem, hint);
}

sim::Outcome simulate_calls(int ranks, const std::string& calls, const platforms::Platform& machine,
                            const sim::ReplaySettings& settings) {
  return simulate(ranks, "thread 0 {\n" + calls + "\n}", machine, settings);
}

std::string error_of(int ranks, const std::string& body, const platforms::Platform& machine,
                     const sim::ReplaySettings& settings) {
  try {
    simulate(ranks, body, machine, settings);
  } catch (const CommandError& error) {
    return error.what();
  }
  return "";
}

std::optional<sim::ReplayError::Kind> error_kind_of(int ranks, const std::string& body,
                                                    const platforms::Platform& machine) {
  try {
    simulate(ranks, body, machine);
  } catch (const sim::ReplayError& error) {
    return error.kind();
  }
  return std::nullopt;
}

double finish(const sim::Outcome& outcome, int rank) {
  return outcome.ranks[static_cast<std::size_t>(rank)].finish.value;
}

}  // namespace reprise::test
