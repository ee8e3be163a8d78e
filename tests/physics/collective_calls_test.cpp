// SPDX-License-Identifier: MIT
// From a recorded collective call to what schedules take: sizes, roots and neighbours by MPI's definitions (MPI 3.1, chapter 5).
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "sim/engine/collectives/collective_call.hpp"
#include "sim/engine/collectives/open_collectives.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

using Side = sim::CollectiveCall::Side;
using Sizes = std::vector<std::int64_t>;

// The last call of RANK in CALLS, as the schedules see it.
class Described {
 public:
  Described(int ranks, int rank, const std::string& calls, const std::string& communicator = "")
      : trace_(trace_io::assemble("reprise-text 1\nranks " + std::to_string(ranks) + "\n" +
                                      communicator + "\nthread 0 {\n" + calls + "\n}\n",
                                  "test")),
        programs_(trace_),
        stream_(programs_, Rank{rank}, 0),
        communicators_(trace_),
        rank_(rank) {
    REQUIRE(stream_.advance());
    const sim::EventFields fields(stream_);
    view_ = communicators_.view(rank, fields.scalar(trace_io::Field::comm));
    REQUIRE(view_ != nullptr);
    call = sim::describe_collective(stream_.procedure().collective, fields, *view_);
  }

  std::string problem() const { return sim::check_collective(call, *view_); }
  std::int32_t root() const { return sim::root_of(call, communicators_, rank_, *view_); }
  std::uint64_t share() const { return sim::own_share(call).value; }
  std::uint64_t bytes() const { return call.bytes.value; }
  Sizes sent() const { return {call.send_list.begin(), call.send_list.end()}; }
  Sizes received() const { return {call.receive_list.begin(), call.receive_list.end()}; }
  sim::CommunicatorView& view() { return *view_; }

  sim::CollectiveCall call;

 private:
  const trace_io::Trace trace_;
  const trace_io::Programs programs_;
  sim::EventStream stream_;
  sim::Communicators communicators_;
  const std::int32_t rank_;
  sim::CommunicatorView* view_ = nullptr;
};

const std::string kGroups = "communicator 2: 0 1 | 2 3 4";

}  // namespace

TEST_CASE("collective call: a rank's place, its root and what it is to it", "[physics]") {
  const std::string bcast = "MPI_Bcast comm=2 peer=1 send_bytes=80";
  const std::string communicator = "communicator 2: 3 1 2";
  const Described root(4, 1, "ranks 1-3: " + bcast, communicator),
      other(4, 3, "ranks 1-3: " + bcast, communicator);
  CHECK(root.call.rank == 1);
  CHECK(root.call.size == 3);
  CHECK(root.call.remote_size == 0);
  CHECK(root.call.root == 1);
  CHECK(root.call.side == Side::root);
  CHECK(root.root() == 1);
  CHECK(other.call.rank == 0);
  CHECK(other.call.side == Side::opposite);
  CHECK(other.root() == 1);
  CHECK(other.bytes() == 80);
  CHECK(other.problem().empty());
}

TEST_CASE("collective call: between groups the root names itself, those beside it nobody",
          "[physics]") {
  const std::string calls = R"(ranks 0: MPI_Bcast comm=2 peer=null send_bytes=0
      ranks 1: MPI_Bcast comm=2 peer=root send_bytes=80
      ranks 2-4: MPI_Bcast comm=2 peer=1 send_bytes=80)";
  const Described beside(5, 0, calls, kGroups), root(5, 1, calls, kGroups),
      opposite(5, 3, calls, kGroups);
  CHECK(beside.call.side == Side::with_root);
  CHECK(beside.root() == sim::OpenCollectives::kUnknownRoot);
  CHECK(root.call.side == Side::root);
  CHECK(root.call.root == 1);
  CHECK(root.root() == 1);
  CHECK(opposite.call.side == Side::opposite);
  CHECK(opposite.call.rank == 1);
  CHECK(opposite.call.group == 1);
  CHECK(opposite.call.size == 3);
  CHECK(opposite.call.remote_size == 2);
  CHECK(opposite.call.root == 1);
  CHECK(opposite.root() == 1);
  for (const auto* call : {&beside, &root, &opposite}) CHECK(call->problem().empty());
}

