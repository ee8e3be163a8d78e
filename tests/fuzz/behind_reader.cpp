// SPDX-License-Identifier: MIT
#include "tests/fuzz/behind_reader.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "platforms/json/document.hpp"
#include "sim/cli/trace_actions.hpp"
#include "sim/engine/rehearsal.hpp"
#include "sim/experiment/answer.hpp"
#include "sim/export/ti_export.hpp"
#include "sim/formats/format.hpp"
#include "sim/formats/mpip.hpp"
#include "sim/mpip/read.hpp"
#include "sim/study/simulate.hpp"
#include "sim/validation/profile.hpp"
#include "sim/validation/validate.hpp"
#include "tests/fuzz/random_call.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/import/ti/ti_import.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::fuzz {
namespace {
using trace_io::Trace;

constexpr std::uint64_t kMostCalls = 3000, kMostElements = 100'000;
constexpr std::int32_t kMostRanks = 24;

constexpr const char* kMachine = R"({"format": 1, "name": "small", "source": "a test",
  "nodes": {"count": 6, "cores": 2},
  "intra_node": {"bandwidth": "10 GB/s", "latency": "0.2 us"},
  "network": {"topology": {"kind": "fat_tree", "levels": [{"down": 3, "up": 1}, {"down": 2, "up": 1}]},
              "link": {"bandwidth": "10 GB/s", "latency": "0.5 us"}},
  "storage": {"kind": "shared", "read_bandwidth": "2 GB/s", "write_bandwidth": "1 GB/s", "latency": "10 us"},
  "mpi": {"eager_limit": "64 KiB", "send_overhead": "0.1 us", "recv_overhead": "0.2 us"}})";

