// SPDX-License-Identifier: MIT
#include "sim/study/work.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "sim/experiment/answer.hpp"
#include "sim/study/merge.hpp"
#include "sim/study/remarks.hpp"
#include "tests/unit/study/example_study.hpp"
#include "trace-io/base/error.hpp"

using namespace reprise;
using namespace reprise::sim;

namespace {

const std::string kLatencies =
    R"("axes":[{"name":"latency","path":"/network/link/latency","multiply_by":[1,2,4]}])";

WorkDone do_share(const ExampleStudy& example, const std::string& folder, Shard shard,
                  bool again = false, std::function<void(std::size_t, std::size_t)> begin = {}) {
  Work work;
  work.shard = std::move(shard);
  work.folder = folder;
  work.jobs = 2;
  work.again = again;
  work.begin = std::move(begin);
  ProgressLine nowhere(stderr, ProgressLine::Place::none, steady_now);
  return work_on(example.study, example.inputs, example.plan, work, nowhere);
}

std::string merged(const ExampleStudy& example, const std::string& folder) {
  return results_of(example.study, example.inputs, example.plan,
                    collect_rows(example.plan, read_rows(folder)))
      .dump();
}

std::string key_of_first(const std::string& keys) { return ExampleStudy(keys).plan.runs[0].key; }

}  // namespace

TEST_CASE("work: what has a row is not done again", "[study]") {
  const ExampleStudy example(kLatencies + R"(,"seeds":4)");
  const auto folder = example.scratch.path("r");
  const auto first = do_share(example, folder, {0, 1, ""});
  CHECK(first.share == 12);
  CHECK(first.before == 0);
  CHECK(first.done == 12);
  CHECK_FALSE(first.is_interrupted);
  std::size_t before = 0, share = 0;
  const auto second =
      do_share(example, folder, {1, 3, ""}, false, [&](std::size_t a, std::size_t b) {
        before = a;
        share = b;
      });
  CHECK(before == 4);
  CHECK(share == 4);
  CHECK(second.share == 4);
  CHECK(second.before == 4);
  CHECK(second.now() == 0);
}

TEST_CASE("work: results do not show how it was shared out", "[study]") {
  const ExampleStudy example(kLatencies + R"(,"seeds":4)");
  do_share(example, example.scratch.path("alone"), {0, 1, ""});
  for (std::uint32_t i = 5; i-- > 0;)
    CHECK(do_share(example, example.scratch.path("shared"), {i, 5, ""}).before == 0);
  CHECK(merged(example, example.scratch.path("alone")) ==
        merged(example, example.scratch.path("shared")));
  const auto rows = collect_rows(example.plan, read_rows(example.scratch.path("shared")));
  CHECK(rows.done == 12);
  CHECK(rows.missing == 0);
  CHECK(rows.duplicates == 0);
}

TEST_CASE("work: the time of a point is the replay's own", "[study]") {
  const ExampleStudy example(R"("deltas":"mean",)" + kLatencies);
  do_share(example, example.scratch.path("r"), {0, 1, ""});
  const auto results = results_of(example.study, example.inputs, example.plan,
                                  collect_rows(example.plan, read_rows(example.scratch.path("r"))));
  // 20 iterations of 20 us of computing and an overhead of 1 us, then the last message: two links of 1 us × factor, 1000 B at 1 GB/s, 1 us
  const auto predicted = [](double factor) { return 20 * 21e-6 + 2 * factor * 1e-6 + 1e-6 + 1e-6; };
  for (std::size_t i = 0; i < 3; ++i) {
    const double factor = example.study.axes[0].factors[i];
    CHECK(results["points"][i]["predicted_time_s"]["median"].get<double>() ==
          Approx(predicted(factor)).epsilon(1e-6));
    CHECK(results["points"][i]["speedup"].get<double>() ==
          Approx(predicted(1) / predicted(factor)).epsilon(1e-6));
  }
}

