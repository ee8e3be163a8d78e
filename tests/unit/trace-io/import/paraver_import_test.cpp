// SPDX-License-Identifier: MIT
// What a Paraver trace means as events of ours: each is written by hand here.
#include "trace-io/import/paraver/paraver_import.hpp"

#include <zlib.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "tests/unit/trace-io/import/imported_calls.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/import/paraver/prv_rank.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using Lines = std::vector<std::string>;

namespace {

const char* const kLabels =
    "EVENT_TYPE\n9 50000001 MPI Point-to-point\nVALUES\n1 MPI_Send\n2 MPI_Recv\n3 MPI_Isend\n"
    "4 MPI_Irecv\n5 MPI_Wait\n6 MPI_Waitall\n0 Outside MPI\n\n"
    "EVENT_TYPE\n9 50000002 MPI Collective Comm\nVALUES\n7 MPI_Bcast\n10 MPI_Allreduce\n0 Outside "
    "MPI\n\n"
    "EVENT_TYPE\n9 50000003 MPI Other\nVALUES\n19 MPI_Comm_rank\n31 MPI_Init\n32 MPI_Finalize\n\n"
    "EVENT_TYPE\n1 50100001 Send Size\n1 50100002 Recv Size\n1 50100003 Root\n1 50100004 "
    "Communicator\n\n"
    "EVENT_TYPE\n0 70000001 Caller at level 1\n0 70000002 Caller at level 2\nVALUES\n0 End\n5 "
    "exchange\n6 main\n\n"
    "EVENT_TYPE\n0 80000001 Line at level 1\n0 80000002 Line at level 2\nVALUES\n0 End\n3 12 "
    "(halo.c, app)\n4 99 (main.c, app)\n\n"
    "EVENT_TYPE\n7 42000050 PAPI_TOT_INS\n";
const char* const kHeader =
    "#Paraver (01/02/03 at 04:05):1000000_ns:2(1,1):1:2(1:1,1:2),2\nc:1:1:2:1:2\nc:1:2:1:1\n";

// An entry and the exit of an MPI call of a task, with more events at the entry.
std::string call(int task, long begin, long end, int type, int value,
                 const std::string& more = "") {
  const std::string object = "2:1:1:" + std::to_string(task) + ":1:";
  return object + std::to_string(begin) + ":" + std::to_string(type) + ":" + std::to_string(value) +
         more + "\n" + object + std::to_string(end) + ":" + std::to_string(type) + ":0\n";
}
std::string message(int from, long sent, int to, long posted, long completed, int bytes, int tag) {
  const auto t = [](long value) { return ":" + std::to_string(value); };
  return "3:1:1" + t(from) + ":1" + t(sent) + t(sent) + ":1:1" + t(to) + ":1" + t(posted) +
         t(completed) + t(bytes) + t(tag) + "\n";
}

// Header first, then the lines in the order of their time, as a tool writes them.
std::string in_order(const std::string& lines) {
  std::vector<std::pair<long, std::string>> ordered;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    std::size_t at = 0;
    for (int i = 0; i < 5; ++i) at = line.find(':', at) + 1;
    ordered.emplace_back(std::stol(line.substr(at)), line);
  }
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text = kHeader;
  for (const auto& [time, line] : ordered) text += line + "\n";
  return text;
}

struct Given {
  ScratchFolder folder;
  std::string path;
  explicit Given(const std::string& lines, const std::string& labels = kLabels) {
    if (!labels.empty()) folder.write("t.pcf", labels);
    folder.write("t.row", "LEVEL NODE SIZE 2\nalpha\nbeta\n");
    path = folder.write("t.prv", lines);
  }
  Trace import() const { return import_paraver(path, {}); }
};

constexpr int kP2p = 50000001, kColl = 50000002, kOther = 50000003;

}  // namespace

TEST_CASE("paraver_import: messages are matched to calls, callers become paths", "[trace-io]") {
  const Given given(
      in_order(call(2, 100, 150, kP2p, 4) + call(2, 200, 900, kP2p, 5) +
               call(1, 300, 400, kP2p, 1, ":70000001:5:80000001:3:70000002:6:80000002:4") +
               message(1, 300, 2, 100, 900, 64, 9)));
  const Trace trace = given.import();
  CHECK(calls_of(trace, 0) == Lines{"MPI_Send 0 9 9 64"});
  CHECK(calls_of(trace, 1) == Lines{"MPI_Irecv 0 8 9 64 0", "MPI_Wait 0 3 -1"});
  CHECK(times_of(trace, 0, 0) == std::pair<std::int64_t, std::int64_t>{300, 100});
  CHECK(times_of(trace, 1, 1) == std::pair<std::int64_t, std::int64_t>{50, 700});
  REQUIRE(trace.frame_names.size() == 2);
  CHECK(trace.frame_names[0].function == "main");
  CHECK(trace.frame_names[1].file == "halo.c");
  CHECK(trace.frame_names[1].line == 12);
  REQUIRE(trace.header.hosts.size() == 2);
  CHECK(trace.header.hosts[1].name == "beta");
  CHECK(trace.losses.empty());
  CHECK(check(trace).empty());
}