TEST_CASE("collective call: what has no root says so", "[physics]") {
  for (const char* call : {"MPI_Barrier", "MPI_Allreduce send_bytes=8", "MPI_Scan send_bytes=8",
                           "MPI_Alltoall send_bytes=8 receive_bytes_per_peer=8"})
    CHECK(Described(2, 1, call).root() == sim::OpenCollectives::kNoRoot);
  for (const char* call :
       {"MPI_Bcast peer=1 send_bytes=8", "MPI_Reduce peer=1 send_bytes=8",
        "MPI_Gather peer=1 send_bytes=8 receive_bytes_per_peer=8",
        "MPI_Scatter peer=1 send_bytes=8 receive_bytes_per_peer=8",
        "MPI_Gatherv peer=1 send_bytes=8 receive_bytes_list={0: []; 1: [8, 8]}",
        "MPI_Scatterv peer=1 receive_bytes_per_peer=8 send_bytes_list={0: []; 1: [8, 8]}"})
    CHECK(Described(2, 0, call).root() == 1);
}

// System: what each member sends and receives differs, so that it shows which of the two counts.
TEST_CASE("collective call: whose argument gives the size", "[physics]") {
  const std::string sizes = " send_bytes=80 receive_bytes_per_peer=30";
  const auto bytes = [&](int rank, const std::string& call) {
    return Described(2, rank, call + sizes).bytes();
  };
  // The root of a gather may have MPI_IN_PLACE for what it sends, the root of a scatter for what it receives.
  CHECK(bytes(0, "MPI_Gather peer=0") == 30);
  CHECK(bytes(1, "MPI_Gather peer=0") == 80);
  CHECK(bytes(0, "MPI_Scatter peer=0") == 80);
  CHECK(bytes(1, "MPI_Scatter peer=0") == 30);
  for (const std::string call : {"MPI_Allgather", "MPI_Alltoall"}) {
    CHECK(bytes(1, call) == 80);
    CHECK(bytes(1, call + " in_place=1") == 30);
    CHECK(Described(2, 1, call + sizes).call.receive_bytes == Bytes{30});
  }
  CHECK(Described(2, 0,
                  "MPI_Scatterv peer=0 receive_bytes_per_peer=30 "
                  "send_bytes_list={0: [20, 30]; 1: []}")
            .bytes() == 30);
  const std::string negative = "MPI_Bcast peer=0 send_bytes=-5";
  CHECK_THROWS_WITH(Described(2, 0, negative),
                    "test: ranks 0-1, MPI_Bcast at test:5: send_bytes: a value below 0");
}

TEST_CASE("collective call: reductions know their operator, their elements and their part",
          "[physics]") {
  const Described block(4, 2, "MPI_Reduce_scatter_block send_bytes=80 element_bytes=4 commutes=0");
  CHECK(block.bytes() == 20);
  CHECK(block.call.element_bytes == Bytes{4});
  CHECK_FALSE(block.call.commutes);
  const Described parts(3, 1, "MPI_Reduce_scatter receive_bytes_list=[8, 16, 24]");
  CHECK(parts.bytes() == 16);
  CHECK(parts.received() == Sizes{8, 16, 24});
  CHECK(parts.call.element_bytes == Bytes{8});
  CHECK(parts.call.commutes);
  CHECK(Described(2, 0, "MPI_Allreduce send_bytes=8 element_bytes=0").call.element_bytes ==
        Bytes{1});
  CHECK(Described(2, 0, "MPI_Bcast peer=0 send_bytes=8").call.element_bytes == Bytes{1});
  CHECK(Described(2, 0, "MPI_Barrier").bytes() == 0);
}

TEST_CASE("collective call: in place, what is sent is what is received", "[physics]") {
  for (const std::string call : {"MPI_Alltoallv", "MPI_Alltoallw"}) {
    const std::string lists = call + " send_bytes_list=[1, 2] receive_bytes_list=[3, 4]";
    CHECK(Described(2, 0, lists).sent() == Sizes{1, 2});
    CHECK(Described(2, 0, lists + " in_place=1").sent() == Sizes{3, 4});
    CHECK(Described(2, 0, lists + " in_place=1").received() == Sizes{3, 4});
  }
}

