// SPDX-License-Identifier: MIT
#include "recorder/probe/two_ranks.hpp"

namespace reprise::probe {

void report(const Partners& partners, const Pair& pair, std::uint64_t bytes,
            const std::vector<double>& samples, Series& series) {
  Summary summary;
  if (partners.rank == pair.one) {
    summary = summarise(samples);
    if (pair.one != 0) {
      const double told[4] = {summary.low_s, summary.median_s, summary.high_s,
                              static_cast<double>(summary.samples)};
      MPI_Send(told, 4, MPI_DOUBLE, 0, kControl, MPI_COMM_WORLD);
    }
  } else if (partners.rank == 0) {
    double told[4] = {};
    MPI_Recv(told, 4, MPI_DOUBLE, pair.one, kControl, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    summary = {told[0], told[1], told[2], static_cast<std::size_t>(told[3])};
  }
  if (partners.rank == 0) series.rows.push_back({bytes, summary});
}

Repetitions agree(const Partners& partners, const Pair& pair, double estimate_s, double budget_s) {
  Repetitions planned = plan(estimate_s, budget_s);
  int told[2] = {planned.inner, planned.samples};
  if (partners.rank == pair.one)
    MPI_Send(told, 2, MPI_INT, pair.other, kControl, MPI_COMM_WORLD);
  else
    MPI_Recv(told, 2, MPI_INT, pair.one, kControl, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return {told[0], told[1]};
}

bool go_on(const Partners& partners, const Pair& pair, bool wanted) {
  int told = wanted ? 1 : 0;
  if (partners.rank == pair.one)
    MPI_Send(&told, 1, MPI_INT, pair.other, kControl, MPI_COMM_WORLD);
  else
    MPI_Recv(&told, 1, MPI_INT, pair.one, kControl, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return told != 0;
}

void send(const std::vector<char>& from, std::uint64_t bytes, int to) {
  MPI_Send(from.data(), static_cast<int>(bytes), MPI_BYTE, to, kData, MPI_COMM_WORLD);
}
void receive(std::vector<char>& into, std::uint64_t bytes, int from) {
  MPI_Recv(into.data(), static_cast<int>(bytes), MPI_BYTE, from, kData, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

void spin(double seconds) {
  const double end = MPI_Wtime() + seconds;
  while (MPI_Wtime() < end) {
  }
}

double clock_cost() {
  std::vector<double> samples;
  for (int i = 0; i < 200; ++i) {
    const double before = MPI_Wtime();
    samples.push_back(MPI_Wtime() - before);
  }
  return summarise(samples).median_s;
}

}  // namespace reprise::probe
