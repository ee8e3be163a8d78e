// SPDX-License-Identifier: MIT
// reprise-probe: measures what messages cost on this machine, for `reprise platform calibrate`; or its noise, for `reprise replay --noise`;
// or what the recorder adds to compute times.
//
//   mpirun -n RANKS reprise-probe [-o FILE] [--seconds S] [--most SIZE] [--collectives]
//   mpirun -n CORES reprise-probe --noise [-o FILE] [--for S]
//   reprise-probe --recorder [-o FILE] [--for S] [--clock cpu]
//
// Two ranks of one node and two ranks of different nodes are measured, as far as there are such; further ranks of a node exchange in
// pairs, all at once. One rank per core, please. Exit status 0 done, 1 the file cannot be written, 2 wrong usage.
#include <mpi.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "recorder/probe/machine_state.hpp"
#include "recorder/probe/noise.hpp"
#include "recorder/probe/patterns.hpp"
#include "recorder/probe/recorder_curve.hpp"
#include "recorder/probe/wall_limit.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/progress_line.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::probe {
namespace {

// Larger messages, where they are asked for, are measured between two ranks only: what they cost beside that grows with the size.
constexpr std::uint64_t kMostElsewhere = 4U << 20;
// What measuring cold caches takes, in series: half of --seconds.
constexpr double kColdSeries = 4;
// Looking for the machine's usual state, and waiting for it, in parts of --seconds.
constexpr double kLookingPart = 0.1, kPatiencePart = 1;

enum class What : std::uint8_t { messages, noise, recorder };

struct Command {
  What what = What::messages;
  std::string output = "-";
  double seconds = 10;
  std::uint64_t most = 4 << 20;
  bool with_collectives = false, cpu_time = false, quiet = false, on_terminal = false;
};

constexpr const char* kUsage =
    "usage: mpirun -n RANKS reprise-probe [OPTIONS]\n       mpirun -n CORES reprise-probe --noise "
    "[-o FILE] [--for S]\n       reprise-probe --recorder [-o FILE] [--for S] [--clock "
    "cpu]\n\nMeasures the cost of messages between ranks; `reprise platform calibrate` makes a "
    "platform from it.\n\noptions:\n  -o, --output FILE  output file; - is stdout (default -)\n    "
    "  --seconds S    approximate duration in seconds (default 10); it ends after six times as "
    "long\n      --most SIZE    the "
    "largest message, 64 KiB to 64 MiB (default 4 MiB)\n      --collectives  also measure "
    "barrier, "
    "bcast, allreduce and alltoall, to compare predictions with\n      --noise        measure "
    "noise instead, with one process per core; prints a table, and writes with -o\n                "
    "     the signature for `reprise replay --noise FILE`\n      --recorder     measure the "
    "recorder's overhead on compute times instead, by the rate of MPI calls; prints a\n            "
    "         table, and writes JSON with -o\n      --for S        approximate duration of these "
    "two in seconds (default 5)\n      --clock cpu    with --recorder: as for reprise record "
    "--clock cpu\n  -q, --quiet        no progress on stderr (--noise and --recorder never show "
    "any, since it would disturb them)\n      --terminal     stderr is a terminal behind a "
    "launcher: show progress in one line\n  -h, --help         this text\n";

Command parse(int argc, char** argv) {
  Command command;
  bool seconds_given = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      if (i + 1 >= argc)
        throw InputError("reprise-probe", word + " needs a value", "see reprise-probe --help");
      return std::string(argv[++i]);
    };
    if (word == "-o" || word == "--output") {
      command.output = value();
    } else if (word == "--noise") {
      command.what = What::noise;
    } else if (word == "--recorder") {
      command.what = What::recorder;
    } else if (word == "--clock") {
      const std::string clock = value();
      if (clock != "cpu" && clock != "wall")
        throw InputError("--clock", "\"" + clock + "\" is not a clock", "wall or cpu");
      command.cpu_time = clock == "cpu";
    } else if (word == "--seconds" || word == "--for") {
      const auto seconds = parse_count(value(), word);
      if (seconds < 1 || seconds > 3600)
        throw InputError(word, std::to_string(seconds) + " is not in 1 … 3600");
      command.seconds = static_cast<double>(seconds);
      seconds_given = true;
    } else if (word == "--most") {
      command.most = parse_bytes(value(), "--most").value;
      if (command.most < (64U << 10) || command.most > (64U << 20))
        throw InputError("--most", to_text(Bytes{command.most}) + " is not in 64 KiB … 64 MiB");
    } else if (word == "--collectives") {
      command.with_collectives = true;
    } else if (word == "-q" || word == "--quiet") {
      command.quiet = true;
    } else if (word == "--terminal") {
      command.on_terminal = true;
    } else {
      throw InputError("reprise-probe", "unknown option " + word,
                       "reprise-probe --help lists them");
    }
  }
  if (command.what != What::messages && !seconds_given) command.seconds = 5;
  return command;
}

