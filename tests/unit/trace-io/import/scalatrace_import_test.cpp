// SPDX-License-Identifier: MIT
// What records of ScalaTrace mean as calls, loops and times of ours.
#include "trace-io/import/scalatrace/scalatrace_import.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/trace-io/import/imported_calls.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/import/import.hpp"
#include "trace-io/model/compute_counters.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using Lines = std::vector<std::string>;

namespace {

class File {
 public:
  // Records of two ranks between MPI_Init and MPI_Finalize: rank list, operation and signature, the lines behind them.
  File& record(const std::string& ranks, const std::string& event, const std::string& lines = "") {
    text_ += "RANKS: " + ranks + "\nEVENT" + std::to_string(records_++) + ": " + event + "\n" +
             lines + "\n";
    return *this;
  }
  File& init() { return record("1 -1 0 2 1", "1084 a"); }
  std::string finalize() {
    record("1 -1 0 2 1", "1045 f");
    return text_;
  }

 private:
  std::string text_;
  int records_ = 0;
};

const std::string kBoth = "1 -1 0 2 1", kFirst = "1 -1 0 1 0", kSecond = "1 -1 1 1 0";

Trace imported(const std::string& text, const ImportSettings& settings = {}) {
  const ScratchFolder folder;
  return import_scalatrace({folder.write("0", text)}, settings);
}

std::uint64_t calls_to(const Trace& trace, const std::string& name) {
  for (const auto& procedure : summarise(trace).procedures)
    if (procedure.name == name) return procedure.calls;
  return 0;
}

// All of one value.
std::string histogram(std::uint64_t count, const std::string& value) {
  return "(" + std::to_string(count) + " " + value + " 0 " + value + " 1 " + value + "){0.00 " +
         value + " " + value + " " + value + " 99.00 " + std::to_string(count) + "}\n";
}

}  // namespace

TEST_CASE("scalatrace_import: peers, sizes and requests, by rank and in their order",
          "[trace-io]") {
  const std::string ring =
      File()
          .init()
          .record(kBoth, "1090 b",
                  "LOOP0: iter: ( 4 )[ " + kBoth + " ] mem: ( 4 )[ " + kBoth +
                      " ]\n10 2 \n12 ( 1 2 )[ " + kFirst + " ]\n12 ( 3 )[ " + kSecond +
                      " ]\n14 16 \n1b 5 \n2b 1 \n")
          .record(kBoth, "1092 c",
                  "10 2 \n12 ( 3 )[ " + kFirst + " ]\n12 ( 1 2 )[ " + kSecond +
                      " ]\n14 16 \n1a 1 \n1b 5 \n")
          .record(kFirst, "1149 d", "12 2 \nc 9998 9999 \n")
          .record(kSecond, "1148 e", "1c 9999 \n")
          .record(kBoth, "1148 e", "1c ( -1 )[ " + kFirst + " ]\n1c ( 9998 )[ " + kSecond + " ]\n")
          .finalize();
  const Trace trace = imported(ring);
  const Lines calls = calls_of(trace, 0);
  REQUIRE(calls.size() == 2 + 4 * 4);
  CHECK(Lines(calls.begin(), calls.begin() + 9) ==
        Lines{"MPI_Init", "MPI_Irecv 0 9 5 8 0", "MPI_Isend 0 9 5 24 1",
              "MPI_Waitall | 0 1 | 3 3 | -1 -1", "MPI_Wait -1 3 -1", "MPI_Irecv 0 9 5 16 0",
              "MPI_Isend 0 9 5 24 1", "MPI_Waitall | 0 1 | 3 3 | -1 -1", "MPI_Wait -1 3 -1"});
  const Lines others = calls_of(trace, 1);
  CHECK(Lines(others.begin() + 1, others.begin() + 5) ==
        Lines{"MPI_Irecv 0 8 5 24 0", "MPI_Isend 0 8 5 8 1", "MPI_Wait 1 3 -1", "MPI_Wait 0 3 -1"});
  CHECK(check_structure(trace).empty());
  CHECK(trace.header.order_budget.value == 0);
}

