// SPDX-License-Identifier: MIT
#include <time.h>

#include <algorithm>
#include <cstddef>

#include "recorder/probe/patterns.hpp"

namespace reprise::probe {

Partners find_partners() {
  Partners partners;
  MPI_Comm_rank(MPI_COMM_WORLD, &partners.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &partners.ranks);
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int leader = partners.rank;  // a node is named by its lowest rank
  MPI_Bcast(&leader, 1, MPI_INT, 0, node);
  MPI_Comm_free(&node);
  std::vector<int> leaders(static_cast<std::size_t>(partners.ranks));
  MPI_Allgather(&leader, 1, MPI_INT, leaders.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::vector<int> fullest, firsts;
  for (int first = 0; first < partners.ranks; ++first) {
    if (leaders[static_cast<std::size_t>(first)] != first) continue;
    firsts.push_back(first);
    std::vector<int> members;
    for (int rank = first; rank < partners.ranks; ++rank)
      if (leaders[static_cast<std::size_t>(rank)] == first) members.push_back(rank);
    if (members.size() > fullest.size()) fullest = members;
  }
  partners.nodes = static_cast<int>(firsts.size());
  for (std::size_t i = 0; i + 1 < fullest.size(); i += 2)
    partners.inside.push_back({fullest[i], fullest[i + 1]});
  if (firsts.size() > 1) partners.between.push_back({firsts[0], firsts[1]});
  return partners;
}

void meet_quietly() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  int done = 0;
  for (int tries = 0; !done; ++tries) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done || tries < 1000) continue;  // who comes at nearly the same time does not sleep
    const timespec pause{0, 200'000};
    nanosleep(&pause, nullptr);
  }
}

}  // namespace reprise::probe
