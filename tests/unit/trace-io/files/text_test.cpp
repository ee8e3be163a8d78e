// SPDX-License-Identifier: MIT
#include "trace-io/text/text.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/trace-io/files/random_trace.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/model/communicators.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

Trace from_program(const std::string& program, int ranks = 4, const std::string& tables = "") {
  return assemble("reprise-text 1\nranks " + std::to_string(ranks) + "\n" + tables +
                      "thread 0 {\n" + program + "\n}\n",
                  "t");
}

const Leaf& leaf(const Trace& trace, std::size_t index = 0) {
  return std::get<Leaf>(trace.threads.at(0).at(index).content);
}

const FieldValues& field(const Trace& trace, Field wanted, std::size_t index = 0) {
  const Leaf& call = leaf(trace, index);
  const auto specs = fields(procedure_named(trace.procedures[trace.sites[call.site].procedure]));
  for (std::size_t f = 0; f < specs.size(); ++f)
    if (specs[f].field == wanted) return call.fields.at(f);
  throw std::logic_error("no such field");
}

std::vector<std::int64_t> values(const ValueSequence& sequence) {
  std::vector<std::int64_t> all;
  for (ValueSequence::Cursor cursor(sequence); !cursor.at_end();) all.push_back(cursor.next());
  return all;
}

using List = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("text: other forms of a partly merged trace come back", "[trace-io]") {
  const std::string text =
      "reprise-text 1\nranks 4\ntiming stat\nclock wall\nthread 0 {\n"
      "MPI_Send comm=also=1 0 peer={0,2: also=4 +1; 1,3: null} bytes=8\n}\n";
  const Trace trace = assemble(text, "t");
  const auto& leaf = std::get<Leaf>(trace.threads[0][0].content);
  REQUIRE(leaf.fields[0][0].other_forms == 1);
  REQUIRE(leaf.fields[1][0].other_forms == 4);
  REQUIRE(leaf.fields[1][1].other_forms == 0);
  REQUIRE(same_trace(assemble(dump(trace), "d"), trace));
  REQUIRE(same_trace(deserialise(serialise(trace), "f"), trace));
}

TEST_CASE("text: a dumped random trace is assembled to the same bytes", "[trace-io]") {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    const Trace trace = random_trace(seed);
    const std::string text = dump(trace);
    const Trace back = assemble(text, "dump");
    REQUIRE(dump(back) == text);
    REQUIRE(serialise(back) == serialise(trace));
  }
}

TEST_CASE(
    "text: a value that stands for every call is repeated as often as the loops around it run",
    "[trace-io]") {
  const Trace trace =
      from_program("loop 3 { loop 4 exit 1 {\n MPI_Barrier\n MPI_Bcast peer=0 send_bytes=8 } }");
  const auto& outer = std::get<Loop>(trace.threads[0][0].content);
  const auto& inner = std::get<Loop>(outer.body[0].content);
  REQUIRE(values(outer.iterations[0].values) == List{3});
  REQUIRE(values(inner.iterations[0].values) == List{4, 4, 4});
  REQUIRE(values(inner.exits[0].values) == List{1, 1, 1});
  // The first node runs 3·(4 + 1) times, the second 3·4 times.
  REQUIRE(std::get<Leaf>(inner.body[0].content).fields[0][0].values.size() == 15);
  REQUIRE(std::get<Leaf>(inner.body[1].content).fields[0][0].values.size() == 12);
}

TEST_CASE("text: iterations can differ by rank and by execution", "[trace-io]") {
  const Trace trace = from_program("loop 2 { loop {0: (1, 5); 1-3: 3} { MPI_Barrier } }");
  const auto& body = std::get<Loop>(trace.threads[0][0].content).body;
  const auto& call = std::get<Leaf>(std::get<Loop>(body[0].content).body[0].content);
  REQUIRE(call.fields[0][0].values.size() ==
          6);  // the most that a rank needs: 1 + 5 on rank 0, 3 + 3 on the others
}