std::string utc_now() {
  const time_t now = time(nullptr);
  tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

std::string library_name() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  return std::string(text, std::strcspn(text, ",\n"));
}

// How many of the series are measured; written between them, by rank 0, so that it disturbs none.
class Progress {
 public:
  Progress(const Command& command, int rank, const WallLimit& limit, double series)
      : line_(stderr,
              rank != 0             ? ProgressLine::Place::none
              : command.on_terminal ? ProgressLine::Place::terminal
                                    : progress_place(command.quiet),
              steady_now),
        limit_(limit),
        series_(series) {}

  void measured(double series) {
    done_ += series;
    const Seconds elapsed = line_.elapsed();
    const double of_limit = elapsed.value / (elapsed.value + std::max(0.0, limit_.left()));
    line_.show("measuring messages: " + part_text(std::max(done_ / series_, of_limit), elapsed));
  }

 private:
  ProgressLine line_;
  const WallLimit& limit_;
  double series_, done_ = 0;
};

// Everything between two ranks of a path.
void measure_path(const Partners& partners, const std::vector<Pair>& pairs, const std::string& path,
                  const Plan& all, double seconds, Progress& progress, Measurement& into) {
  Plan usual = all;
  std::erase_if(usual.sizes, [](std::uint64_t size) { return size > kMostElsewhere; });
  const std::uint64_t most = usual.sizes.back();
  into.eager_limits.push_back(eager_limit(partners, pairs.front(), path, most));
  into.eager_limits.back().is_asynchronous = is_asynchronous(partners, pairs.front(), most);
  Plan small = all;
  small.sizes.clear();
  const std::uint64_t limit = into.eager_limits.back().bytes;
  for (std::uint64_t size = 0; size <= limit && size <= (1U << 16); size = size == 0 ? 8 : size * 4)
    small.sizes.push_back(size);
  const auto keep = [&](auto series) {
    into.series.push_back(std::move(series));
    progress.measured(1);
  };
  keep(ping_pong(partners, pairs.front(), path, all));
  keep(send_overhead(partners, pairs.front(), path, small));
  keep(recv_overhead(partners, pairs.front(), path, small));
  keep(exchange(partners, {pairs.front()}, path, all));
  if (pairs.size() > 1) keep(exchange(partners, pairs, path, usual));
  cold_caches(partners, pairs.front(), path, limit, usual, seconds / 2, into.series);
  progress.measured(kColdSeries);
}

