// SPDX-License-Identifier: MIT
#include "recorder/probe/machine_state.hpp"

#include <mpi.h>
#include <time.h>

#include <algorithm>
#include <utility>

#include "recorder/probe/two_ranks.hpp"

namespace reprise::probe {
namespace {

constexpr int kLooks = 40, kChunks = 4, kRoundTrips = 5;
constexpr double kPause = 5e-3;  // a core that has slept may be given another place

void pause(double seconds) {
  const timespec time{
      static_cast<time_t>(seconds),
      static_cast<long>((seconds - static_cast<double>(static_cast<time_t>(seconds))) * 1e9)};
  nanosleep(&time, nullptr);
}

}  // namespace

MachineState::MachineState(const Partners& partners, const Pair& pair, const std::string& path,
                           double looking_s, double patience_s, WallLimit& limit)
    : partners_(partners),
      pair_(pair),
      patience_s_(patience_s),
      limit_(limit),
      out_(Reference::kBytes, 1),
      in_(Reference::kBytes, 2) {
  std::vector<double> times;
  meet_quietly();
  for (bool is_enough = false; !is_enough;) {
    for (int i = 0; i < kLooks / kChunks; ++i) {
      times.push_back(look());
      pause(looking_s / kLooks);
    }
    is_enough = first_tells(times.size() >= kLooks || limit_.is_over() ? 1 : 0) != 0;
  }
  double known[4] = {1, 1, 1, 1};
  if (partners_.rank == pair_.one) {
    const Reference found = usual_state(times);
    const double ours[4] = {found.time_s, found.low_s, found.high_s, found.share};
    std::copy(ours, ours + 4, known);
  }
  meet_quietly();
  MPI_Bcast(known, 4, MPI_DOUBLE, pair_.one, MPI_COMM_WORLD);
  reference_ = {path, known[0], known[1], known[2], known[3], 0};
}

double MachineState::look() {
  if (!pair_.has(partners_.rank)) return 0;
  double least = 0;
  for (int i = 0; i < kRoundTrips; ++i) {
    const double before = MPI_Wtime();
    if (partners_.rank == pair_.one) {
      send(out_, Reference::kBytes, pair_.other);
      receive(in_, Reference::kBytes, pair_.other);
    } else {
      receive(in_, Reference::kBytes, pair_.one);
      send(in_, Reference::kBytes, pair_.one);
    }
    const double time = (MPI_Wtime() - before) / 2;
    least = i == 0 ? time : std::min(least, time);
    std::swap(in_, out_);
  }
  return partners_.rank == pair_.one ? std::max(least, 1e-9) : 0;
}

bool MachineState::is_usual(double time) const {
  return time <= reference_.time_s * Reference::kSameState &&
         time * Reference::kSameState >= reference_.time_s;
}

int MachineState::first_tells(int known) const {
  meet_quietly();
  MPI_Bcast(&known, 1, MPI_INT, pair_.one, MPI_COMM_WORLD);
  return known;
}

bool MachineState::is_too_late() {
  const bool is_over = first_tells(limit_.is_over() ? 1 : 0) != 0;
  if (is_over) limit_.leave_out();
  return is_over;
}

void MachineState::await_usual() {
  const double began = MPI_Wtime();
  meet_quietly();
  while (first_tells(is_usual(look()) || MPI_Wtime() - began > patience_s_ || limit_.is_over()
                         ? 1
                         : 0) == 0)
    pause(kPause);
  row_began_ = MPI_Wtime();
  patience_s_ -= row_began_ - began;
}

bool MachineState::lasted() {
  enum : std::uint8_t { kAgain, kUsual, kOther };
  const bool is_as_before = is_usual(look());
  const double took = MPI_Wtime() - row_began_;
  const int verdict = first_tells(is_as_before                             ? kUsual
                                  : patience_s_ < took || limit_.is_over() ? kOther
                                                                           : kAgain);
  if (verdict == kAgain) patience_s_ -= took;
  if (verdict == kOther) ++reference_.other_rows;
  return verdict != kAgain;
}

}  // namespace reprise::probe
