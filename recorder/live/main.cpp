// SPDX-License-Identifier: MIT
// reprise-live: issues the MPI calls of a trace for real, waiting out what the program computed between them.
//
//   mpirun -n RANKS reprise-live FILE [--deltas ordered|mean|distribution|sample] [--seed N] [--compute FACTOR] [--stats]
//
// FILE may be the folder of the ranks' own traces (FILE.reprise.parts, kept with REPRISE_PARTS=keep): each rank plays what it recorded
// itself, before ranks were merged.
//
// Run it under mpiP and hold the report against the program's own: `reprise validate`. Exit status 0 done, 2 wrong usage or a trace that
// does not fit the number of ranks. Says nothing on stdout.
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "recorder/live/player.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/order/exact_orders.hpp"

namespace reprise::live {
namespace {

struct Command {
  std::string trace;
  Settings settings;
  bool stats = false;
};

constexpr const char* kUsage =
    "usage: mpirun -n RANKS reprise-live FILE [OPTIONS]\n\nIssues every MPI call of a trace for "
    "real, and waits between them for as long as the program computed.\n\noptions:\n      --deltas "
    "ordered|mean|distribution|sample\n                        how recorded compute times are "
    "played back (default ordered)\n      --seed N          seed of --deltas sample (default 1)\n  "
    "    --compute FACTOR  scale every compute time, such as 0.5x\n      --stats           print "
    "on stderr the time from the first call to MPI_Finalize on the slowest rank\n  -h, --help      "
    "      this text\n";

Command parse(int argc, char** argv) {
  Command command;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      if (i + 1 >= argc)
        throw InputError("reprise-live", word + " needs a value", "see reprise-live --help");
      return std::string(argv[++i]);
    };
    if (word == "--deltas") {
      const auto mode = value();
      if (mode == "ordered")
        command.settings.deltas = Deltas::ordered;
      else if (mode == "mean")
        command.settings.deltas = Deltas::mean;
      else if (mode == "distribution")
        command.settings.deltas = Deltas::distribution;
      else if (mode == "sample")
        command.settings.deltas = Deltas::sample;
      else
        throw InputError("--deltas", "\"" + mode + "\" is not one of its values",
                         "one of ordered, mean, distribution, sample");
    } else if (word == "--seed") {
      command.settings.seed = parse_count(value(), "--seed");
    } else if (word == "--compute") {
      command.settings.compute_scale = parse_factor(value(), "--compute");
    } else if (word == "--stats") {
      command.stats = true;
    } else if (word.starts_with("-")) {
      throw InputError("reprise-live", "unknown option " + word, "reprise-live --help lists them");
    } else if (command.trace.empty()) {
      command.trace = word;
    } else {
      throw InputError("reprise-live", "more than one trace: " + command.trace + " and " + word,
                       "");
    }
  }
  if (command.trace.empty())
    throw InputError("reprise-live", "no trace is named", "mpirun -n RANKS reprise-live FILE");
  return command;
}

// The job's trace, or the rank's own one of a folder of them.
std::string file_of(const Command& command, int rank) {
  if (!std::filesystem::is_directory(command.trace)) return command.trace;
  return command.trace + "/rank-" + std::to_string(rank) + ".part";
}

trace_io::Trace load(const Command& command, int ranks, int me) {
  auto trace = trace_io::load(file_of(command, me));
  if (trace.header.ranks != ranks)
    throw InputError(command.trace,
                     "recorded with " + std::to_string(trace.header.ranks) +
                         " ranks, but started with " + std::to_string(ranks),
                     "mpirun -n " + std::to_string(trace.header.ranks) + " reprise-live …");
  if (!trace.header.complete)
    throw InputError(command.trace,
                     "the trace is incomplete: ranks would wait for calls that are missing",
                     "record the program to its end");
  if (std::filesystem::is_directory(command.trace)) trace_io::make_exact_orders(trace);
  return trace;
}

void tell_of(const std::map<std::string, std::uint64_t>& skipped) {
  for (const auto& [name, count] : skipped)
    std::fprintf(stderr,
                 "reprise-live: rank 0: %s was not called %llu times; its recorded time was waited "
                 "instead\n",
                 name.c_str(), static_cast<unsigned long long>(count));
}

// Phases that stand for others are played in their place, so some calls are made more or less often than they were recorded.
void tell_of_representatives(const trace_io::Trace& trace, Rank me) {
  long long mine = 0, all = 0;
  for (const auto& program : trace.threads)
    trace_io::for_each_leaf(program, [&](const trace_io::Leaf& leaf) {
      for (const trace_io::FurtherCalls& one : leaf.further)
        if (one.rank == me) mine += std::abs(one.calls);
    });
  PMPI_Reduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (me.value == 0 && all > 0)
    std::fprintf(
        stderr,
        "reprise-live: %lld calls of MPI_Waitany and similar are more or fewer than recorded, "
        "because phases represent others; record with --completions exact to keep every call\n",
        all);
}