TEST_CASE("paraver_import: who the root is, the root says, sooner or later", "[trace-io]") {
  const std::string comm = ":50100004:1";
  const Given given(in_order(call(1, 100, 200, kColl, 7, ":50100002:80" + comm) +
                             call(2, 300, 400, kColl, 7, ":50100001:80:50100003:1" + comm) +
                             call(2, 500, 600, kColl, 7, ":50100001:16:50100003:1" + comm) +
                             call(1, 500, 600, kColl, 7, ":50100002:16" + comm) +
                             call(1, 700, 800, kColl, 10, ":50100001:8:50100002:8" + comm) +
                             call(2, 700, 800, kColl, 10, ":50100001:8:50100002:8" + comm)));
  const Trace trace = given.import();
  for (int r = 0; r < 2; ++r)
    CHECK(calls_of(trace, r) ==
          Lines{"MPI_Bcast 0 9 80", "MPI_Bcast 0 9 16", "MPI_Allreduce 0 8 0 8 1"});
  CHECK(losses_of(trace) ==
        Lines{"elements and operations of reductions: of at most 8 B, commutative: 2"});
}

TEST_CASE("paraver_import: a Waitall completes the sends that are open, and says so",
          "[trace-io]") {
  const Given given(in_order(call(1, 100, 110, kP2p, 3) + call(2, 100, 120, kP2p, 4) +
                             message(1, 100, 2, 100, 300, 8, 1) + call(1, 200, 290, kP2p, 6) +
                             call(2, 200, 300, kP2p, 6)));
  const Trace trace = given.import();
  CHECK(calls_of(trace, 0) == Lines{"MPI_Isend 0 9 1 8 0", "MPI_Waitall | 0 | 3 | -1"});
  CHECK(calls_of(trace, 1) == Lines{"MPI_Irecv 0 8 1 8 0", "MPI_Waitall | 0 | 3 | -1"});
  CHECK(losses_of(trace) == Lines{"sends whose completion is not in the file: by the next "
                                  "MPI_Waitall or empty MPI_Wait: 1"});
}

// Two receives of messages from outside of the trace, beside one whose message is in it and one send.
TEST_CASE("paraver_import: waits without another complete receives without a line", "[trace-io]") {
  const Given given(in_order(
      call(1, 100, 110, kP2p, 4) + call(1, 120, 130, kP2p, 4) + call(1, 140, 150, kP2p, 4) +
      call(1, 160, 170, kP2p, 3) + message(1, 160, 2, 100, 300, 8, 1) + call(1, 200, 290, kP2p, 5) +
      message(2, 150, 1, 120, 290, 8, 2) +  // the second receive
      call(1, 300, 310, kP2p, 6) +          // the send
      call(1, 400, 410, kP2p, 5) + call(1, 500, 510, kP2p, 6) + call(1, 600, 610, kP2p, 5) +
      call(2, 100, 300, kP2p, 2) + call(2, 400, 410, kP2p, 1)));
  const Trace trace = given.import();
  CHECK(calls_of(trace, 0) == Lines{"MPI_Irecv 0 0 0 0 0", "MPI_Irecv 0 9 2 8 1",
                                    "MPI_Irecv 0 0 0 0 2", "MPI_Isend 0 9 1 8 3", "MPI_Wait 1 3 -1",
                                    "MPI_Waitall | 3 | 3 | -1", "MPI_Wait 0 3 -1",
                                    "MPI_Waitall | 2 | 3 | -1", "MPI_Wait -1 3 -1"});
  CHECK(losses_of(trace) ==
        Lines{"MPI_Send (time only): 1", "messages sent outside of any call: 1",
              "receives whose completion is not in the file: by the next wait without another: 2",
              "receives without a line of communication: from MPI_PROC_NULL: 2",
              std::string("sends whose completion is not in the file: by the next MPI_Waitall ") +
                  "or empty MPI_Wait: 1"});
}