TEST_CASE("text: peers are stored as the lowest rank of their entry sees them", "[trace-io]") {
  const auto peer = [](const std::string& word, const std::string& ranks) {
    return field(from_program(ranks + "MPI_Recv bytes=1 peer=" + word), Field::peer).front();
  };
  REQUIRE(peer("3", "").form == PeerForm::absolute);
  REQUIRE(values(peer("3", "").values) == List{kFirstPeer + 3});
  REQUIRE(peer("+1", "").form == PeerForm::relative);
  REQUIRE(values(peer("+1", "").values) == List{kFirstPeer + 1});
  REQUIRE(values(peer("-1", "").values) == List{kFirstPeer + 3});
  REQUIRE(values(peer("-1", "ranks 1-3: ").values) == List{kFirstPeer + 0});
  REQUIRE(peer("^1", "ranks 2-3: ").form == PeerForm::exclusive_or);
  REQUIRE(values(peer("^1", "ranks 2-3: ").values) == List{kFirstPeer + 3});
  REQUIRE(values(peer("any", "").values) == List{kAnySource});
  REQUIRE(values(peer("null", "").values) == List{kProcNull});
  REQUIRE(peer("relative:9", "").form == PeerForm::relative);
  REQUIRE(values(peer("relative:9", "").values) == List{9});
}

TEST_CASE("text: relative peers are counted in the call's communicator", "[trace-io]") {
  // Rank 3 is number 1 of two in communicator 2: its right neighbour is number 0.
  const Trace trace =
      from_program("ranks 3: MPI_Send comm=2 peer=+1 bytes=1", 4, "communicator 2: 1 3\n");
  REQUIRE(values(field(trace, Field::peer)[0].values) == List{kFirstPeer});
}

TEST_CASE("text: sizes take units, tags take any, and sequences are written out", "[trace-io]") {
  const Trace trace =
      from_program("loop 6 {\n MPI_Recv peer=any tag=any bytes=((1KiB, 2kB)*2, 0..1) }");
  const auto& call = std::get<Leaf>(std::get<Loop>(trace.threads[0][0].content).body[0].content);
  REQUIRE(values(call.fields[2][0].values) == List(6, kAnyTag));
  REQUIRE(values(call.fields[3][0].values) == List{1024, 2000, 1024, 2000, 0, 1});
}

TEST_CASE("text: lists are the same in every call, or all elements and all lengths", "[trace-io]") {
  const Trace same = from_program("loop 3 {\n MPI_Waitall requests=[0, 1] }");
  const auto& call = std::get<Leaf>(std::get<Loop>(same.threads[0][0].content).body[0].content);
  REQUIRE(values(call.fields[0][0].values) == List{0, 1, 0, 1, 0, 1});
  REQUIRE(values(call.fields[0][0].lengths) == List{2, 2, 2});
  // What was not given: no wildcard was matched.
  REQUIRE(values(call.fields[1][0].values) == List(6, kNoPeer));
  REQUIRE(values(call.fields[2][0].values) == List(6, kNone));
  const Trace spelt = from_program("loop 3 {\n MPI_Startall requests=<(0, 1, 2) | (2, 0, 1)> }");
  const auto& other = std::get<Leaf>(std::get<Loop>(spelt.threads[0][0].content).body[0].content);
  REQUIRE(values(other.fields[0][0].values) == List{0, 1, 2});
  REQUIRE(values(other.fields[0][0].lengths) == List{2, 0, 1});
}

TEST_CASE("text: values per rank become entries in the order of their lowest ranks", "[trace-io]") {
  const Trace trace = from_program("MPI_Send peer={1-3: 0; 0: +1} bytes=1");
  const auto& peers = field(trace, Field::peer);
  REQUIRE(peers.size() == 2);
  REQUIRE(peers[0].ranks == RankList::single(Rank{0}));
  REQUIRE(peers[0].form == PeerForm::relative);
  REQUIRE(peers[1].form == PeerForm::absolute);
}

