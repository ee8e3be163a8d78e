// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "platforms/calibration/calibrated_platform.hpp"
#include "platforms/catalogue.hpp"
#include "platforms/load.hpp"
#include "sim/cli/child.hpp"
#include "sim/cli/launcher.hpp"
#include "sim/cli/messages.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/platform_actions.hpp"
#include "sim/experiment/own_machine.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"
#include "trace-io/file/trace_file.hpp"

namespace reprise::cli {
namespace {
namespace fs = std::filesystem;
namespace po = boost::program_options;
using platforms::Measurements;

constexpr const char* kWhere = "reprise platform calibrate";
using Files = std::vector<std::string>;

Syntax calibrate_syntax() {
  Syntax s{"platform calibrate",
           "reprise platform calibrate [MEASUREMENT] [OPTIONS] [-- mpirun -n 2]",
           "Makes a platform file from measured times: reprise-probe files, OSU micro-benchmark or "
           "NetPIPE tables, or (with --probe)\na measurement made now. Prints how far the fit is "
           "from the measurements.",
           po::options_description("options"),
           {"MEASUREMENT"}};
  s.options.add_options()("probe",
                          "measure now: run reprise-probe with the launcher that follows --; the "
                          "measurement is kept beside the platform")(
      "from", po::value<std::string>()->value_name("TRACE"),
      "use an application's own messages: a trace recorded with --messages")(
      "seconds", po::value<std::string>()->value_name("S")->default_value("10"),
      "approximate time for the probe, if every rank has a core of its own; it ends after six "
      "times as long")("osu", po::value<Files>()->value_name("FILE")->composing(),
                       "output of an OSU micro-benchmark; may be given several times")(
      "netpipe", po::value<Files>()->value_name("FILE")->composing(), "NetPIPE's np.out")(
      "between-nodes",
      "the OSU and NetPIPE tables were measured between two nodes, not between two ranks of one "
      "node")("base", po::value<std::string>()->value_name("PLATFORM"),
              "take everything that was not measured from this platform")(
      "nodes", po::value<std::string>()->value_name("N"), "how many nodes the machine has")(
      "cores", po::value<std::string>()->value_name("N"), "how many cores a node has")(
      "sockets", po::value<std::string>()->value_name("N"),
      "how many sockets a node has; with several, all other times are those inside a socket")(
      "osu-between-sockets", po::value<std::string>()->value_name("FILE"),
      "output of osu_latency between two ranks on two sockets of a node")(
      "name", po::value<std::string>()->value_name("NAME"),
      "the platform's name (default: the output file's)")(
      "most-error", po::value<std::string>()->value_name("PERCENT")->default_value("50%"),
      "refuse a fit that is further from the measurements than this (root mean square)")(
      "accept-disturbed",
      "accept times that other processes disturbed: more than a tenth of them, or some that no "
      "idle machine has")("output,o",
                          po::value<std::string>()->value_name("FILE")->default_value("-"),
                          "the platform file; - is stdout")(
      "force", "as with the verbs that write a trace; a platform file is replaced without it, too");
  return s;
}

void join(Measurements& all, Measurements more) {
  std::move(more.series.begin(), more.series.end(), std::back_inserter(all.series));
  std::move(more.eager_limits.begin(), more.eager_limits.end(),
            std::back_inserter(all.eager_limits));
  std::move(more.references.begin(), more.references.end(), std::back_inserter(all.references));
  all.not_measured += more.not_measured;
  if (more.nodes) all.nodes = more.nodes;
  if (more.cores) all.cores = more.cores;
}

// Beside the platform, so that its sources can be looked at.
std::string measurement_path(const std::string& output) {
  if (output == "-") return "reprise-probe.json";
  fs::path path(output);
  return path.replace_extension(".probe.json").string();
}

std::string run_probe(const po::variables_map& values, std::vector<std::string> command) {
  if (command.empty())
    throw InputError(kWhere, "--probe needs a launcher",
                     "reprise platform calibrate --probe -o local.json -- mpirun -n 2");
  const auto folder = fs::canonical("/proc/self/exe").parent_path();
  const Launch launch = understand(command);
  auto probe = folder / "reprise-probe";
  if (launch.launcher == LauncherKind::hydra && fs::exists(folder / "reprise-probe-mpich"))
    probe = folder / "reprise-probe-mpich";
  if (!fs::exists(probe))
    throw InputError(kWhere, "reprise-probe is not installed beside the command",
                     "build with an MPI library: -DREPRISE_BUILD_RECORDER=ON");
  const auto path = measurement_path(values["output"].as<std::string>());
  const auto seconds = whole_number(values, "seconds", 1, 3600);
  for (const auto& word : {probe.string(), std::string("--seconds"), std::to_string(seconds),
                           std::string("-o"), fs::absolute(path).string()})
    command.push_back(word);
  if (messages() == Messages::quiet) command.emplace_back("--quiet");
  if (progress_place() == ProgressLine::Place::terminal) command.emplace_back("--terminal");
  if (const int status = run_child(command, {}); status != 0)
    throw RunError(probe.string(), "ended with exit status " + std::to_string(status),
                   "nothing was calibrated");
  return path;
}

Measurements measurements_of(const po::variables_map& values,
                             const std::vector<std::string>& command) {
  Measurements all;
  const auto path = values.count("between-nodes") ? platforms::MeasuredPath::kInterNode
                                                  : platforms::MeasuredPath::kIntraNode;
  if (values.count("probe"))
    join(all, platforms::read_probe_file(run_probe(values, command)));
  else if (!command.empty())
    throw InputError(kWhere, "a launcher is given, but nothing to launch",
                     "add --probe to measure with it");
  if (values.count("MEASUREMENT"))
    join(all, platforms::read_probe_file(values["MEASUREMENT"].as<std::string>()));
  if (values.count("osu"))
    for (const auto& file : values["osu"].as<Files>())
      join(all, platforms::read_osu_file(file, path));
  if (values.count("osu-between-sockets"))
    join(all, platforms::read_osu_file(values["osu-between-sockets"].as<std::string>(),
                                       platforms::MeasuredPath::kInterSocket));
  if (values.count("netpipe"))
    for (const auto& file : values["netpipe"].as<Files>())
      join(all, platforms::read_netpipe_file(file, path));
  if (all.series.empty())
    throw InputError(kWhere, "nothing to calibrate with",
                     "name a file of reprise-probe, --osu or --netpipe, or measure now: --probe -o "
                     "local.json -- mpirun -n 2");
  return all;
}

platforms::CalibrationSettings settings_of(const po::variables_map& values) {
  platforms::CalibrationSettings settings;
  const auto output = values["output"].as<std::string>();
  settings.name = values.count("name") ? values["name"].as<std::string>()
                  : output == "-"      ? "calibrated"
                                       : fs::path(output).stem().string();
  if (values.count("nodes"))
    settings.nodes = static_cast<unsigned>(whole_number(values, "nodes", 1, 1'000'000));
  if (values.count("cores"))
    settings.cores = static_cast<unsigned>(whole_number(values, "cores", 1, 65'536));
  if (values.count("sockets"))
    settings.sockets = static_cast<unsigned>(whole_number(values, "sockets", 1, 64));
  if (values.count("base"))
    settings.base = platforms::load_document(platforms::find_platform(
        values["base"].as<std::string>(), platforms::platform_folders(), "--base"));
  return settings;
}

platforms::Calibration made_from_trace(const po::variables_map& values,
                                       const platforms::CalibrationSettings& settings,
                                       const std::vector<std::string>& command) {
  if (values.count("probe") || values.count("MEASUREMENT") || values.count("osu") ||
      values.count("netpipe") || !command.empty())
    throw InputError(kWhere, "--from cannot be combined with another measurement",
                     "make two platforms, one with the other as --base");
  const auto path = values["from"].as<std::string>();
  return sim::calibrate_from(trace_io::load(path), path, settings);
}

// Times of a busy machine and a fit that is far off say nothing of the machine, and no replay on it would. The measurement stays where it is.
void refuse_disturbed(const platforms::Calibration& made, bool is_accepted) {
  if (is_accepted || made.disturbance.empty()) return;
  throw RunError(
      kWhere,
      made.disturbance + ": these are not times of an idle machine, and no platform was written",
      "end other programs, give every rank a core of its own and measure again; "
      "--accept-disturbed would accept them");
}
void refuse_poor_fit(const platforms::Calibration& made, double most) {
  for (const auto* fit : {made.intra_node ? &*made.intra_node : nullptr,
                          made.inter_node ? &*made.inter_node : nullptr}) {
    if (fit == nullptr || fit->mpi.uncertainty->typical <= most) continue;
    throw RunError(kWhere,
                   formatted("the fit is %.1f%% (root mean square) off the measured times: they "
                             "are not those of an idle machine, and no platform was written",
                             100 * fit->mpi.uncertainty->typical),
                   formatted("end other programs, give every rank a core of its own and measure "
                             "again; --most-error %.0f%% would accept it",
                             std::ceil(100 * fit->mpi.uncertainty->typical)));
  }
}

bool tells_messages(const platforms::PathFit& fit) {
  return std::ranges::any_of(fit.times, [](const auto& time) { return time.messages > 0; });
}

std::string fit_text(const platforms::PathFit& fit, const char* where) {
  std::string text =
      formatted("%s: %s, %s; fits %zu times to %.1f%% (root mean square), at worst %.1f%%\n", where,
                to_text(Seconds{std::round(fit.latency.value * 1e10) / 1e10}).c_str(),
                formatted("%.4g GB/s", fit.per_message.value * 1e-9).c_str(), fit.times.size(),
                100 * fit.mpi.uncertainty->typical, 100 * fit.mpi.uncertainty->largest);
  text += formatted("%12s  %12s  %12s  %12s  %8s%s\n", "", "size", "measured us", "fitted us",
                    "error", tells_messages(fit) ? "  messages" : "");
  for (const auto& time : fit.times)
    text += formatted("%12s  %12s  %12.3f  %12.3f  %+7.1f%%%s\n", time.series.c_str(),
                      to_text(time.bytes).c_str(), time.measured.value * 1e6,
                      time.fitted.value * 1e6, 100 * (time.fitted / time.measured - 1),
                      time.messages > 0 ? formatted("  %8" PRIu64, time.messages).c_str() : "");
  return text + "\n";
}

std::string socket_text(const platforms::SocketFit& fit) {
  return formatted("between sockets: %s, %.4g GB/s%s\n\n",
                   to_text(Seconds{std::round(fit.latency.value * 1e10) / 1e10}).c_str(),
                   fit.bandwidth.value * 1e-9, fit.is_as_fast_inside ? ", as inside a socket" : "");
}

}  // namespace

int calibrate_platform(const Arguments& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  const auto values = parse(calibrate_syntax(), Arguments(arguments.begin(), dashes));
  if (!values) return kDone;
  const auto settings = settings_of(*values);
  if (const auto output = (*values)["output"].as<std::string>(); output != "-")
    refuse_unwritable(output);
  const Arguments command =
      dashes == arguments.end() ? Arguments{} : Arguments(dashes + 1, arguments.end());
  const auto made = values->count("from")
                        ? made_from_trace(*values, settings, command)
                        : platforms::calibrate(measurements_of(*values, command), settings);
  const std::string text = json_text(made.platform);
  const auto output = (*values)["output"].as<std::string>();
  // What we write must be what we read.
  static_cast<void>(platforms::parse_platform(
      platforms::parse_document(text, output == "-" ? "(the calibrated platform)" : output)));
  std::string summary;
  if (made.intra_node) summary += fit_text(*made.intra_node, "inside a node");
  if (made.between_sockets) summary += socket_text(*made.between_sockets);
  if (made.inter_node) summary += fit_text(*made.inter_node, "between nodes");
  for (const auto& remark : made.remarks) summary += "note: " + remark + "\n";
  try {
    refuse_disturbed(made, values->count("accept-disturbed") > 0);
    refuse_poor_fit(made, percentage(*values, "most-error"));
  } catch (const RunError&) {
    std::fputs(summary.c_str(), stderr);
    throw;
  }
  write_output(*values, text);
  if (output != "-" || messages() != Messages::quiet)
    std::fputs(summary.c_str(), output == "-" ? stderr : stdout);
  return kDone;
}

}  // namespace reprise::cli