Measurement measure(const Command& command, int rank) {
  Measurement measured;
  WallLimit limit(command.seconds);
  const Partners partners = find_partners();
  measured.date = utc_now();
  measured.host = host_name();
  measured.mpi_library = library_name();
  measured.ranks = partners.ranks;
  measured.nodes = partners.nodes;
  measured.cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  Plan plan;
  plan.sizes = usual_sizes(command.most);
  const int paths = (partners.inside.empty() ? 0 : 1) + (partners.between.empty() ? 0 : 1);
  const double series =
      3.0 * paths + (partners.inside.size() > 1 ? 1 : 0) + 2 + (command.with_collectives ? 3 : 0);
  plan.seconds_per_row = command.seconds / (series * static_cast<double>(plan.sizes.size()));
  Progress progress(command, rank, limit,
                    (4 + kColdSeries) * paths + (partners.inside.size() > 1 ? 1 : 0) +
                        (partners.between.size() > 1 ? 1 : 0) + 2 +
                        (command.with_collectives ? 4 : 0));
  std::vector<std::unique_ptr<MachineState>> states;
  for (const auto& [pairs, path] :
       {std::pair(&partners.inside, "intra_node"), std::pair(&partners.between, "inter_node")}) {
    if (pairs->empty()) continue;
    states.push_back(std::make_unique<MachineState>(partners, pairs->front(), path,
                                                    kLookingPart * command.seconds,
                                                    kPatiencePart * command.seconds, limit));
    plan.state = states.back().get();
    measure_path(partners, *pairs, path, plan, command.seconds, progress, measured);
  }
  plan.state = states.front().get();
  Plan local = plan;
  local.sizes.clear();
  for (std::uint64_t size = 64; size <= std::min(command.most, kMostElsewhere); size *= 2)
    local.sizes.push_back(size);
  measured.series.push_back(copy(local));
  progress.measured(1);
  measured.series.push_back(reduce_local(local));
  progress.measured(1);
  if (command.with_collectives) {
    Plan once = plan;
    once.sizes = {0};
    measured.series.push_back(collective(partners, "barrier", once));
    progress.measured(1);
    local.sizes.insert(local.sizes.begin(), 8);
    for (const char* what : {"bcast", "allreduce", "alltoall"}) {
      measured.series.push_back(collective(partners, what, local));
      progress.measured(1);
    }
  }
  for (const auto& state : states) measured.references.push_back(state->reference());
  measured.not_measured = limit.left_out();
  return measured;
}

void write_text(const std::string& text, const std::string& path) {
  std::FILE* file = path == "-" ? stdout : std::fopen(path.c_str(), "w");
  bool fine = file != nullptr && std::fputs(text.c_str(), file) >= 0;
  if (file != nullptr) fine = (file == stdout ? std::fflush(file) : std::fclose(file)) == 0 && fine;
  if (!fine) throw RunError(path, std::string("cannot be written: ") + std::strerror(errno));
}

void probe_noise(const Command& command, int rank) {
  MachineNoise noise = measure_noise(command.seconds, MPI_COMM_WORLD);
  if (rank != 0) return;
  noise.date = utc_now();
  noise.host = host_name();
  std::fputs(to_text(noise).c_str(), stdout);
  if (command.output != "-") write_text(to_json(noise), command.output);
}

// By rank 0 alone.
void probe_recorder(const Command& command, int rank) {
  if (rank != 0) return;
  const RecorderCurve curve = measure_recorder(command.cpu_time, command.seconds);
  std::fputs(to_text(curve).c_str(), stdout);
  if (command.output != "-") write_text(to_json(curve), command.output);
}

void probe_messages(const Command& command, int rank, int ranks) {
  if (ranks < 2)
    throw InputError("reprise-probe", "started with one rank",
                     "messages need two: mpirun -n 2 reprise-probe");
  const Measurement measured = measure(command, rank);
  if (rank == 0 && measured.not_measured > 0)
    std::fprintf(stderr,
                 "reprise-probe: warning: ended after six times --seconds; %llu of its times were "
                 "not measured\n  other programs have the cores: end them, and give every rank a "
                 "core of its own\n",
                 static_cast<unsigned long long>(measured.not_measured));
  if (rank == 0 && !write(measured, command.output))
    throw RunError(command.output, std::string("cannot be written: ") + std::strerror(errno));
}

int run(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--help") == 0 || std::strcmp(argv[i], "-h") == 0) {
      std::fputs(kUsage, stdout);
      return 0;
    }
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int status = 0;
  try {
    const Command command = parse(argc, argv);
    if (command.what == What::noise)
      probe_noise(command, rank);
    else if (command.what == What::recorder)
      probe_recorder(command, rank);
    else
      probe_messages(command, rank, ranks);
  } catch (const InputError& error) {
    if (rank == 0) std::fprintf(stderr, "reprise-probe: error: %s\n", error.what());
    status = 2;
  } catch (const RunError& error) {
    std::fprintf(stderr, "reprise-probe: error: %s\n", error.what());
    status = 1;
  }
  MPI_Finalize();
  return status;
}

}  // namespace
}  // namespace reprise::probe

int main(int argc, char** argv) { return reprise::probe::run(argc, argv); }
