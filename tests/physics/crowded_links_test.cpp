// SPDX-License-Identifier: MIT
// Where messages share links, in closed form: the path puts the sharing down at the links that were crowded, not at the narrowest of a route.
#include <catch2/catch.hpp>
#include <string>

#include "sim/experiment/answer.hpp"
#include "sim/experiment/details/critical_path.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

using sim::PathPart;

constexpr double kCrowdBytes = 1e6, kCrowdBody = kCrowdBytes / kBandwidth;

trace_io::Trace crowd_of(int ranks, const std::string& calls) {
  return trace_io::assemble(
      "reprise-text 1\nranks " + std::to_string(ranks) + "\nthread 0 {\n" + calls + "\n}\n",
      "test");
}
std::string message(int from, int to) {
  return "  ranks " + std::to_string(from) + ": MPI_Send peer=" + std::to_string(to) +
         " bytes=1000000\n  ranks " + std::to_string(to) +
         ": MPI_Recv peer=" + std::to_string(from) + " bytes=1000000\n";
}

sim::CriticalPathParts path_of(const trace_io::Trace& trace, sim::NetworkKind network) {
  sim::ReplaySettings settings;
  settings.network = network;
  sim::AnswerRequest request;
  request.details = sim::parse_details("critical-path");
  // Two leaf switches of four nodes, one cable up from each; all links as fast.
  return *sim::replayed(trace, fat_tree(2, 4), settings, request).figure<sim::CriticalPathParts>();
}

double sharing_at(const sim::CriticalPathParts& path, const std::string& where) {
  double sum = 0;
  for (const auto& share : path.shares)
    if (share.part == PathPart::sharing && share.where.starts_with(where)) sum += share.seconds;
  return sum;
}

constexpr sim::NetworkKind kSharing[] = {sim::NetworkKind::flow, sim::NetworkKind::fluid,
                                         sim::NetworkKind::queue};

}  // namespace

TEST_CASE("crowded links: four messages over one cable up share that cable", "[physics]") {
  std::string calls;
  for (int i = 0; i < 4; ++i) calls += message(i, i + 4);
  for (const auto network : kSharing) {
    INFO(name_of(network));
    const auto path = path_of(crowd_of(8, calls), network);
    CHECK(path.sum_of(PathPart::transfer) == near(kCrowdBody));
    CHECK(path.sum_of(PathPart::sharing) == near(3 * kCrowdBody));
    CHECK(sharing_at(path, "level 2") == near(3 * kCrowdBody));
    CHECK(sharing_at(path, "level 1") == 0);
  }
}

TEST_CASE("crowded links: three messages to one node share its cable", "[physics]") {
  const std::string at_once = R"(  ranks 1-3: MPI_Send peer=0 bytes=1000000
  ranks 0: MPI_Irecv peer=1 bytes=1000000 request=0
  ranks 0: MPI_Irecv peer=2 bytes=1000000 request=1
  ranks 0: MPI_Irecv peer=3 bytes=1000000 request=2
  ranks 0: MPI_Waitall requests=[0, 1, 2])";
  for (const auto network : kSharing) {
    INFO(name_of(network));
    const auto path = path_of(crowd_of(4, at_once), network);
    CHECK(path.sum_of(PathPart::sharing) == near(2 * kCrowdBody));
    CHECK(sharing_at(path, "level 1 down") == near(2 * kCrowdBody));
  }
}

TEST_CASE("crowded links: a message that two links hold back has a part on each", "[physics]") {
  // Three over the cable up get a third each, until two of them end after 0.75 ms; then the third and one from the same switch share the
  // receiver's cable for 1 ms.
  const std::string calls = R"(  ranks 0: MPI_Send peer=4 bytes=1000000
  ranks 1: MPI_Send peer=5 bytes=250000
  ranks 2: MPI_Send peer=6 bytes=250000
  ranks 7: MPI_Send peer=4 bytes=1000000
  ranks 4: MPI_Irecv peer=0 bytes=1000000 request=0
  ranks 4: MPI_Irecv peer=7 bytes=1000000 request=1
  ranks 4: MPI_Waitall requests=[0, 1]
  ranks 5: MPI_Recv peer=1 bytes=250000
  ranks 6: MPI_Recv peer=2 bytes=250000)";
  for (const auto network : {sim::NetworkKind::flow, sim::NetworkKind::fluid}) {
    INFO(name_of(network));
    const auto path = path_of(crowd_of(8, calls), network);
    constexpr double kClose = 0.02;  // routes differ in length, and the fluid model by a little
    CHECK(path.sum_of(PathPart::sharing) == Approx(kCrowdBody).epsilon(kClose));
    CHECK(sharing_at(path, "level 2") == Approx(kCrowdBody / 2).epsilon(kClose));
    CHECK(sharing_at(path, "level 1 down") == Approx(kCrowdBody / 2).epsilon(kClose));
  }
}

}  // namespace reprise::test
