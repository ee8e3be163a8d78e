// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "tests/unit/trace-io/files/random_trace.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/model/byte_counts.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

Trace ring() {
  return assemble(R"(reprise-text 1
ranks 4
thread 0 {
  loop 10 exit 1 {
    MPI_Isend peer=+1 bytes=8 request=0 | compute 1us
    MPI_Waitall requests=[0]
  }
})",
                  "t");
}

std::string first_finding(const Trace& trace) {
  const auto findings = check_structure(trace);
  return findings.empty() ? "sound" : findings.front().where + ": " + findings.front().problem;
}

Loop& loop_of(Trace& trace) { return std::get<Loop>(trace.threads[0][0].content); }
Leaf& send_of(Trace& trace) { return std::get<Leaf>(loop_of(trace).body[0].content); }
Leaf& wait_of(Trace& trace) { return std::get<Leaf>(loop_of(trace).body[1].content); }
ValueSequence constant(std::int64_t value, std::uint64_t count) {
  ValueSequence sequence;
  sequence.append_run(value, 0, count);
  return sequence;
}

const std::string kSend = "ranks 0-3, MPI_Isend at t:5: ";
const std::string kWait = "ranks 0-3, MPI_Waitall at t:6: ";
const std::string kLoop = "ranks 0-3, the loop of MPI_Isend at t:5: ";

}  // namespace

TEST_CASE("structure: a sound trace has no findings", "[trace-io]") {
  REQUIRE(first_finding(ring()) == "sound");
  for (std::uint32_t seed = 0; seed < 100; ++seed)
    REQUIRE(first_finding(random_trace(seed)) == "sound");
}

TEST_CASE("structure: every index out of its table is found", "[trace-io]") {
  Trace trace = ring();
  SECTION("procedure of a site") {
    trace.sites[0].procedure = 9;
    REQUIRE(first_finding(trace) == "site 0: procedure 9 does not exist, there are 2");
  }
  SECTION("call path of a site") {
    trace.sites[1].call_path = 9;
    REQUIRE(first_finding(trace) == "site 1: call path 9 does not exist, there are 2");
  }
  SECTION("module of a frame") {
    trace.call_paths[0].frames[0].module = 9;
    REQUIRE(first_finding(trace) == "call path 0: module 9 does not exist, there are 1");
  }
  SECTION("site of a leaf") {
    send_of(trace).site = 9;
    REQUIRE(first_finding(trace) ==
            "ranks 0-3, site 9, which does not exist: site 9 does not exist");
  }
  SECTION("predecessor of a delta") {
    send_of(trace).compute[0].predecessor = 9;
    REQUIRE(first_finding(trace) == kSend + "the predecessor's site 9 does not exist");
  }
  SECTION("communicator of an index") {
    trace.communicator_indices.push_back({{RankList::single(Rank{0}), 0}});
    REQUIRE(
        first_finding(trace) ==
        "communicators: communicator index 2: communicator 0 is not one of the 0 that are defined");
  }
  SECTION("recorded ranks") {
    trace.header.recorded = RankList::all(5);
    REQUIRE(first_finding(trace) == "header: recorded ranks beyond the job's 4");
  }
}

