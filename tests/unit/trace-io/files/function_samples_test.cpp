// SPDX-License-Identifier: MIT
// Samples of functions: as text, as a file, merged by what ranks compute in, and refused where they cannot be.
#include "trace-io/model/function_samples.hpp"

#include <catch2/catch.hpp>

#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/merge/merge.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

const std::string kTables =
    "procedure 0 \"MPI_Barrier\"\nmodule 0 \"/opt/app\"\npath 0 0+0x10\npath 1 0+0x21 0+0x30\n"
    "path 2 0+0x41 0+0x30\nframe 0+0x21 \"move\" \"a.c\" 1\nframe 0+0x41 \"solve\" \"a.c\" 9\n"
    "site 0 procedure 0 path 0\n";

std::string text(const std::string& ranks, const std::string& statements) {
  return "reprise-text 1\nranks 4\n" + (ranks.empty() ? "" : "recorded " + ranks + "\n") + kTables +
         statements + "thread 0 {\n  loop 5 {\n    @0 MPI_Barrier\n  }\n}\n";
}

const std::string kHead = "functions rate 200 own 3 left_out 1\n";

// A rank that was met so often in `move` and in `solve`.
Trace part(int rank, int move, int solve) {
  const std::string path = "@0 after @0: ";
  std::string stacks = move > 0 ? "1/" + std::to_string(move) : "";
  if (solve > 0) stacks += (stacks.empty() ? "2/" : ", 2/") + std::to_string(solve);
  return assemble(text(std::to_string(rank),
                       kHead + "sampled " + std::to_string(rank) + " compute [" +
                           (stacks.empty() ? "" : path + stacks) + "] communicate [@0: 2/1]\n"),
                  "t.txt");
}

std::string refusal(const std::string& statements) {
  try {
    assemble(text("", statements), "t.txt");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("function samples: text and file give them back", "[trace-io]") {
  const std::string sampled = kHead +
                              "sampled 0,2-3 compute [@0: 1/7; @0 after @0: 1/12, 2/300] "
                              "communicate [@0: 2/5]\n"
                              "sampled 1 compute [] communicate []\n";
  // "none before" is the largest number of a site: it comes last.
  const std::string in_order = kHead +
                               "sampled 0,2-3 compute [@0 after @0: 1/12, 2/300; @0: 1/7] "
                               "communicate [@0: 2/5]\n"
                               "sampled 1 compute [] communicate []\n";
  const Trace trace = assemble(text("", in_order), "t.txt");
  REQUIRE(trace.functions != nullptr);
  CHECK(trace.functions->rate == 200);
  CHECK(trace.functions->classes.size() == 2);
  const std::string dumped = dump(trace);
  CHECK(dumped.find(in_order) != std::string::npos);
  CHECK(dump(assemble(dumped, "t.txt")) == dumped);
  CHECK(dump(deserialise(serialise(trace), "t.reprise")) == dumped);
  CHECK(refusal(sampled) == "t.txt: samples of functions: paths that are not in ascending order");
}

TEST_CASE("function samples: a trace without them has no byte for them", "[trace-io]") {
  const Trace without = assemble(text("", ""), "t.txt");
  CHECK(without.functions == nullptr);
  CHECK(deserialise(serialise(without), "t.reprise").functions == nullptr);
  CHECK(serialise(without).size() < serialise(assemble(text("", kHead), "t.txt")).size());
}

TEST_CASE("function samples: ranks that compute in the same functions share their counts",
          "[merge]") {
  const Trace alike =
      merge(merge(part(0, 300, 700), part(1, 290, 710)), merge(part(2, 31, 69), part(3, 305, 695)));
  REQUIRE(alike.functions->classes.size() == 1);
  const SampledRanks& all = alike.functions->classes.front();
  CHECK(all.ranks == RankList::all(4));
  REQUIRE(all.compute.size() == 1);
  CHECK(all.compute.front().stacks ==
        std::vector<StackSamples>{{1, 300 + 290 + 31 + 305}, {2, 700 + 710 + 69 + 695}});
  CHECK(all.communicate.front().stacks == std::vector<StackSamples>{{2, 4}});
  CHECK(alike.functions->own == 12);
  CHECK(alike.functions->left_out == 4);
  CHECK(check(alike).empty());
}

TEST_CASE("function samples: ranks that compute in others do not", "[merge]") {
  const Trace apart =
      merge(merge(part(3, 900, 100), part(1, 300, 700)), merge(part(0, 310, 690), part(2, 0, 0)));
  REQUIRE(apart.functions->classes.size() == 2);
  CHECK(apart.functions->classes[0].ranks.text() == "0-2");  // rank 2 was never met
  CHECK(apart.functions->classes[1].ranks.text() == "3");
  CHECK(apart.functions->classes[1].compute.front().stacks ==
        std::vector<StackSamples>{{1, 900}, {2, 100}});
}

TEST_CASE("function samples: traces of which only some have them merge", "[merge]") {
  const Trace some = merge(assemble(text("0", ""), "t.txt"), part(1, 5, 5));
  REQUIRE(some.functions != nullptr);
  CHECK(some.functions->classes.front().ranks.text() == "1");
  CHECK(check_structure(some).empty());
}

TEST_CASE("function samples: what cannot be is refused", "[trace-io]") {
  const std::string place = "t.txt: samples of functions: ";
  const auto sampled = [](const std::string& ranks, const std::string& compute) {
    return refusal(kHead + "sampled " + ranks + " compute " + compute + " communicate []\n");
  };
  CHECK(sampled("0", "[@0: 1/0]") == place + "0 samples of a call path");
  CHECK(sampled("0", "[@0: 2/1, 1/1]") == place + "call paths that are not in ascending order");
  CHECK(sampled("0", "[@0: 1/1; @0: 1/1]") == place + "paths that are not in ascending order");
  CHECK(refusal(kHead + "sampled 0-1 compute [] communicate []\nsampled 1 compute [] communicate "
                        "[]\n") == place + "a rank in two classes");
  CHECK(refusal(kHead + "sampled 0 compute [] communicate [@0 after @0: 1/1]\n") ==
        place + "a call before those inside of a call");
  CHECK(sampled("0", "[@7: 1/1]").find("there is no site 7, 1 are declared") != std::string::npos);
  CHECK(sampled("0", "[@0: 9/1]").find("there is no path 9, 3 are declared") != std::string::npos);
  CHECK(refusal("sampled 0 compute [] communicate []\n")
            .find("samples of ranks, but no statement \"functions\" before them") !=
        std::string::npos);
  CHECK(refusal("functions rate 0 own 0 left_out 0\n")
            .find("a rate of 0 samples per second, 1 to 10000 can be") != std::string::npos);
}