TEST_CASE("work: a deadlock is a row with its reason", "[study]") {
  const ExampleStudy example(
      "", "ranks 0: MPI_Recv peer=1 tag=7 bytes=8\nranks 1: MPI_Recv peer=0 tag=9 bytes=8");
  const auto work = do_share(example, example.scratch.path("r"), {0, 1, ""});
  CHECK(work.deadlocked == 1);
  const auto rows = read_rows(example.scratch.path("r")).rows;
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].row["status"] == "deadlocked");
  CHECK(rows[0].row["reason"].get<std::string>().starts_with(
      "replay deadlocked at 0 s: rank 0 waits in MPI_Recv for a message from rank 1, tag 7"));
}

TEST_CASE("work: a simulation that cannot be made is a row with its reason", "[study]") {
  const ExampleStudy example(
      "", "ranks 0: MPI_Send peer=1 tag=7 bytes=8\nranks 1: MPI_Recv peer=0 tag=7 bytes=4");
  const auto work = do_share(example, example.scratch.path("r"), {0, 1, ""});
  CHECK(work.failed == 1);
  CHECK(read_rows(example.scratch.path("r")).rows[0].row["status"] == "failed");
}

TEST_CASE("work: a change of which nothing can have come is named, from the study's folder on",
          "[study]") {
  const ExampleStudy example(
      R"("placement":"cyclic","changes":[{"path":"/intra_node/latency","multiply_by":2}])");
  do_share(example, example.scratch.path("r"), {0, 1, ""});
  const auto row = read_rows(example.scratch.path("r")).rows[0].row;
  REQUIRE(row["answer"]["no_effect"].size() == 1);
  CHECK(row["answer"]["no_effect"][0].get<std::string>().starts_with(
      "s.json at /changes/0: /intra_node/latency × 2: "));
}

TEST_CASE("work: a change that holds after the end of the run is named", "[study]") {
  const ExampleStudy example(
      R"("placement":"cyclic","changes":[{"link":"node","bandwidth":"50%","from":"100 s"}])");
  do_share(example, example.scratch.path("r"), {0, 1, ""});
  const auto row = read_rows(example.scratch.path("r")).rows[0].row;
  CHECK(row["answer"]["no_effect"] ==
        nlohmann::ordered_json::array({"s.json at /changes/0: the run is over before 100 s"}));
}

// Two ranks on a node of one core, on a machine that was calibrated, with a call that no model knows.
TEST_CASE("work: a row says all that a replay of its point says", "[study]") {
  const ExampleStudy example(
      R"("placement":"random:1","changes":[{"path":"/nodes/count","set_to":1},{"path":"/mpi","set_to":{"eager_limit":"64 KiB","send_overhead":"1 us","recv_overhead":"1 us","uncertainty":{"typical":0.1,"largest":0.3}}}])",
      "\"MPI_Comm_spawn\" | communicate 10us\nranks 0: MPI_Send peer=1 "
      "tag=7 bytes=1000\nranks 1: MPI_Recv peer=0 tag=7 bytes=1000");
  do_share(example, example.scratch.path("r"), {0, 1, ""});
  const auto row = read_rows(example.scratch.path("r")).rows[0].row;
  REQUIRE(row["status"] == "done");
  const Answer alone = answer(experiment_of(example.study, example.plan.points[0], example.inputs,
                                            *example.plan.runs[0].recording),
                              {.details = example.plan.runs[0].details});
  const auto replayed = to_json(alone, true);
  for (const char* key : {"predicted_time_s", "remarks", "losses", "calibration", "link_classes"}) {
    CAPTURE(key);
    CHECK(row["answer"][key] == replayed[key]);
  }
  REQUIRE(row["answer"]["remarks"].size() == 1);
  CHECK(row["answer"]["remarks"][0].get<std::string>().starts_with(
      "up to 2 ranks share the 1 core of a node"));
  REQUIRE(row["answer"]["losses"].size() == 1);
  CHECK(row["answer"]["losses"][0]["severity"] == "partial");
  CHECK(row["answer"]["calibration"]["high_s"] > row["answer"]["predicted_time_s"]);
  const auto results = results_of(example.study, example.inputs, example.plan,
                                  collect_rows(example.plan, read_rows(example.scratch.path("r"))));
  for (const char* key : {"remarks", "losses", "calibration"})
    CHECK(results["points"][0][key] == row["answer"][key]);
  const auto told = remarks_of_points(results);
  REQUIRE(told.size() == 2);
  CHECK(told[0] == row["answer"]["remarks"][0]);
  CHECK(told[1].get<std::string>().starts_with(
      "if every message takes up to 10.0% less or more time"));
}

