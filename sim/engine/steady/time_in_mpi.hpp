// SPDX-License-Identifier: MIT
// How a rank's time in MPI is divided in iterations that are left out. What transfers take follows from the messages, which are alike in every iteration; waiting
// is how ranks differ, and makes up the rest.
#pragma once

#include <algorithm>
#include <cstdint>

namespace reprise::sim {

struct TimeInMpi {
  double all = 0, wait = 0;  // seconds; ALL holds WAIT
};

// A rank's time in MPI since an iteration from which on the loop's iterations are like those to be left out.
class WatchedTimeInMpi {
 public:
  void begin(TimeInMpi now, std::uint64_t iteration) { early_ = late_ = {now, iteration}; }
  // Forgets what came before the last call of this or begin(). Called at powers of two, it leaves the last half to three quarters.
  void move_on(TimeInMpi now, std::uint64_t iteration) {
    early_ = late_;
    late_ = {now, iteration};
  }
  // What passes between these two is not watched.
  void pause(TimeInMpi now, std::uint64_t iteration) { late_ = {now, iteration}; }
  void go_on(TimeInMpi now, std::uint64_t iteration) {
    early_.time.all += now.all - late_.time.all;
    early_.time.wait += now.wait - late_.time.wait;
    early_.iteration += iteration - late_.iteration;
  }
  // Seconds of IN_MPI, the time in MPI of LEFT_OUT iterations from ITERATION on, that are not waiting.
  double transfer_left_out(TimeInMpi now, std::uint64_t iteration, std::uint64_t left_out,
                           double in_mpi) const {
    if (iteration <= early_.iteration) return 0;
    const double transfer = (now.all - now.wait) - (early_.time.all - early_.time.wait),
                 iterations = static_cast<double>(iteration - early_.iteration);
    return std::clamp(transfer / iterations * static_cast<double>(left_out), 0.0, in_mpi);
  }

 private:
  struct Mark {
    TimeInMpi time;
    std::uint64_t iteration = 0;
  };
  Mark early_, late_;
};

}  // namespace reprise::sim