TEST_CASE("structure: ranks that do not belong are found", "[trace-io]") {
  Trace trace = ring();
  SECTION("a node of ranks that are not in what surrounds it") {
    loop_of(trace).body[0].ranks = RankList::all(5);
    REQUIRE(
        first_finding(trace) ==
        "ranks 0-4, MPI_Isend at t:5: rank 4 executes it, but does not execute what surrounds it");
  }
  SECTION("a node of no ranks") {
    loop_of(trace).body[0].ranks = RankList{};
    REQUIRE(first_finding(trace) == "ranks none, MPI_Isend at t:5: no rank executes it");
  }
  SECTION("a rank without a value") {
    send_of(trace).fields[0][0].ranks = RankList::all(3);
    REQUIRE(first_finding(trace) == kSend + "comm: rank 3 executes the call, but has no value");
  }
  SECTION("entries out of order") {
    auto& field = send_of(trace).fields[0];
    field.insert(field.begin(), field[0]);
    field[0].ranks = RankList::single(Rank{3});
    field[1].ranks = RankList::all(3);
    REQUIRE(first_finding(trace) ==
            kSend + "comm: the entries are not in the order of their lowest ranks");
  }
  SECTION("a delta class of strangers") {
    send_of(trace).compute[0].classes[0].ranks = RankList::all(9);
    REQUIRE(first_finding(trace) == kSend + "a delta class of ranks that do not execute the call");
  }
  SECTION("a rank in two delta classes") {
    auto& classes = send_of(trace).compute[0].classes;
    classes.push_back(classes[0]);
    REQUIRE(first_finding(trace) == kSend + "a rank in two delta classes");
  }
}

TEST_CASE("structure: values that do not match the executions are found", "[trace-io]") {
  Trace trace = ring();
  SECTION("too few values") {
    send_of(trace).fields[2][0].values =
        constant(0, 10);  // 10 iterations and one exit behind the send
    REQUIRE(first_finding(trace) == kSend + "tag: 11 calls, but only 10 values");
  }
  SECTION("too few lists") {
    wait_of(trace).fields[0][0].lengths = constant(1, 9);
    REQUIRE(first_finding(trace) == kWait + "requests: 10 calls, but only 9 lengths");
  }
  SECTION("lists that do not add up") {
    wait_of(trace).fields[0][0].lengths = constant(2, 10);
    REQUIRE(first_finding(trace) == kWait + "requests: the lengths do not add up to the 10 values");
  }
  SECTION("lists of negative length") {
    wait_of(trace).fields[0][0].lengths = constant(-1, 10);
    REQUIRE(first_finding(trace) == kWait + "requests: a negative length");
  }
  SECTION("lists of absurd length") {
    wait_of(trace).fields[0][0].lengths = constant(std::int64_t{1} << 30, 10);
    REQUIRE(first_finding(trace) ==
            kWait + "requests: a list of 1073741824 values, more than 16777216");
  }
  SECTION("lengths of a number") {
    send_of(trace).fields[0][0].lengths = constant(1, 11);
    REQUIRE(first_finding(trace) == kSend + "comm: lengths, but the field is no list");
  }
  SECTION("a form of what is no peer") {
    send_of(trace).fields[0][0].form = PeerForm::relative;
    REQUIRE(first_finding(trace) == kSend + "comm: a peer's form, but the field is no peer");
  }
  SECTION("a missing field") {
    send_of(trace).fields.pop_back();
    REQUIRE(first_finding(trace) == kSend + "4 fields, the procedure has 5");
  }
  SECTION("iterations for another execution are missing") {
    loop_of(trace).iterations[0].values = ValueSequence{};
    REQUIRE(first_finding(trace) ==
            kLoop + "the loop's iterations: rank 0 needs 1 values, there are 0");
  }
  SECTION("negative iterations") {
    loop_of(trace).iterations[0].values = constant(-1, 1);
    REQUIRE(first_finding(trace) == kLoop + "the loop's iterations: a negative number");
  }
}