TEST_CASE("collective call: a member's own share is its own block or its operand", "[physics]") {
  const auto share = [](int rank, const std::string& call) {
    return Described(2, rank, call).share();
  };
  for (const std::string call : {"MPI_Allreduce send_bytes=80", "MPI_Scan send_bytes=80",
                                 "MPI_Allgather send_bytes=80 receive_bytes_per_peer=80",
                                 "MPI_Allgatherv send_bytes=80 receive_bytes_list=[80, 80]",
                                 "MPI_Alltoall send_bytes=80 receive_bytes_per_peer=80",
                                 "MPI_Reduce_scatter_block send_bytes=160",
                                 "MPI_Reduce_scatter receive_bytes_list=[70, 80]"})
    CHECK(share(1, call) == 80);
  for (const std::string call :
       {"MPI_Reduce peer=1 send_bytes=80",
        "MPI_Gather peer=1 send_bytes=80 receive_bytes_per_peer=80",
        "MPI_Gatherv peer=1 send_bytes=80 receive_bytes_list={0: []; 1: [80, 80]}",
        "MPI_Scatter peer=1 send_bytes=80 receive_bytes_per_peer=80",
        "MPI_Scatterv peer=1 receive_bytes_per_peer=80 send_bytes_list={0: []; 1: [70, 80]}"}) {
    CHECK(share(1, call) == 80);
    CHECK(share(0, call) == 0);
  }
  for (const std::string call : {"MPI_Alltoallv", "MPI_Alltoallw"})
    CHECK(share(1, call + " send_bytes_list=[70, 80] receive_bytes_list=[70, 80]") == 80);
  CHECK(share(1, "MPI_Bcast peer=1 send_bytes=80") == 0);
  CHECK(share(1, "MPI_Exscan send_bytes=80") == 0);
  CHECK(share(1, "MPI_Allreduce send_bytes=80 in_place=1") == 0);
  CHECK(Described(5, 3, "ranks 0-4: MPI_Allreduce comm=2 send_bytes=80", kGroups).share() == 0);
}

TEST_CASE("collective call: lists have an entry for each member, at the root or at everyone",
          "[physics]") {
  const auto problem = [](int rank, const std::string& call) {
    return Described(2, rank, call).problem();
  };
  const auto asks = [](const std::string& has, const std::string& wants) {
    return "has sizes for " + has + " where the communicator asks for " + wants;
  };
  const std::string gather = "MPI_Gatherv peer=0 send_bytes=8 receive_bytes_list=",
                    scatter = "MPI_Scatterv peer=0 receive_bytes_per_peer=8 send_bytes_list=";
  CHECK(problem(0, gather + "[8, 8]").empty());
  CHECK(problem(0, gather + "[8]") == asks("0 sends and 1 receives", "0 and 2"));
  CHECK(problem(1, gather + "{0: [8, 8]; 1: []}").empty());
  CHECK(problem(0, scatter + "[8, 8]").empty());
  CHECK(problem(0, scatter + "[8]") == asks("1 sends and 0 receives", "2 and 0"));
  CHECK(problem(1, scatter + "{0: [8, 8]; 1: []}").empty());
  CHECK(problem(1, "MPI_Allgatherv send_bytes=8 receive_bytes_list=[8]") ==
        asks("0 sends and 1 receives", "0 and 2"));
  CHECK(problem(1, "MPI_Reduce_scatter receive_bytes_list=[8, 8, 8]") ==
        asks("0 sends and 3 receives", "0 and 2"));
  for (const std::string call : {"MPI_Alltoallv", "MPI_Alltoallw"}) {
    CHECK(problem(1, call + " send_bytes_list=[8, 8] receive_bytes_list=[8, 8]").empty());
    CHECK(problem(1, call + " send_bytes_list=[8] receive_bytes_list=[8, 8]") ==
          asks("1 sends and 2 receives", "2 and 2"));
    CHECK(problem(1, call + " send_bytes_list=[8, 8] receive_bytes_list=[8]") ==
          asks("2 sends and 1 receives", "2 and 2"));
  }
  // Between groups a reduce_scatter's blocks are those of the own group, other lists those of the remote one.
  const std::string all = "ranks 0-4: ";
  CHECK(Described(5, 0, all + "MPI_Reduce_scatter comm=2 receive_bytes_list=[8, 8]", kGroups)
            .problem()
            .empty());
  CHECK(Described(5, 0, all + "MPI_Allgatherv comm=2 send_bytes=8 receive_bytes_list=[8, 8, 8]",
                  kGroups)
            .problem()
            .empty());
}

