// SPDX-License-Identifier: MIT
// Patterns of one rank and of all.
#include <cstring>
#include <functional>
#include <utility>

#include "recorder/probe/machine_state.hpp"
#include "recorder/probe/patterns.hpp"

namespace reprise::probe {
namespace {

constexpr int kPilotRounds = 4;

Series of_one_rank(const std::string& what, const Plan& plan_,
                   const std::function<void(std::uint64_t)>& once) {
  Series series{what, "rank", 1, {}};
  const auto measure = [&](std::uint64_t bytes) {
    MPI_Barrier(MPI_COMM_WORLD);
    once(bytes);
    const double start = MPI_Wtime();
    for (int i = 0; i < kPilotRounds; ++i) once(bytes);
    const Repetitions repetitions =
        plan((MPI_Wtime() - start) / kPilotRounds, plan_.seconds_per_row);
    const auto timed = [&](int inner) {
      const double before = MPI_Wtime();
      for (int i = 0; i < inner; ++i) once(bytes);
      return (MPI_Wtime() - before) / inner;
    };
    series.rows.push_back({bytes, summarise(sample(repetitions, plan_.seconds_per_row, MPI_Wtime,
                                                   timed, [](bool wanted) { return wanted; }))});
  };
  for (const std::uint64_t bytes : plan_.sizes)
    plan_.state->steadily(series, [&] { measure(bytes); });
  return series;
}

}  // namespace

Series copy(const Plan& plan_) {
  std::vector<char> from(plan_.sizes.back() + 1, 1), to(from.size(), 2);
  return of_one_rank("copy", plan_, [&](std::uint64_t bytes) {
    std::memcpy(to.data(), from.data(), bytes);
    asm volatile("" : : "r"(to.data()) : "memory");  // the copy is made each time
  });
}

Series reduce_local(const Plan& plan_) {
  std::vector<double> from(plan_.sizes.back() / sizeof(double) + 1, 1.0), into(from.size(), 0.0);
  return of_one_rank("reduce", plan_, [&](std::uint64_t bytes) {
    MPI_Reduce_local(from.data(), into.data(), static_cast<int>(bytes / sizeof(double)), MPI_DOUBLE,
                     MPI_SUM);
  });
}

Series collective(const Partners& partners, const std::string& what, const Plan& plan_) {
  const std::uint64_t blocks = what == "alltoall" ? static_cast<std::uint64_t>(partners.ranks) : 1;
  std::vector<double> out(plan_.sizes.back() * blocks / sizeof(double) + 1, 0.0),
      in(out.size(), 0.0);
  const auto once = [&](std::uint64_t bytes) {
    const int count = static_cast<int>(bytes);
    if (what == "barrier")
      MPI_Barrier(MPI_COMM_WORLD);
    else if (what == "bcast")
      MPI_Bcast(out.data(), count, MPI_BYTE, 0, MPI_COMM_WORLD);
    else if (what == "allreduce")
      MPI_Allreduce(out.data(), in.data(), static_cast<int>(bytes / sizeof(double)), MPI_DOUBLE,
                    MPI_SUM, MPI_COMM_WORLD);
    else
      MPI_Alltoall(out.data(), count, MPI_BYTE, in.data(), count, MPI_BYTE, MPI_COMM_WORLD);
    std::swap(in, out);
  };
  Series series{what, "world", 1, {}};
  const auto measure = [&](std::uint64_t bytes) {
    MPI_Barrier(MPI_COMM_WORLD);
    once(bytes);
    const double start = MPI_Wtime();
    for (int i = 0; i < kPilotRounds; ++i) once(bytes);
    Repetitions repetitions = plan((MPI_Wtime() - start) / kPilotRounds, plan_.seconds_per_row);
    int told[2] = {repetitions.inner, repetitions.samples};
    MPI_Bcast(told, 2, MPI_INT, 0, MPI_COMM_WORLD);
    repetitions = {told[0], told[1]};
    const auto timed = [&](int inner) {
      MPI_Barrier(MPI_COMM_WORLD);
      const double before = MPI_Wtime();
      for (int i = 0; i < inner; ++i) once(bytes);
      return (MPI_Wtime() - before) / inner;
    };
    const auto go_on = [](bool wanted) {
      int go = wanted ? 1 : 0;
      MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
      return go != 0;
    };
    const auto samples = sample(repetitions, plan_.seconds_per_row, MPI_Wtime, timed, go_on);
    std::vector<double> slowest(samples.size());
    MPI_Reduce(samples.data(), slowest.data(), static_cast<int>(samples.size()), MPI_DOUBLE,
               MPI_MAX, 0, MPI_COMM_WORLD);
    if (partners.rank == 0) series.rows.push_back({bytes, summarise(slowest)});
  };
  for (const std::uint64_t bytes : plan_.sizes)
    plan_.state->steadily(series, [&] { measure(bytes); });
  return series;
}

}  // namespace reprise::probe
