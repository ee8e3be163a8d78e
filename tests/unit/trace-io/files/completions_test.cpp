// SPDX-License-Identifier: MIT
// What is kept of the order in which requests completed: as text, as a file, merged, counted, and refused where it cannot be.
#include <catch2/catch.hpp>

#include "tests/unit/trace-io/payload_version.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/file/format.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/merge/merge.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

std::string text(const std::string& header, const std::string& call) {
  return "reprise-text 1\nranks 4\n" + header +
         "thread 0 {\n  loop 5 {\n    ranks 0,2-3: MPI_Irecv peer=null bytes=8 request=0\n"
         "    ranks 0,2-3: MPI_Waitsome requests=[0] " +
         call + "\n    MPI_Barrier\n  }\n}\n";
}
const std::string kRepresented = "completions phases 15 represented 3\n";

std::string refusal(const std::string& header, const std::string& call) {
  try {
    assemble(text(header, call), "t.txt");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const std::string kPlace = "t.txt: ranks 0,2-3, MPI_Waitsome at t.txt:7: ";

}  // namespace

TEST_CASE("completions: text and file give back phases and further calls", "[trace-io]") {
  const Trace trace = assemble(text(kRepresented, "further_calls=[0/3, 3/-5]"), "t.txt");
  REQUIRE(trace.completions);
  CHECK(*trace.completions == CompletionRecord{15, 3});
  const std::string dumped = dump(trace);
  CHECK(dumped.find(kRepresented) != std::string::npos);
  CHECK(dumped.find(" further_calls=[0/3, 3/-5]\n") != std::string::npos);
  CHECK(dump(assemble(dumped, "t.txt")) == dumped);
  CHECK(dump(deserialise(serialise(trace), "t.reprise")) == dumped);
}

TEST_CASE("completions: calls are those that were made, operations those that are played",
          "[trace-io]") {
  const Summary summary =
      summarise(assemble(text(kRepresented, "further_calls=[0/3, 3/-5]"), "t.txt"));
  for (const ProcedureSummary& procedure : summary.procedures)
    if (procedure.name == "MPI_Waitsome") CHECK(procedure.calls == 15 + 3 - 5);
  CHECK(summary.operations == 15 + 15 + 20);
  CHECK(summary.calls() == 15 + 13 + 20);
}

TEST_CASE("completions: merged traces have the phases and the further calls of both", "[merge]") {
  const auto part = [](int rank, const std::string& call) {
    const std::string own = std::to_string(rank);
    return assemble("reprise-text 1\nranks 2\nrecorded " + own +
                        "\ncompletions phases 4 represented " + own +
                        "\nthread 0 {\n  MPI_Irecv peer=null bytes=8 request=0\n"
                        "  MPI_Waitsome requests=[0] " +
                        call + "\n}\n",
                    "t.txt");
  };
  const Trace both = merge(part(1, "further_calls=[1/2]"), part(0, "further_calls=[0/-1]"));
  REQUIRE(both.completions);
  CHECK(*both.completions == CompletionRecord{8, 1});
  CHECK(dump(both).find(" further_calls=[0/-1, 1/2]") != std::string::npos);
}

TEST_CASE("completions: what cannot be is refused", "[trace-io]") {
  CHECK(refusal("completions phases 2 represented 3\n", "") ==
        "t.txt: completions: more phases of completions represented than there were");
  CHECK(refusal("\n", "further_calls=[0/3]") ==
        kPlace + "further calls, where completions are kept call by call");
  CHECK(refusal(kRepresented, "further_calls=[1/3]") ==
        kPlace + "further calls of a rank that does not execute the call");
  CHECK(refusal(kRepresented, "further_calls=[2/3, 0/3]") ==
        kPlace + "further calls that are not in the order of their ranks");
  CHECK(refusal(kRepresented, "further_calls=[2/-6]") == kPlace + "-6 further calls of 5");
  CHECK(refusal(kRepresented, "further_calls=[2/0]") == kPlace + "0 further calls of 5");
  CHECK(refusal(kRepresented, "further_calls=[7/1]").starts_with("t.txt:7:"));
  CHECK(refusal(kRepresented, "further_calls=[7/1]").find("there is no rank 7") !=
        std::string::npos);
}

namespace {

// On each of 4 ranks 20 sends to the right, of which the ranks wait for a different number each.
std::string unawaited(const std::string& requests, const std::string& more) {
  return "reprise-text 1\nranks 4\ncompletions phases 0 represented 0\nthread 0 {\n  loop 20 {\n"
         "    MPI_Isend peer=+1 bytes=8 request=" +
         requests +
         "\n    MPI_Recv peer=-1 bytes=8\n  }\n"
         "  MPI_Testall requests=[-2]" +
         more + "\n}\n";
}

std::uint32_t version_of(const Trace& trace) { return testing::payload_version(serialise(trace)); }

}  // namespace

TEST_CASE("unawaited sends: text, file and merge give them back, and the file says version 5",
          "[trace-io]") {
  const Trace trace = assemble(unawaited("-2", ""), "t.txt");
  CHECK(version_of(trace) == 3);
  const Trace some = assemble(unawaited("{0: (-2, -1*19); 1: (-2*7, -1*13); 2-3: (-2*3, -1*17)}",
                                        " further_calls=[0/18, 1/12]"),
                              "t.txt");
  CHECK(version_of(some) == 5);
  const std::string dumped = dump(some);
  CHECK(dump(assemble(dumped, "t.txt")) == dumped);
  CHECK(dump(deserialise(serialise(some), "t.reprise")) == dumped);
  for (const ProcedureSummary& procedure : summarise(some).procedures)
    if (procedure.name == "MPI_Testall") CHECK(procedure.calls == 4 + 18 + 12);
  // Within a run; and further calls alone, of no send without a request.
  CHECK(version_of(assemble(unawaited("(-3..-1, -2*17)", ""), "t.txt")) == 5);
  CHECK(version_of(assemble(unawaited("(-5..-3, -2*17)", ""), "t.txt")) == 3);
  CHECK(version_of(assemble(unawaited("-2", " further_calls=[3/2]"), "t.txt")) == 5);
}

TEST_CASE("unawaited sends: only a send may have no request", "[trace-io]") {
  const auto refused = [](const std::string& call) -> std::string {
    try {
      assemble("reprise-text 1\nranks 2\nthread 0 {\n  " + call + "\n}\n", "t.txt");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refused("MPI_Isend peer=+1 bytes=8 request=-1").empty());
  CHECK(refused("MPI_Irsend peer=+1 bytes=8 request=-1").empty());
  for (const char* call : {"MPI_Irecv peer=+1 bytes=8", "MPI_Send_init peer=+1 bytes=8",
                           "MPI_Ibarrier", "MPI_Recv_init peer=+1 bytes=8"})
    CHECK(
        refused(std::string(call) + " request=-1").find("no request, where the call starts one") !=
        std::string::npos);
}