TEST_CASE("text: a plain duration is that of every execution on every rank", "[trace-io]") {
  const Trace trace =
      from_program("loop 5 {\n MPI_Barrier | compute {0: 1.5us; 1-3: 2ms} | communicate 3ns }");
  const auto& call = std::get<Leaf>(std::get<Loop>(trace.threads[0][0].content).body[0].content);
  REQUIRE(call.compute.size() == 1);
  REQUIRE(call.compute[0].predecessor == kNoSite);
  REQUIRE(call.compute[0].classes[0].durations.count() == 5);
  REQUIRE(call.compute[0].classes[0].durations.sum() == Nanoseconds{7500});
  REQUIRE(call.compute[0].classes[1].durations.count() == 15);
  REQUIRE(call.compute[0].classes[1].durations.sum() == Nanoseconds{30'000'000});
  REQUIRE(call.communicate[0].durations.count() == 20);
  REQUIRE(call.communicate[0].durations.variance_ns2() == 0);
}

TEST_CASE("text: deltas may stand on the lines below their call", "[trace-io]") {
  const Trace below =
      from_program("MPI_Barrier\n\n  # why\n  | compute 1us\n  | communicate 2us\nMPI_Barrier");
  REQUIRE(below.threads[0].size() == 2);
  REQUIRE(leaf(below).compute.size() == 1);
  REQUIRE(leaf(below).communicate.size() == 1);
}

TEST_CASE("text: every line is a call site of its own unless it has a name", "[trace-io]") {
  const Trace trace = from_program(
      "MPI_Barrier\nMPI_Barrier\nMPI_Barrier at solve\nMPI_Barrier at solve\nMPI_Finalize at "
      "solve");
  REQUIRE(leaf(trace, 0).site != leaf(trace, 1).site);
  REQUIRE(leaf(trace, 2).site == leaf(trace, 3).site);
  REQUIRE(trace.sites.size() == 4);
  REQUIRE(trace.sites[leaf(trace, 2).site].call_path == trace.sites[leaf(trace, 4).site].call_path);
}

TEST_CASE("text: a communicator's members are its users, and equal ones are one", "[trace-io]") {
  const Trace trace = from_program(
      "MPI_Barrier", 4, "communicator 2: 1 3\ncommunicator 2: 0 2\ncommunicator 4: 1 3\n");
  REQUIRE(trace.communicators.size() == 2);
  REQUIRE(trace.communicator_indices.size() == 3);
  REQUIRE(trace.communicator_indices[0][0].ranks == RankList::from_ranks({Rank{1}, Rank{3}}));
  REQUIRE(trace.communicator_indices[1].empty());
  REQUIRE(trace.communicator_indices[2][0].communicator == 0);
}

TEST_CASE("text: a dump of hand-written text is as short as it was written", "[trace-io]") {
  const Trace trace = from_program(
      "loop 10 {\n MPI_Isend peer=+1 bytes=8 request=0 | compute 10us\n MPI_Waitall "
      "requests=[0]\n}");
  const std::string text = dump(trace);
  REQUIRE(text.substr(text.find("thread")) ==
          "thread 0 {\n"
          "  loop 10 {\n"
          "    @0 MPI_Isend peer=+1 bytes=8 request=0\n"
          "      | compute 10us\n"
          "    @1 MPI_Waitall requests=[0]\n"
          "  }\n"
          "}\n");
}

TEST_CASE("text: what a procedure outside the table did is a call without fields", "[trace-io]") {
  const Trace trace = from_program("\"MPI_Comm_spawn\" | compute 1us");
  REQUIRE(trace.procedures == std::vector<std::string>{"MPI_Comm_spawn"});
  REQUIRE(leaf(trace).fields.empty());
}

TEST_CASE("text: a run that starts at a special value is dumped in numbers", "[trace-io]") {
  const Trace trace = from_program("loop 3 {\n MPI_Recv peer=1 tag=-1..1 bytes=8 }");
  REQUIRE(dump(trace).find(" tag=-1..1 ") != std::string::npos);
  REQUIRE(serialise(assemble(dump(trace), "dump")) == serialise(trace));
}

TEST_CASE("text: ranks with smaller bodies share exits of which they read a part", "[trace-io]") {
  // Rank 1 has one node of the body, and its only execution reads the first exit alone.
  const Trace trace = from_program(
      "loop {0: 2; 1-3: 1} {\n loop 1 exit {0: (1, 2); 1-3: (1, 2)} {\n MPI_Barrier\n rank 0: "
      "MPI_Barrier\n}\n}");
  REQUIRE(trace.threads[0].size() == 1);
}
