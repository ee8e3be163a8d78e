// SPDX-License-Identifier: MIT
// What messages cost when both ranks have gone through other data before (platforms/cold_caches.hpp).
#include <algorithm>
#include <cstring>
#include <functional>

#include "recorder/probe/machine_state.hpp"
#include "recorder/probe/patterns.hpp"
#include "recorder/probe/two_ranks.hpp"

namespace reprise::probe {
namespace {

constexpr double kPatience = 20e-6;  // many times what a small message takes
constexpr std::size_t kLine = 64;
constexpr int kLeastSamples = 5, kMostSamples = 200;

// A rank that computes, as loops over arrays do. What it sends it writes afterwards: programs put their messages together right before they
// send them. What it receives into it has used before.
class Computing {
 public:
  explicit Computing(std::size_t bytes) : data_(bytes, 1) {}
  void write(std::vector<char>& message, std::uint64_t bytes) {
    std::memset(message.data(), ++value_, bytes);
    asm volatile("" : : "r"(message.data()) : "memory");
  }
  // Returns how long going through it took.
  double go_through() {
    const double before = MPI_Wtime();
    for (std::size_t i = 0; i < data_.size(); i += kLine) ++data_[i];
    asm volatile("" : : "r"(data_.data()) : "memory");
    return data_.empty() ? 0 : MPI_Wtime() - before;
  }

 private:
  std::vector<char> data_;
  char value_ = 0;
};

class ColdPatterns {
 public:
  ColdPatterns(const Partners& partners, const Pair& pair, const std::string& path,
               std::uint64_t most, const Plan& plan, double seconds_a_level)
      : partners_(partners),
        pair_(pair),
        path_(path),
        out_(most, 1),
        in_(most, 2),
        clock_(clock_cost()),
        seconds_(plan.seconds_per_row),
        seconds_a_level_(seconds_a_level),
        state_(*plan.state) {}

  // All patterns after computing over so much data. SMALL: sizes of eager messages, LARGE of others.
  void measure(std::size_t data, const std::vector<std::uint64_t>& small,
               const std::vector<std::uint64_t>& large, std::vector<Series>& into) {
    Computing computing(pair_.has(partners_.rank) ? data : 0);
    computing_ = &computing;
    if (!has_time_for(small.size() * 2 + large.size() * 2)) return;
    computed_.clear();
    std::vector<Series> series{
        of("cold_send", small, [&](std::uint64_t bytes) { return send_after(bytes); }),
        of("cold_recv", small, [&](std::uint64_t bytes) { return receive_after(bytes); }),
        of("cold_round_trip", large, [&](std::uint64_t bytes) { return round_trip_after(bytes); }),
        of("cold_copy", large, [&](std::uint64_t bytes) { return copy_after(bytes); })};
    double after = computed_.empty() ? 0 : summarise(computed_).median_s;
    MPI_Bcast(&after, 1, MPI_DOUBLE, pair_.one, MPI_COMM_WORLD);
    for (Series& one : series) {
      one.after_s = data == 0 ? 0 : after;
      if (!one.rows.empty()) into.push_back(std::move(one));
    }
  }

 private:
  Series of(const std::string& what, const std::vector<std::uint64_t>& sizes,
            const std::function<double(std::uint64_t)>& once) {
    Series series{what, path_, 1, {}};
    const auto measure = [&](std::uint64_t bytes) {
      meet_quietly();
      std::vector<double> samples;
      if (pair_.has(partners_.rank)) {
        once(bytes);
        const double before = MPI_Wtime();
        once(bytes);
        double one = std::max(1e-6, MPI_Wtime() - before);
        tell(one);
        const int wanted =
            std::clamp(static_cast<int>(seconds_ / one), kLeastSamples, kMostSamples);
        samples = sample(
            {1, wanted}, std::max(seconds_, one * kLeastSamples), MPI_Wtime,
            [&](int) { return once(bytes); },
            [&](bool more) { return go_on(partners_, pair_, more); });
      }
      report(partners_, pair_, bytes, samples, series);
    };
    for (const std::uint64_t bytes : sizes) state_.steadily(series, [&] { measure(bytes); });
    return series;
  }