TEST_CASE("scalatrace_import: loops stay loops, however often they go round", "[trace-io]") {
  // A thousand million times two barriers, then a Bcast whose inner loop goes round once, twice, once …
  const std::string often = "1000000000";
  const std::string text = File()
                               .init()
                               .record(kBoth, "1010 b",
                                       "LOOP0: iter: ( " + often + " )[ " + kBoth +
                                           " ] mem: ( 2 )[ " + kBoth + " ]\nLOOP1: iter: ( 2 )[ " +
                                           kBoth + " ] mem: ( 1 )[ " + kBoth + " ]\n10 2 \n")
                               .record(kBoth, "1011 c",
                                       "LOOP0: iter: ( 1 2 )[ " + kBoth + " ] mem: ( 1 )[ " +
                                           kBoth + " ]\n10 2 \n12 1 \n14 16 \n19 0 1 \n")
                               .finalize();
  const Trace trace = imported(text);
  CHECK(calls_to(trace, "MPI_Barrier") == 4'000'000'000U);
  CHECK(calls_to(trace, "MPI_Bcast") == 3'000'000'000U);
  CHECK(check_structure(trace).empty());
  const auto& loop = std::get<Loop>(trace.threads[0][1].content);
  CHECK(loop.iterations.front().values.front() == 1'000'000'000);
  CHECK(loop.body.size() == 2);
}

TEST_CASE("scalatrace_import: histograms become distributions of the calls after each call",
          "[trace-io]") {
  const std::string text =
      File()
          .init()
          .record(kBoth, "1010 b",
                  "COMP 4b-0: a " + histogram(2, "7.00") + "COMP 4b-1: b " +
                      "(18 9.99 0 1.00 1 9.00){0.00 1.00 1.50 2.00 3.00 16}{3.00 0.00 0.00 0.00 "
                      "4.00 0}{4.00 9.00 9.00 9.00 10.00 2}\n" +
                      "COMP 4c-1: b " + histogram(18, "3.00") + "COMM 4b-0: a " +
                      histogram(2, "2.00") + "COMM 4b-1: b " + histogram(18, "4.00") +
                      "LOOP0: iter: ( 10 )[ " + kBoth + " ] mem: ( 1 )[ " + kBoth + " ]\n10 2 \n")
          .finalize();
  const Trace trace = imported(text);
  const auto& leaf = std::get<Leaf>(std::get<Loop>(trace.threads[0][1].content).body[0].content);
  REQUIRE(leaf.compute.size() == 2);
  const auto& first = leaf.compute[0].classes.at(0).durations;
  CHECK(first.count() == 2);
  CHECK(first.sum() == Nanoseconds{14'000});
  const auto& later = leaf.compute[1].classes.at(0).durations;
  CHECK(later.count() == 18);
  CHECK(later.sum() ==
        Nanoseconds{16 * 1500 + 2 * 9000});  // of the bins: 9.99 is no average of theirs
  CHECK(later.min() == Extreme{Nanoseconds{1000}, Rank{0}});
  CHECK(later.max() == Extreme{Nanoseconds{9000}, Rank{1}});
  CHECK(later.bins().size() == 2);
  CHECK(leaf.communicate.at(0).durations.sum() == Nanoseconds{2 * 2000 + 18 * 4000});
  REQUIRE(trace.counters != nullptr);
  REQUIRE(trace.counters->ways.size() == 1);
  CHECK(trace.counters->ways[0].counts[0] == Count{54'000, later.sum()});
  CHECK(losses_of(trace) == Lines{"calls before which the file has no time: 2"});

  // Instructions alone are time at the speed that is given.
  std::string alone = text;
  for (std::size_t at; (at = alone.find("COMP 4b-1")) != std::string::npos;)
    alone.erase(at, alone.find('\n', at) + 1 - at);
  ImportSettings settings;
  settings.flops_per_second = 2e9;
  const Trace counted = imported(alone, settings);
  const auto& same = std::get<Leaf>(std::get<Loop>(counted.threads[0][1].content).body[0].content);
  CHECK(same.compute[1].classes.at(0).durations.sum() == Nanoseconds{18 * 1500});
  CHECK(counted.counters == nullptr);
}

TEST_CASE("scalatrace_import: communicators of splits and groups", "[trace-io]") {
  const std::string text =
      File()
          .init()
          .record(kBoth, "1036 b",
                  "10 2 \n23 3 \n24 ( 1 )[ " + kFirst + " ]\n24 ( 1 )[ " + kSecond + " ]\n")
          .record(kBoth, "1030 c", "10 2 \n")
          .record(kBoth, "1063 d", "21 1000 \n12 1 \na 1 \n")
          .record(kBoth, "1026 e", "10 2 \n21 1001 \n")
          .record(kSecond, "1010 0", "10 1001 \n")
          .record(kBoth, "1011 1", "10 1000 \n12 1 \n14 3 \n19 0 \n")
          .finalize();
  const Trace trace = imported(text);
  // Keys are distances from the own rank: 1 and 0.
  CHECK(trace.communicators.at(0).groups.at(0).unrolled() == std::vector<std::int64_t>{1, 0});
  CHECK(trace.communicators.at(1).groups.at(0).unrolled() == std::vector<std::int64_t>{1});
  CHECK(calls_of(trace, 0)[4] == "MPI_Comm_create 0 -1 | |");
  CHECK(calls_of(trace, 1)[5] == "MPI_Barrier 3");
  for (const auto& finding : check(trace)) CHECK(finding.severity != Severity::error);
}

TEST_CASE("scalatrace_import: tags that were left out are the sizes, where these tell enough",
          "[trace-io]") {
  const auto exchange = [](const std::string& room) {
    // Rank 0 sends 8 and 80 bytes; rank 1 takes those of 80 first, from anybody.
    return File()
        .init()
        .record(kFirst, "1092 b", "10 2 \n12 1 \n14 16 \n1a 1 \n1b 0 \n")
        .record(kFirst, "1092 b", "10 2 \n12 10 \n14 16 \n1a 1 \n1b 0 \n")
        .record(kSecond, "1102 c", "10 2 \n12 10 \n14 16 \n1b 0 \n2b 2147483647 \n")
        .record(kSecond, "1102 c", "10 2 \n12 " + room + " \n14 16 \n1b 0 \n2b 2147483647 \n")
        .record(kFirst, "1149 d", "12 2 \nc 9998 9999 \n")
        .finalize();
  };
  const Trace told = imported(exchange("1"));
  CHECK(calls_of(told, 0)[1] == "MPI_Isend 0 9 0 8 0");
  CHECK(calls_of(told, 0)[2] == "MPI_Isend 0 9 1 80 1");
  CHECK(calls_of(told, 1)[1] == "MPI_Recv 0 8 1 80 3 -1");
  CHECK(calls_of(told, 1)[2] == "MPI_Recv 0 8 0 8 3 -1");
  CHECK(losses_of(told)[2] ==
        "messages whose tags ScalaTrace left out: their sizes are in place of them: 2");
  CHECK(losses_of(told)[3] == "receives from anybody: senders with which the program can run: 2");
  // With more room than is sent the sizes prove nothing.
  const Trace untold = imported(exchange("2"));
  CHECK(calls_of(untold, 0)[2] == "MPI_Isend 0 9 0 80 1");
  CHECK(losses_of(untold)[2] == "messages whose tags ScalaTrace left out: 0: 2");
}

TEST_CASE("scalatrace_import: what a file does not say is named", "[trace-io]") {
  const std::string text =
      File()
          .init()
          .record(
              kFirst, "1011 b",
              "10 1 \n12 (1 9.00 0 9.00 0 9.00){0.00 9.00 9.00 9.00 18.00 1}\n14 1000 \n19 0 \n")
          .record(kFirst, "1149 c", "12 2 \nc 9999 9998 \n")
          .record(kBoth, "1119 d")
          .record(kBoth, "1104 e", "10 2 \n12 1 \n14 16 \n18 1000 \n19 1 \n")
          .finalize();
  const Trace trace = imported(text);
  CHECK(calls_of(trace, 0) == Lines{"MPI_Init", "MPI_Bcast 1 8 9", "MPI_Waitall | | |",
                                    "MPI_Start (time only)", "MPI_Reduce 0 9 8 0 8 1",
                                    "MPI_Finalize"});
  const auto losses = losses_of(trace);
  for (const char* loss :
       {"MPI_Start (time only): 2", "completions of requests that no call has started: 2",
        "operations of the program's own: as if they commuted: 2",
        "sizes of derived datatypes: as if of single bytes: 1",
        "sizes of which ScalaTrace kept a histogram: their mean: 1"})
    CHECK(std::find(losses.begin(), losses.end(), loss) != losses.end());
}

TEST_CASE("scalatrace_import: files of single ranks", "[trace-io]") {
  const ScratchFolder folder;
  const auto of = [&](const std::string& rank) {
    const std::string ranks = "RANKS: 1 -1 " + rank + " 1 0\nEVENT";
    return folder.write(
        rank, ranks + "0: 1084 a\n\n" + ranks + "1: 1010 b\n10 2 \n\n" + ranks + "2: 1045 c\n\n");
  };
  const auto zero = of("0"), one = of("1");
  CHECK(calls_of(import_scalatrace({zero, one}, {}), 1) ==
        Lines{"MPI_Init", "MPI_Barrier 0", "MPI_Finalize"});
  CHECK(format_of("auto", {zero, one}).word == std::string("scalatrace"));
  CHECK_THROWS_WITH(import_scalatrace({one}, {}),
                    one +
                        ": holds no record of rank 0\n  of traces that are not merged give the "
                        "files of all ranks");
  CHECK_THROWS_WITH(
      import_scalatrace({zero, one, zero}, {}),
      zero + ":1: rank 0 is in " + zero +
          " as well\n  of traces that are not merged each file has the ranks of its own");
}

TEST_CASE("scalatrace_import: errors name file and line", "[trace-io]") {
  const ScratchFolder folder;
  const auto problem = [&](const std::string& text) {
    try {
      import_scalatrace({folder.write("t", text)}, {});
    } catch (const InputError& error) {
      const std::string what = error.what();
      return what.substr(what.rfind("/t:") + 1);
    }
    return std::string("nothing");
  };
  const auto with = [&](const std::string& lines, const std::string& ranks = kBoth) {
    return problem(File().init().record(ranks, "1113 b", lines).finalize());
  };
  CHECK(problem("hello\n") ==
        "t:1: a record begins with \"hello\"\n  a record begins with RANKS: and ends with an empty "
        "line");
  CHECK(problem("RANKS: 1 -1 0 1 0\nEVENT0: 1084 a\n") ==
        "t:2: the file ends within a record\n  a record ends with an empty line; is the copy "
        "complete?");
  CHECK(problem("RANKS: 1 -1 0 1 0\nEVENT1: 1084 a\n\n") ==
        "t:2: \"EVENT1:\" where record 0 was to follow\n  records are numbered from 0 on, in their "
        "order");
  CHECK(problem("RANKS: 1 -1 0 1 0\nEVENT0: 1167 a\n\n") ==
        "t:2: no operation 1167\n  ScalaTrace numbers them from 1000 to 1166");
  CHECK(problem("RANKS: 1 -1 0 1 0\nEVENT0: 1084 a!\n\n") ==
        "t:2: a stack signature has \"a!\", no address");
  CHECK(problem("RANKS: 1 -2 0 3 1\nEVENT0: 1084 a\n\n") ==
        "t:1: how many ranks a term has is missing");
  CHECK(problem("RANKS: 1 -1 0 3 0\nEVENT0: 1084 a\n\n") ==
        "t:1: a rank list with a stride of 0 names a rank twice");
  CHECK(
      problem("RANKS: 2 -1 0 2 1 -1 1 1 0\nEVENT0: 1084 a\n\n").starts_with("t:1: its rank list"));
  CHECK(with("hello\n") ==
        "t:6: a line of no known kind: \"hello\"\n  lines begin with RANKS:, EVENT, COMP, COMM, "
        "LOOP or the number of a "
        "parameter");
  CHECK(with("12 x \n") == "t:6: a value is \"x\", not a whole number");
  CHECK(with("12 ( 1 )[ 1 -1 0 2 1\n") == "t:6: \"]\" is missing at the end");
  CHECK(with("COMP 4d-0: a (1\n") ==
        "t:6: no statistic \"4d-0:\"\n  4b is time, 4c thousands of instructions");
  CHECK(with("COMP 4b-0: a (1 1.00 0 1.00 0 1.00){0.00 1.00 1.00 1.00 2.00 2}\n") ==
        "t:6: a histogram of 1 elements, of which its bins have 2");
  CHECK(with("LOOP0: iter: ( 2 )[ " + kBoth + " ] mem: ( 9 )[ " + kBoth + " ]\n") ==
        "t:4: rank 0: a loop of 9 records, of which there are 2\n  is the file complete?");
  CHECK(with("LOOP0: iter: ( 2 )[ " + kBoth + " ] mem: ( 1 2 )[ " + kBoth + " ]\n") ==
        "t:6: the number of records in a loop changes from 1 to 2\n  loops that ScalaTrace has "
        "only approximately matched "
        "cannot be read");
  CHECK(with("10 2 \n12 1 \n14 16 \n1b 0 \n") == "t:4: rank 0: MPI_Send has no parameter 1a");
  CHECK(with("10 7 \n12 1 \n14 16 \n1a 1 \n1b 0 \n") == "t:4: rank 0: there is no communicator 7");
}