void require(bool fact, const char* what) {
  if (fact) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

// An answer or a named error.
bool ends(const std::function<void()>& part) {
  try {
    part();
    return true;
  } catch (const InputError&) {
  } catch (const RunError&) {
  }
  return false;
}

std::uint64_t list_elements(const Trace& trace) {
  std::uint64_t elements = 0;
  for (const auto& program : trace.threads)
    trace_io::for_each_leaf(program, [&](const trace_io::Leaf& leaf) {
      for (const auto& field : leaf.fields)
        for (const auto& entry : field)
          if (!entry.lengths.empty()) elements += entry.values.size();
    });
  return elements;
}

void look_at(const Trace& trace) {
  const auto bytes = trace_io::serialise(trace);
  require(trace_io::serialise(trace_io::deserialise(bytes, "again")) == bytes,
          "file form and back");
  require(trace_io::serialise(trace_io::assemble(trace_io::dump(trace), "dump")) == bytes,
          "text form and back");
  const trace_io::FinishTimes finished{Nanoseconds{1}, Nanoseconds{2}, Nanoseconds{3},
                                       Nanoseconds{4}};
  for (const bool with_internals : {false, true})
    cli::info_text(trace, bytes.size(), finished, with_internals);
  cli::info_json(trace, bytes.size(), finished);
  cli::findings_text("trace", trace_io::check(trace, kMostCalls), false);
  cli::findings_json(trace_io::check(trace, kMostCalls), disturbance_of(trace));
  require(cli::compare_traces({"a", trace}, {"b", trace}, true).same_structure,
          "a trace is like itself");
}

sim::Experiment experiment_of(const Trace& trace, std::uint64_t variant) {
  Random random(variant);
  sim::Experiment experiment;
  experiment.trace = &trace;
  experiment.trace_path = "fuzz.reprise";
  experiment.machine = platforms::parse_document(kMachine, "small.json");
  experiment.placement = random.one_in(2) ? "block" : "cyclic";
  auto& settings = experiment.settings;
  settings.deltas = static_cast<sim::Deltas>(random.below(sim::kDeltasNames.size()));
  settings.wildcards = random.one_in(2) ? sim::Wildcards::recorded : sim::Wildcards::simulated;
  settings.fast_forward = !random.one_in(3);
  settings.analytic_below = Bytes{random.one_in(4) ? 4096U : 0U};
  settings.seed = random.below(3);
  if (random.one_in(6)) experiment.noise = "recorded";
  return experiment;
}

void present(const sim::Answer& answer) {
  require(std::isfinite(answer.outcome.predicted_time.value) &&
              answer.outcome.predicted_time.value >= 0,
          "a time is a number");
  for (const sim::Format* format : sim::formats())
    format->write(answer, {.every_rank = true, .details = true, .order = {}});
  for (const auto& [detail, figure] : answer.details)
    sim::format_named("csv").write(answer,
                                   {.every_rank = false, .details = true, .order = {detail}});
}

// What mpiP would have said of the run agrees with the run.
void validate(const sim::Answer& answer) {
  namespace validation = sim::validation;
  const auto report = sim::mpip::read_report(sim::mpip_report(answer, "-"), "report");
  const auto ours = validation::profile_of(sim::run_record_of(answer), "ours");
  const auto theirs = validation::profile_of(report, "theirs");
  validation::validate(ours, theirs, {.time_tolerance = std::nullopt});
}

void replay(const Trace& trace, std::uint64_t variant) {
  auto experiment = experiment_of(trace, variant);
  const bool all = variant % 8 == 0;  // tolerances replay some fifty times
  sim::AnswerRequest request;
  for (const sim::Detail* detail : sim::all_details())
    if (all || !detail->many_replays) request.details.push_back(detail);
  request.networks = request.rank_calls = true;
  for (const auto kind : {sim::NetworkKind::flow, sim::NetworkKind::fluid, sim::NetworkKind::queue,
                          sim::NetworkKind::uncontended}) {
    experiment.settings.network = kind;
    std::string first;
    const bool has_answer = ends([&] {
      const auto answer = sim::answer(experiment, request);
      first = sim::to_json(answer, true).dump();
      present(answer);
      ends([&] { validate(answer); });
    });
    if (!has_answer || variant % 4 != 0) continue;
    require(sim::to_json(sim::answer(experiment, request), true).dump() == first,
            "the same replay gives the same answer");
  }
}

void export_and_import(const Trace& trace, std::uint64_t variant, const std::string& folder) {
  sim::TiSettings settings;
  settings.deltas = static_cast<sim::Deltas>(variant % sim::kDeltasNames.size());
  settings.lossy = true;
  const auto summary = sim::export_ti(trace, "fuzz.reprise", settings, folder + "/ti");
  trace_io::import_ti(summary.index, {});
}

void study(const Trace& trace, const std::string& folder) {
  sim::Study study;
  study.file = folder + "/study.json";
  const std::string recording = folder + "/study.reprise";
  study.applications.emplace_back().traces = {recording};
  study.platform = folder + "/small.json";
  trace_io::save(trace, recording);
  sim::Axis network;
  network.name = "network";
  for (const auto kind :
       {sim::NetworkKind::flow, sim::NetworkKind::fluid, sim::NetworkKind::queue}) {
    sim::AxisValue value;
    value.label = sim::name_of(kind);
    value.network = kind;
    network.values.push_back(value);
  }
  study.axes = {network};
  study.baseline = {0};
  const sim::StudyInputs inputs(study);
  const auto plan = sim::plan_of(study, inputs);
  for (const sim::Run& run : plan.runs) {
    const auto simulated = sim::simulate(study, inputs, plan, run);
    require(simulated.row.contains("status"), "a row has a status");
    static_cast<void>(simulated.row.dump());
  }
}

void write_machine(const std::string& folder) {
  static std::string written;
  if (written == folder) return;
  std::FILE* file = std::fopen((folder + "/small.json").c_str(), "w");
  require(file != nullptr && std::fputs(kMachine, file) >= 0 && std::fclose(file) == 0,
          "the folder can be written to");
  written = folder;
}

}  // namespace

bool do_everything(const Trace& trace, std::uint64_t variant, const std::string& folder) {
  if (list_elements(trace) > kMostElements || trace.header.ranks > kMostRanks) return false;
  look_at(trace);
  if (trace_io::summarise(trace).operations > kMostCalls) return false;
  ends([&] { sim::rehearse(trace); });
  replay(trace, variant);
  ends([&] { export_and_import(trace, variant, folder); });
  write_machine(folder);
  if (variant % 4 == 1) ends([&] { study(trace, folder); });
  return true;
}

}  // namespace reprise::fuzz
