// SPDX-License-Identifier: MIT
#include "recorder/wrappers/iteration_vote.hpp"

#include <array>
#include <cstddef>

#include "recorder/capture/recording.hpp"
#include "recorder/wrappers/ranks.hpp"

namespace reprise::recorder {

void vote_on_iterations(Recording& recording, MPI_Comm comm) noexcept {
  if (recording.settings.iterations == 0) return;
  trace_io::IterationLevels levels = recording.iteration_levels();
  std::array<double, 2 * std::tuple_size_v<trace_io::IterationLevels>> own{}, sum{};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    own[2 * i] = levels[i].around;
    own[2 * i + 1] = levels[i].within;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  if (PMPI_Iallreduce(own.data(), sum.data(), static_cast<int>(own.size()), MPI_DOUBLE, MPI_SUM,
                      comm, &request) != MPI_SUCCESS)
    return;
  await(request);
  for (std::size_t i = 0; i < levels.size(); ++i) levels[i] = {sum[2 * i], sum[2 * i + 1]};
  recording.choose_iterations_by(levels);
}

}  // namespace reprise::recorder