TEST_CASE("work: a placement can be searched for", "[study]") {
  const ExampleStudy example(R"("placement":"search:3")");
  CHECK(do_share(example, example.scratch.path("r"), {0, 1, ""}).done == 1);
}

TEST_CASE("work: a limit that is hit is a row, done again only on request", "[study]") {
  // a tag of its own in each iteration: nothing repeats, so that nothing is left out
  ExampleStudy example(R"("limits":{"cpu_time":"1 ms"})",
                       "loop 100000 { ranks 0: MPI_Send peer=1 tag=0..99999 bytes=8\nranks 1: "
                       "MPI_Recv peer=0 tag=0..99999 bytes=8 }");
  const auto folder = example.scratch.path("r");
  CHECK(do_share(example, folder, {0, 1, ""}).crashed == 1);
  CHECK(read_rows(folder).rows[0].row["reason"].get<std::string>().starts_with("took more than"));
  example.study.limits = {};
  CHECK(do_share(example, folder, {0, 1, ""}).now() == 0);
  CHECK(do_share(example, folder, {0, 1, ""}, true).done == 1);
  const auto rows = collect_rows(example.plan, read_rows(folder));
  CHECK(rows.done == 1);
  CHECK(rows.crashed == 0);
}

TEST_CASE("plan: the key is made of what decides the answer, and of nothing else", "[study]") {
  const std::string key = key_of_first(kLatencies);
  CHECK(key.size() == 32);
  CHECK(
      key_of_first(
          R"("axes":[{"name":"another name","path":"/network/link/latency","multiply_by":[1,8]}])") ==
      key);
  CHECK(key_of_first(
            R"("axes":[{"name":"latency","path":"/network/link/latency","multiply_by":[2,1]}])") !=
        key);
  CHECK(key_of_first(kLatencies + R"(,"network":"queue")") != key);
  CHECK(key_of_first(kLatencies + R"(,"deltas":"mean")") != key);
  CHECK(key_of_first(kLatencies + R"(,"placement":"cyclic")") != key);
  CHECK(key_of_first(kLatencies + R"(,"placement":"block@first")") == key);
  CHECK(key_of_first(kLatencies + R"(,"placement":"block@spread")") != key);
  CHECK(key_of_first(kLatencies + R"(,"placement":"block@random:1")") !=
        key_of_first(kLatencies + R"(,"placement":"block@random:2")"));
}

TEST_CASE("plan: points that come to the same are simulated once", "[study]") {
  const ExampleStudy example(
      R"("axes":[{"name":"machine","values":[{"label":"one","platform":"pair.json"},{"label":"same","platform":"pair.json"}]}],"seeds":3)");
  CHECK(example.plan.runs.size() == 6);
  CHECK(example.plan.distinct.size() == 4);  // the baseline's first seed has more to tell
}

TEST_CASE("plan: a point that makes no machine is refused by its name", "[study]") {
  CHECK_THROWS_WITH(
      ExampleStudy(R"("axes":[{"name":"nodes","path":"/nodes/count","set_to":[2,0]}])"),
      Catch::Matchers::EndsWith(
          "pair.json at /nodes/count: 0 is not between 1 and 1000000 (nodes 0)"));
}

TEST_CASE("plan: a trace that is not there is asked for with its command", "[study]") {
  const Scratch scratch;
  const auto file = scratch.file(
      "s.json",
      R"({"format":1,"name":"s","question":"q","trace":"none.reprise","record":["mpirun","-n","4","app"]})");
  const auto study = load_study(file);
  CHECK_THROWS_WITH(StudyInputs(study), file + " at /trace: there is no trace " +
                                            scratch.path("none.reprise") +
                                            "\n  record it first: reprise record -o " +
                                            scratch.path("none.reprise") + " -- mpirun -n 4 app");
}