TEST_CASE("structure: loops that cannot be walked are found", "[trace-io]") {
  Trace trace =
      assemble("reprise-text 1\nranks 1\nthread 0 {\nloop 3 exit 1 {\nMPI_Barrier\n}\n}\n", "t");
  SECTION("an exit behind the body") {
    loop_of(trace).exits[0].values = constant(2, 1);
    REQUIRE(first_finding(trace) ==
            "rank 0, the loop of MPI_Barrier at t:5: the loop is left beyond the 1 nodes of its "
            "body that rank 0 executes");
  }
  SECTION("iterations with a peer's form") {
    loop_of(trace).iterations[0].form = PeerForm::relative;
    REQUIRE(first_finding(trace) ==
            "rank 0, the loop of MPI_Barrier at t:5: the loop's iterations: a peer's form or "
            "lengths, but it is a number");
  }
  SECTION("no body") {
    loop_of(trace).body.clear();
    REQUIRE(first_finding(trace) ==
            "rank 0, the loop of nothing: rank 0 executes nothing in the loop's body");
  }
  SECTION("iterations without an event") {
    Loop inner = loop_of(trace);
    inner.iterations[0].values = constant(0, 4);
    inner.exits[0].values = constant(0, 4);
    loop_of(trace).body[0].content = inner;
    REQUIRE(first_finding(trace) ==
            "rank 0, the loop of MPI_Barrier at t:5: the loop's 3 iterations on rank 0 hold only 0 "
            "events");
  }
}

TEST_CASE("structure: values that no call can have are found", "[trace-io]") {
  Trace trace = ring();
  const auto set = [&trace](std::size_t field, std::int64_t first, std::int64_t last) {
    auto& values = send_of(trace).fields[field][0].values;
    values = constant(first, 10);
    values.append(last);  // of the eleventh and last call
  };
  constexpr std::size_t kPeer = 1, kTag = 2, kBytes = 3, kRequest = 4;
  const std::string any =
      kSend + "peer: MPI_ANY_SOURCE, but a destination is a rank or MPI_PROC_NULL";
  SECTION("a destination among ranks that is none") {
    set(kPeer, kFirstPeer + 1, kAnySource);
    REQUIRE(first_finding(trace) == any);
    set(kPeer, kAnySource, kFirstPeer + 1);
    REQUIRE(first_finding(trace) == any);
    set(kPeer, kFirstPeer + 1, kProcNull);
    REQUIRE(first_finding(trace) == "sound");
  }
  SECTION("codes between those that mean something") {
    set(kPeer, kFirstPeer + 1, 5);
    REQUIRE(first_finding(trace) ==
            kSend + "peer: the code 5, but a destination is a rank or MPI_PROC_NULL");
    set(kPeer, kFirstPeer + 1, -1);
    REQUIRE(first_finding(trace) == kSend + "peer: a value below 0");
  }
  SECTION("a tag, a size, a slot out of its range") {
    set(kTag, 0, std::int64_t{1} << 31);
    REQUIRE(first_finding(trace) == kSend + "tag: a value above 2147483647");
    set(kTag, kAnyTag, (std::int64_t{1} << 31) - 1);
    REQUIRE(first_finding(trace) == "sound");
    set(kBytes, 0, -1);
    REQUIRE(first_finding(trace) == kSend + "bytes: a value below 0");
    set(kBytes, 0, kMostBytes + 1);
    REQUIRE(first_finding(trace) == kSend + "bytes: a value above 4611686018427387904");
    set(kBytes, 0, kMostBytes);
    REQUIRE(first_finding(trace) == "sound");
    set(kRequest, 0, kNone);  // a send that nothing waits for
    REQUIRE(first_finding(trace) == "sound");
    set(kRequest, -2, -1);  // an age, but not one for all
    REQUIRE(first_finding(trace) == "sound");
    set(kRequest, -2, 0);
    REQUIRE(first_finding(trace) == "sound");
  }
  SECTION("elements of a list") {
    wait_of(trace).fields[0][0].values = constant(-(std::int64_t{1} << 31) - 1, 10);
    REQUIRE(first_finding(trace) == kWait + "requests: a value below -2147483648");
    wait_of(trace).fields[0][0].values = constant(kNone, 10);  // MPI_REQUEST_NULL
    REQUIRE(first_finding(trace) == "sound");
  }
  SECTION("values that no call reads are nobody's") {
    send_of(trace).fields[kPeer][0].values.append(kAnySource);
    REQUIRE(first_finding(trace) == "sound");
  }
}