TEST_CASE("collective call: a root is a member, between groups one of the other group",
          "[physics]") {
  const auto problem = [](int rank, int root) {
    return Described(5, rank,
                     "ranks 0-4: MPI_Bcast comm=2 peer=" + std::to_string(root) + " send_bytes=8",
                     kGroups)
        .problem();
  };
  CHECK(problem(0, 2).empty());
  CHECK(problem(0, 3) == "names rank 3 of 3 as its root");
  CHECK(problem(4, 1).empty());
  CHECK(problem(4, 2) == "names rank 2 of 2 as its root");
  CHECK(Described(2, 0, "MPI_Bcast peer=1 send_bytes=8").problem().empty());
  CHECK(Described(2, 0, "MPI_Bcast peer=2 send_bytes=8").problem() ==
        "names rank 2 of 2 as its root");
}

TEST_CASE("collective call: scans and neighbourhoods do not exist between groups", "[physics]") {
  const std::string refused = "does not exist on an intercommunicator";
  for (const char* call : {"MPI_Scan comm=2 send_bytes=8", "MPI_Exscan comm=2 send_bytes=8",
                           "MPI_Neighbor_allgather comm=2 send_bytes=8 receive_bytes_per_peer=8"})
    CHECK(Described(5, 1, std::string("ranks 0-4: ") + call, kGroups).problem() == refused);
  CHECK(Described(5, 1, "ranks 0-4: MPI_Allreduce comm=2 send_bytes=8", kGroups).problem().empty());
  CHECK(Described(5, 1, "ranks 0-4: MPI_Reduce_scatter_block comm=2 send_bytes=8", kGroups)
            .problem()
            .empty());
}

TEST_CASE("collective call: neighbours are members, sizes are in their order", "[physics]") {
  const auto described = [](const std::string& call, const std::vector<std::int32_t>& sources,
                            const std::vector<std::int32_t>& destinations) {
    auto made = std::make_unique<Described>(3, 0, call);
    made->view().sources = sources;
    made->view().destinations = destinations;
    return made;
  };
  const auto problem = [&](const std::string& call, const std::vector<std::int32_t>& sources,
                           const std::vector<std::int32_t>& destinations) {
    const auto made = described(call, sources, destinations);
    made->call.sources = made->view().sources;
    made->call.destinations = made->view().destinations;
    return made->problem();
  };
  const std::string outside = "has a neighbour that is not in its communicator",
                    plain = "MPI_Neighbor_alltoall send_bytes=8 receive_bytes_per_peer=8";
  CHECK(problem(plain, {2, sim::CollectiveCall::kNobody}, {1}).empty());
  CHECK(problem(plain, {3}, {1}) == outside);
  CHECK(problem(plain, {1}, {2, 3}) == outside);
  const std::string gather = "MPI_Neighbor_allgatherv send_bytes=8 receive_bytes_list=[8, 8]";
  CHECK(problem(gather, {1, 2}, {1}).empty());
  CHECK(problem(gather, {1}, {1, 2}) ==
        "has sizes for 0 sends and 2 receives where the communicator asks for 0 and 1");
  for (const std::string call : {"MPI_Neighbor_alltoallv", "MPI_Neighbor_alltoallw"}) {
    const std::string lists = call + " send_bytes_list=[8] receive_bytes_list=[8, 8]";
    CHECK(problem(lists, {1, 2}, {1}).empty());
    CHECK(problem(lists, {1}, {1, 2}) ==
          "has sizes for 1 sends and 2 receives where the communicator asks for 2 and 1");
  }
}

}  // namespace reprise::test
