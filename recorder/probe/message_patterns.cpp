// SPDX-License-Identifier: MIT
// Patterns of two ranks.
#include <algorithm>
#include <functional>
#include <utility>

#include "recorder/probe/machine_state.hpp"
#include "recorder/probe/patterns.hpp"
#include "recorder/probe/two_ranks.hpp"

namespace reprise::probe {
namespace {

constexpr int kPilot = 8;

// Data  what a rank sends is what it received last: nothing costs less to send than data that nobody has written since it was sent before,
//       which stays in both caches, and no program sends that. On the machine of docs/RESULTS.md it makes half the time of 64 KiB.

struct Buffers {
  // `has_part`: else next to none, since a node may have many ranks.
  explicit Buffers(const Plan& plan, bool has_part = true)
      : out(has_part ? std::max<std::uint64_t>(1, plan.sizes.back()) : 1, 1), in(out.size(), 2) {}
  std::vector<char> out, in;
};

// ONCE is what a member of a pair repeats; MEASURED times follow from the wall times of `inner` repetitions.
Series repeat(const Partners& partners, const std::vector<Pair>& pairs, Series series,
              const Plan& plan, double share,
              const std::function<void(const Pair&, std::uint64_t)>& once) {
  const auto mine = std::find_if(pairs.begin(), pairs.end(),
                                 [&](const Pair& pair) { return pair.has(partners.rank); });
  const auto measure = [&](std::uint64_t bytes) {
    meet_quietly();
    Repetitions repetitions;
    // All pairs repeat what the first pair plans, so that they are busy for about the same time.
    if (partners.rank == pairs.front().one || partners.rank == pairs.front().other) {
      once(pairs.front(), bytes);
      const double before = MPI_Wtime();
      for (int i = 0; i < kPilot; ++i) once(pairs.front(), bytes);
      repetitions =
          agree(partners, pairs.front(), (MPI_Wtime() - before) / kPilot, plan.seconds_per_row);
    }
    if (pairs.size() > 1) {
      int told[2] = {repetitions.inner, repetitions.samples};
      MPI_Bcast(told, 2, MPI_INT, pairs.front().one, MPI_COMM_WORLD);
      repetitions = {told[0], told[1]};
    }
    std::vector<double> samples;
    const auto agree_on = [&](bool wanted) {
      if (pairs.size() == 1) return go_on(partners, pairs.front(), wanted);
      int told = wanted ? 1 : 0;
      MPI_Bcast(&told, 1, MPI_INT, pairs.front().one, MPI_COMM_WORLD);
      return told != 0;
    };
    if (mine != pairs.end())
      samples = sample(
          repetitions, plan.seconds_per_row, MPI_Wtime,
          [&](int inner) {
            const double before = MPI_Wtime();
            for (int i = 0; i < inner; ++i) once(*mine, bytes);
            return (MPI_Wtime() - before) * share / inner;
          },
          agree_on);
    else if (pairs.size() > 1)
      while (agree_on(false)) {
      }
    report(partners, pairs.front(), bytes, samples, series);
  };
  for (const std::uint64_t bytes : plan.sizes)
    plan.state->steadily(series, [&] { measure(bytes); });
  meet_quietly();
  return series;
}

constexpr double kLate = 300e-6;

// Whether the first's send takes about as long as the other is LATE with receiving it; by majority. Ranks without a part follow.
bool waits(const Partners& partners, const Pair& pair, const std::vector<char>& out,
           std::uint64_t bytes, const std::function<void()>& receive_late) {
  constexpr int kTries = 7;
  std::vector<char> nothing(1);
  int votes = 0;
  for (int i = 0; i < kTries && pair.has(partners.rank); ++i) {
    if (partners.rank == pair.one) {
      receive(nothing, 0, pair.other);  // the other begins to be late
      const double before = MPI_Wtime();
      send(out, bytes, pair.other);
      votes += MPI_Wtime() - before > kLate / 2 ? 1 : 0;
    } else {
      send(nothing, 0, pair.one);
      receive_late();
    }
  }
  MPI_Bcast(&votes, 1, MPI_INT, pair.one, MPI_COMM_WORLD);
  return votes > kTries / 2;
}

}  // namespace

Series ping_pong(const Partners& partners, const Pair& pair, const std::string& path,
                 const Plan& plan) {
  Buffers buffers(plan, pair.has(partners.rank));
  return repeat(partners, {pair}, {"pingpong", path, 1, {}}, plan, 0.5,
                [&](const Pair& two, std::uint64_t bytes) {
                  if (partners.rank == two.one) {
                    send(buffers.out, bytes, two.other);
                    receive(buffers.in, bytes, two.other);
                  } else {
                    receive(buffers.in, bytes, two.one);
                    send(buffers.in, bytes, two.one);
                  }
                  std::swap(buffers.in, buffers.out);
                });
}

Series exchange(const Partners& partners, const std::vector<Pair>& pairs, const std::string& path,
                const Plan& plan) {
  Buffers buffers(
      plan, std::ranges::any_of(pairs, [&](const Pair& pair) { return pair.has(partners.rank); }));
  return repeat(
      partners, pairs, {"exchange", path, static_cast<int>(pairs.size()), {}}, plan, 1,
      [&](const Pair& two, std::uint64_t bytes) {
        const int partner = two.partner_of(partners.rank), count = static_cast<int>(bytes);
        MPI_Sendrecv(buffers.out.data(), count, MPI_BYTE, partner, kData, buffers.in.data(), count,
                     MPI_BYTE, partner, kData, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        std::swap(buffers.in, buffers.out);
      });
}

Series send_overhead(const Partners& partners, const Pair& pair, const std::string& path,
                     const Plan& plan) {
  Buffers buffers(plan);
  const double clock = clock_cost();
  Series series{"send_overhead", path, 1, {}};
  const auto measure = [&](std::uint64_t bytes) {
    meet_quietly();
    std::vector<double> samples;
    if (pair.has(partners.rank)) {
      const Repetitions repetitions = agree(partners, pair, 2e-6, plan.seconds_per_row);
      samples = sample(
          repetitions, plan.seconds_per_row, MPI_Wtime,
          [&](int) {
            double time = 0;
            if (partners.rank == pair.one) {
              const double before = MPI_Wtime();
              send(buffers.out, bytes, pair.other);
              time = std::max(0.0, MPI_Wtime() - before - clock);
              receive(buffers.in, 0, pair.other);
            } else {
              receive(buffers.in, bytes, pair.one);
              send(buffers.out, 0, pair.one);
            }
            return time;
          },
          [&](bool wanted) { return go_on(partners, pair, wanted); });
    }
    report(partners, pair, bytes, samples, series);
  };
  for (const std::uint64_t bytes : plan.sizes)
    plan.state->steadily(series, [&] { measure(bytes); });
  return series;
}

Series recv_overhead(const Partners& partners, const Pair& pair, const std::string& path,
                     const Plan& plan) {
  constexpr double kPatience =
      20e-6;  // many times what a small message takes between the nodes of a cluster
  Buffers buffers(plan);
  const double clock = clock_cost();
  Series series{"recv_overhead", path, 1, {}};
  const auto measure = [&](std::uint64_t bytes) {
    meet_quietly();
    std::vector<double> samples;
    if (pair.has(partners.rank)) {
      const Repetitions repetitions = agree(partners, pair, kPatience, plan.seconds_per_row);
      samples = sample(
          repetitions, plan.seconds_per_row, MPI_Wtime,
          [&](int) {
            double time = 0;
            if (partners.rank == pair.one) {
              send(buffers.out, 0, pair.other);
              spin(kPatience);
              const double before = MPI_Wtime();
              receive(buffers.in, bytes, pair.other);
              time = std::max(0.0, MPI_Wtime() - before - clock);
            } else {
              receive(buffers.in, 0, pair.one);
              send(buffers.out, bytes, pair.one);
            }
            return time;
          },
          [&](bool wanted) { return go_on(partners, pair, wanted); });
    }
    report(partners, pair, bytes, samples, series);
  };
  for (const std::uint64_t bytes : plan.sizes)
    plan.state->steadily(series, [&] { measure(bytes); });
  return series;
}

bool is_asynchronous(const Partners& partners, const Pair& pair, std::uint64_t bytes) {
  std::vector<char> out(bytes, 1), in(bytes, 2);
  meet_quietly();
  return !waits(partners, pair, out, bytes, [&] {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(in.data(), static_cast<int>(bytes), MPI_BYTE, pair.one, kData, MPI_COMM_WORLD,
              &request);
    spin(kLate);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
}

EagerLimit eager_limit(const Partners& partners, const Pair& pair, const std::string& path,
                       std::uint64_t most) {
  std::vector<char> out(most, 1), in(most, 2);
  meet_quietly();
  // A message that nobody sends is looked for: that keeps MPI's progress going.
  const auto dawdle = [&] {
    const double end = MPI_Wtime() + kLate;
    int found = 0;
    while (MPI_Wtime() < end)
      MPI_Iprobe(pair.one, kNever, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  };
  const auto asked = [&](std::uint64_t bytes) {
    return waits(partners, pair, out, bytes, [&] {
      dawdle();
      receive(in, bytes, pair.one);
    });
  };
  if (!asked(most)) return {path, most, false};
  std::uint64_t eager = 0, rendezvous = most;
  while (rendezvous - eager > 1) {
    const std::uint64_t middle = eager + (rendezvous - eager) / 2;
    (asked(middle) ? rendezvous : eager) = middle;
  }
  return {path, eager, true};
}

std::vector<std::uint64_t> usual_sizes(std::uint64_t most) {
  constexpr std::uint64_t kCoarse = 4U << 20;
  std::vector<std::uint64_t> sizes{0, 1};
  for (std::uint64_t power = 2; power <= most; power *= 2) {
    sizes.push_back(power);
    if (power >= 64 && power < kCoarse && power + power / 2 <= most)
      sizes.push_back(power + power / 2);
  }
  return sizes;
}

}  // namespace reprise::probe