// The message of a receive comes after a wait that completes nothing else.
TEST_CASE("paraver_import: a receive completed before its message came keeps its message",
          "[trace-io]") {
  constexpr long kLater = 2 * PrvRank::kLag;
  const Given given(in_order(
      call(1, 100, 110, kP2p, 4) + call(1, 200, 210, kP2p, 5) +
      call(1, kLater - 20, kLater - 10, kOther, 19) + call(2, kLater, kLater + 10, kP2p, 1) +
      message(2, kLater, 1, 100, kLater + 90, 8, 2) + call(1, kLater + 50, kLater + 100, kP2p, 5)));
  const Trace trace = given.import();
  CHECK(calls_of(trace, 0) == Lines{"MPI_Irecv 0 9 2 8 0", "MPI_Wait 0 3 -1", "MPI_Wait -1 3 -1"});
  CHECK(losses_of(trace) ==
        Lines{"receives that an MPI_Wait without a line completed before their message came: 1",
              "receives whose completion is not in the file: by the next wait without another: 1"});
}

TEST_CASE("paraver_import: what a file does not say is named with its count", "[trace-io]") {
  const Given given(std::string(kHeader) + call(1, 100, 110, kP2p, 1) +  // no line of communication
                    call(1, 200, 210, kP2p, 4) + call(1, 300, 310, kP2p, 77) +
                    call(1, 400, 410, kP2p, 5, ":12345678:1:42000050:99") +
                    "2:1:1:1:1:500:50000001:0\n" + "2:1:1:1:1:450:50000003:31\n" +
                    "2:1:1:1:1:600:50000001:1\n" + message(2, 620, 1, 620, 630, 8, 1));
  const Trace trace = given.import();
  CHECK(calls_of(trace, 0) ==
        Lines{"MPI_Send (time only)", "MPI_Irecv 0 0 0 0 0", "MPI_Wait 0 3 -1"});
  CHECK(losses_of(trace) ==
        Lines{"MPI calls whose value the .pcf does not name: 1", "MPI calls within MPI calls: 1",
              "MPI_Send (time only): 1", "calls without an end in the file: 1",
              "events of types that the .pcf does not name: 1",
              "exits of MPI calls that were not entered: 2",
              "lines before the time of the line above: 1", "messages sent outside of any call: 1",
              "receives posted outside of any call: 1",
              "receives whose completion is not in the file: by the next wait without another: 1",
              "receives without a line of communication: from MPI_PROC_NULL: 1",
              "values of hardware counters: 1"});
}

TEST_CASE("paraver_import: a compressed trace is read as it is, a cut one is refused",
          "[trace-io]") {
  const Given given("");
  const std::string text = std::string(kHeader) + call(1, 100, 200, kOther, 31);
  const std::string path = given.folder.path("t.prv.gz");
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  CHECK(calls_of(import_paraver(path, {}), 0) == Lines{"MPI_Init"});
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 12);
  CHECK_THROWS_WITH(import_paraver(path, {}), path + ": is cut off: unexpected end of file");
}

TEST_CASE("paraver_import: errors name file and line", "[trace-io]") {
  const auto problem = [](const std::string& lines, const std::string& labels = kLabels) {
    const Given given(lines, labels);
    try {
      given.import();
    } catch (const InputError& error) {
      const std::string text = error.what();
      return text.substr(text.find("t.p"));
    }
    return std::string("nothing");
  };
  const std::string header = kHeader;
  CHECK(problem("MPI\n") ==
        "t.prv:1: is not the header of a Paraver trace\n  it begins with \"#Paraver "
        "(DATE):DURATION:\"");
  CHECK(problem(header, "") ==
        "t.pcf: is missing\n  a Paraver trace needs its .pcf: without it no event has a meaning");
  CHECK(problem(header, "STATES\n0 Idle\n") ==
        "t.pcf: names no event of MPI\n  only traces of MPI programs can be imported");
  CHECK(problem(header + "2:1:1:1:1:100:5x:1\n") ==
        "t.prv:4: \"2:1:1:1:1:100:5x:1\" is no line of events\n  word 7 is not a number");
  CHECK(problem(header + "2:1:1:1:1:100:50000001\n") ==
        "t.prv:4: a line of events with 7 words\n  2:CPU:APPLICATION:TASK:THREAD:TIME, then pairs "
        "of type and value");
  CHECK(problem(header + "2:1:1:3:1:100:50000001:1\n") ==
        "t.prv:4: task 3 does not exist\n  application 1 has tasks 1 to 2");
  CHECK(problem(header + "3:1:1:1:1:100\n") ==
        "t.prv:4: a line of communication with 6 words\n  it has 15: twice CPU, application, task, "
        "thread and two times, then size and tag");
  CHECK(problem(header + "7:1\n") ==
        "t.prv:4: an unknown kind of line for a Paraver trace\n  lines begin with 1 (states), 2 "
        "(events), 3 (communications), c or #");
  CHECK(problem(header + "c:1:3:2:1\n") ==
        "t.prv:4: a communicator whose number of tasks is not that of its list");
  CHECK(problem(header + "2:1:1:1:1:-5:50000001:1\n") == "t.prv:4: a time of -5");
}