// A call that cannot be made here ends all ranks: the others would wait for it.
void play_or_end(Player& player) {
  try {
    return player.play();
  } catch (const CommandError& error) {
    std::fprintf(stderr, "reprise-live: error: %s\n", error.what());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "reprise-live: error: out of memory\n");
  }
  PMPI_Abort(MPI_COMM_WORLD, 2);
}

// Buffered sends need room. Nobody knows how much the program had: enough for whatever it had in flight is taken.
constexpr int kBufferedRoom = 64 << 20;

// Whether the node has a core for each thread of its ranks. By names: a communicator made and freed here would change what the program's
// own get, and Open MPI 4.1 hung in them.
bool has_cores_for(std::size_t threads) {
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0, ranks = 1;
  PMPI_Get_processor_name(name, &length);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<char> names(static_cast<std::size_t>(ranks) * sizeof name);
  PMPI_Allgather(name, sizeof name, MPI_CHAR, names.data(), sizeof name, MPI_CHAR, MPI_COMM_WORLD);
  long here = 0;
  for (std::size_t at = 0; at < names.size(); at += sizeof name)
    here += std::strcmp(&names[at], name) == 0 ? 1 : 0;
  return static_cast<long>(threads) * here <= sysconf(_SC_NPROCESSORS_ONLN);
}

// The rank's whole run, MPI_Finalize included.
void play(const trace_io::Trace& trace, Rank me, const Command& command) {
  Settings settings = command.settings;
  settings.has_own_core = has_cores_for(trace.threads.size());
  std::vector<char> buffered(kBufferedRoom);
  PMPI_Buffer_attach(buffered.data(), kBufferedRoom);
  const trace_io::CommunicatorTable table(trace);
  const trace_io::Programs programs(trace);
  Rankwide shared(Communicators(table, me));
  for (std::size_t thread = 0; thread < programs.thread_count(); ++thread)
    shared.requests.emplace_back();
  std::vector<std::unique_ptr<Player>> players;
  for (std::size_t thread = 0; thread < programs.thread_count(); ++thread)
    if (programs.has(me, thread))
      players.push_back(std::make_unique<Player>(programs, me, thread, shared, settings));
  PMPI_Barrier(
      MPI_COMM_WORLD);  // ranks leave MPI_Init together; reading the trace took them unequally long
  const double begin = PMPI_Wtime();
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < players.size(); ++i)
    others.emplace_back([&, i] { play_or_end(*players[i]); });
  play_or_end(*players.front());
  for (auto& other : others) other.join();
  const double took = PMPI_Wtime() - begin;
  double longest = took;
  PMPI_Reduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (command.stats && me.value == 0) std::fprintf(stderr, "reprise-live: %.6f s\n", longest);
  std::map<std::string, std::uint64_t> skipped;
  for (const auto& player : players)
    for (const auto& [name, count] : player->skipped()) skipped[name] += count;
  if (me.value == 0) tell_of(skipped);
  tell_of_representatives(trace, me);
  void* room = nullptr;
  int size = 0;
  PMPI_Buffer_detach(&room, &size);
  players.front()->finalize();
}

int run(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--help") == 0 || std::strcmp(argv[i], "-h") == 0) {
      std::fputs(kUsage, stdout);
      return 0;
    }
  }
  int provided = MPI_THREAD_SINGLE, ranks = 1, me = 0;
  // Whether threads are needed stands in the trace, which is read before MPI starts; errors are told by rank 0 alone.
  std::string problem;
  Command command;
  bool has_threads = false;
  try {
    command = parse(argc, argv);
    has_threads = trace_io::load(file_of(command, 0)).threads.size() > 1;
  } catch (const CommandError& error) {
    problem = error.what();
  }
  if (has_threads)
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  else
    MPI_Init(&argc, &argv);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  PMPI_Comm_rank(MPI_COMM_WORLD, &me);
  trace_io::Trace trace;
  if (problem.empty()) {
    try {
      trace = load(command, ranks, me);
    } catch (const CommandError& error) {
      problem = error.what();
    }
  }
  // Ranks of a folder each have a trace of their own: one that cannot be read stops them all.
  const int troubled = problem.empty() ? ranks : me;
  int teller = ranks;
  PMPI_Allreduce(&troubled, &teller, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (teller == ranks) {
    play(trace, Rank{me}, command);
    return 0;
  }
  if (me == teller) std::fprintf(stderr, "reprise-live: error: %s\n", problem.c_str());
  MPI_Finalize();
  return 2;
}

}  // namespace
}  // namespace reprise::live

int main(int argc, char** argv) { return reprise::live::run(argc, argv); }