  // Whether that many patterns take no longer than a level may: each computes, and waits as long for the other.
  bool has_time_for(std::size_t patterns) {
    double once = 0;
    for (int i = 0; i < 2 && pair_.has(partners_.rank); ++i)  // memory is mapped the first time
      once = computing_->go_through();
    MPI_Bcast(&once, 1, MPI_DOUBLE, pair_.one, MPI_COMM_WORLD);
    return 2 * once * kLeastSamples * static_cast<double>(patterns) < seconds_a_level_;
  }
  bool is_first() const { return partners_.rank == pair_.one; }
  int partner() const { return pair_.partner_of(partners_.rank); }

  // The first's number, of both.
  void tell(double& number) {
    if (is_first())
      MPI_Send(&number, 1, MPI_DOUBLE, partner(), kControl, MPI_COMM_WORLD);
    else
      MPI_Recv(&number, 1, MPI_DOUBLE, partner(), kControl, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  void meet() {
    MPI_Sendrecv(nullptr, 0, MPI_BYTE, partner(), kControl, nullptr, 0, MPI_BYTE, partner(),
                 kControl, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  double compute() {
    const double time = computing_->go_through();
    if (is_first() && time > 0) computed_.push_back(time);
    return time;
  }

  // The first sends when the other, who has computed as long, waits for it; until its send has returned, or an answer has come.
  double timed_send(std::uint64_t bytes, bool with_answer) {
    meet();
    if (!is_first()) {
      computing_->write(in_, bytes);
      compute();
      receive(in_, bytes, partner());
      send(out_, 0, partner());
      return 0;
    }
    spin(compute() + kPatience);
    computing_->write(out_, bytes);
    const double before = MPI_Wtime();
    send(out_, bytes, partner());
    double time = MPI_Wtime() - before;
    receive(in_, 0, partner());
    if (with_answer) time = MPI_Wtime() - before;
    return std::max(0.0, time - clock_);
  }
  double send_after(std::uint64_t bytes) { return timed_send(bytes, false); }
  double round_trip_after(std::uint64_t bytes) { return timed_send(bytes, true); }

  // The message has come before the first computes.
  double receive_after(std::uint64_t bytes) {
    meet();
    if (!is_first()) {
      std::memset(out_.data(), 3, bytes);
      send(out_, bytes, partner());
      receive(in_, 0, partner());
      return 0;
    }
    spin(kPatience);
    computing_->write(in_, bytes);
    compute();
    const double before = MPI_Wtime();
    receive(in_, bytes, partner());
    const double time = MPI_Wtime() - before;
    send(out_, 0, partner());
    return std::max(0.0, time - clock_);
  }

  // Both at once, as in a collective.
  double copy_after(std::uint64_t bytes) {
    meet();
    computing_->write(in_, bytes);
    compute();
    computing_->write(out_, bytes);
    const double before = MPI_Wtime();
    std::memcpy(in_.data(), out_.data(), bytes);
    asm volatile("" : : "r"(in_.data()) : "memory");
    return std::max(0.0, MPI_Wtime() - before - clock_);
  }

  const Partners& partners_;
  const Pair pair_;
  const std::string path_;
  std::vector<char> out_, in_;
  const double clock_, seconds_, seconds_a_level_;
  MachineState& state_;
  Computing* computing_ = nullptr;
  std::vector<double> computed_;
};

}  // namespace

void cold_caches(const Partners& partners, const Pair& pair, const std::string& path,
                 std::uint64_t eager_limit, const Plan& plan, double seconds_a_level,
                 std::vector<Series>& into) {
  std::vector<std::uint64_t> small, large;
  for (const std::uint64_t bytes : {std::uint64_t{8}, std::uint64_t{1} << 10, eager_limit})
    if (bytes <= eager_limit && bytes <= plan.sizes.back() &&
        (small.empty() || bytes > small.back()))
      small.push_back(bytes);
  for (std::uint64_t bytes = 1U << 14; bytes <= plan.sizes.back(); bytes *= 4)
    if (bytes > eager_limit) large.push_back(bytes);
  // The first is what the others are compared with: data that its sender has just written, and nothing else done.
  constexpr std::size_t kKiB = 1 << 10, kMiB = 1 << 20;
  ColdPatterns patterns(partners, pair, path, std::max(plan.sizes.back(), eager_limit), plan,
                        seconds_a_level);
  for (const std::size_t data : {std::size_t{0}, 256 * kKiB, kMiB, 4 * kMiB, 16 * kMiB, 128 * kMiB})
    patterns.measure(data, small, large, into);
}

}  // namespace reprise::probe
