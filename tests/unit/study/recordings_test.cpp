// SPDX-License-Identifier: MIT
// Several recordings of one program: how runs differ.
#include <boost/math/distributions/students_t.hpp>
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/study/merge.hpp"
#include "sim/study/simulate.hpp"
#include "sim/study/study_file.hpp"
#include "tests/cli/scratch.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise::sim;
using nlohmann::ordered_json;

namespace {

// Runs of one rank (or of one beside an idle one) that compute and then leave: 10 us, 12 us and 11 us, in order.
class Runs {
 public:
  explicit Runs(const std::string& keys) {
    record("a.reprise", 1, 10);
    record("b.reprise", 1, 12);
    record("c.reprise", 1, 11);
    record("two.reprise", 2, 20);
    scratch_.file("machine.json",
                  R"({"format":1,"name":"machine","source":"test","nodes":{"count":2,"cores":1},
      "intra_node":{"bandwidth":"10 GB/s","latency":"0.5 us"},
      "network":{"topology":{"kind":"star"},"link":{"bandwidth":"1 GB/s","latency":"1 us"}},
      "mpi":{"eager_limit":"64 KiB","send_overhead":"1 us","recv_overhead":"1 us"}})");
    path_ = scratch_.file(
        "s.json",
        R"({"format":1,"name":"s","question":"q","platform":"machine.json","efficiencies":false,)" +
            keys + "}");
  }

  ordered_json results() const {
    const Study study = load_study(path_);
    const StudyInputs inputs(study);
    const Plan plan = plan_of(study, inputs);
    CollectedRows rows;
    for (const Run& run : plan.runs) rows.by_key[run.key] = simulate(study, inputs, plan, run).row;
    return results_of(study, inputs, plan, rows);
  }
  std::string refused() const {
    try {
      const StudyInputs inputs(load_study(path_));
    } catch (const reprise::InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  std::string path(const std::string& name) const { return scratch_.path(name); }

 private:
  void record(const std::string& name, int ranks, int microseconds) const {
    const std::string ns = std::to_string(microseconds) + "000";
    reprise::trace_io::save(
        reprise::trace_io::assemble(
            "reprise-text 1\nranks " + std::to_string(ranks) +
                "\ntiming stat\nthread 0 {\n  MPI_Barrier | compute "
                "(limit=0 count=1 sum=" +
                ns + " squares=0:" + std::to_string(microseconds * microseconds) +
                "000000 min=" + ns + "@0 max=" + ns + "@0)\n}\n",
            name),
        scratch_.path(name));
  }

  Scratch scratch_;
  std::string path_;
};

const char* const kTwoSpeeds = R"(,"axes":[{"name":"speed","compute":{},"multiply_by":[1,0.5]}])";

}  // namespace

TEST_CASE("recordings: runs of one program are what one more run's band is made of", "[study]") {
  const auto results = Runs(R"("traces":["a.reprise","b.reprise","c.reprise"])").results();
  const auto& point = results["points"][0];
  CHECK(point["predicted_time_s"]["median"].get<double>() == Approx(11e-6));
  CHECK(point["predicted_time_s"]["low"].get<double>() == Approx(10e-6));
  CHECK(point["predicted_time_s"]["high"].get<double>() == Approx(12e-6));
  CHECK(point["predicted_time_s"]["seeds"] == 3);
  CHECK(point["predicted_time_s"]["recordings"] == 3);
  const double logs[] = {std::log(10e-6), std::log(12e-6), std::log(11e-6)};
  const double mean = (logs[0] + logs[1] + logs[2]) / 3;
  double squares = 0;
  for (const double one : logs) squares += (one - mean) * (one - mean);
  const double scale = std::sqrt(squares / 2 * (1 + 1.0 / 3)),
               step = quantile(boost::math::students_t(2), 0.975) * scale;
  CHECK(point["band"]["low_s"].get<double>() == Approx(std::exp(mean - step)));
  CHECK(point["band"]["high_s"].get<double>() == Approx(std::exp(mean + step)));
  CHECK(point["band"]["shares"]["compute_times"] == 1.0);
  REQUIRE(point["by_recording"].size() == 3);
  CHECK(point["by_recording"][1]["recording"] == 2);
  CHECK(point["by_recording"][1]["compute_s"].get<double>() == Approx(12e-6));
  CHECK(point["nodes_used"] == 1);
  for (const auto& lack : results["certainty"]["lacks"])
    CHECK(lack.get<std::string>().find("compute times") == std::string::npos);
  CHECK(results["study"]["traces"].size() == 3);
}

TEST_CASE("recordings: machines are compared recording by recording", "[study]") {
  const auto results =
      Runs(std::string(R"("traces":["a.reprise","b.reprise"])") + kTwoSpeeds).results();
  const auto& against = results["points"][0]["against_fastest"];
  CHECK(against["ratio"].get<double>() == Approx(2));
  CHECK(against["low"].get<double>() == Approx(2));  // though runs differ by a fifth
  CHECK(against["high"].get<double>() == Approx(2));
}

TEST_CASE("recordings: more seeds than recordings are spread over them", "[study]") {
  const auto results =
      Runs(R"("seeds":5,"traces":["a.reprise","b.reprise"])").results()["points"][0];
  CHECK(results["predicted_time_s"]["seeds"] == 5);
  CHECK(results["predicted_time_s"]["recordings"] == 2);
  CHECK(results["predicted_time_s"]["median"].get<double>() == Approx(10e-6));  // 3 of 5
}

TEST_CASE("recordings: of several numbers of ranks a machine takes all of its own", "[study]") {
  const Runs runs(
      R"("applications":[{"label":"x","traces":["a.reprise","two.reprise","b.reprise"],"ranks":1}])");
  const auto point = runs.results()["points"][0];
  CHECK(point["predicted_time_s"]["recordings"] == 2);
  CHECK(point["predicted_time_s"]["high"].get<double>() == Approx(12e-6));
}

TEST_CASE("recordings: the same one twice is refused", "[study]") {
  const Runs runs(R"("traces":["a.reprise","b.reprise","a.reprise"])");
  CHECK(runs.refused() ==
        runs.path("s.json") + " at /traces/2: the same recording as \"" + runs.path("a.reprise") +
            "\"\n  name different runs of the program, recorded one after another");
}

TEST_CASE("recordings: other numbers of ranks are refused without applications", "[study]") {
  const Runs runs(R"("traces":["a.reprise","two.reprise"])");
  CHECK(runs.refused() ==
        runs.path("s.json") + " at /traces/1: \"" + runs.path("two.reprise") +
            "\" has 2 ranks, and \"" + runs.path("a.reprise") +
            "\" has 1\n  the \"traces\" of a study are runs of the same size, whose differences "
            "widen the bands; to compare sizes, write \"applications\": [{\"label\": …, "
            "\"traces\": […]}] and an axis whose values have \"ranks\"");
}

TEST_CASE("recordings: a point with a number of ranks that was not recorded fails", "[study]") {
  const Runs runs(
      R"("traces":["a.reprise","b.reprise"],"axes":[{"name":"n","values":[{"label":"1","ranks":1},{"label":"2","ranks":2}]}])");
  const auto points = runs.results()["points"];
  CHECK(points[0]["predicted_time_s"]["recordings"] == 2);
  CHECK(points[1]["status"] == "failed");
  CHECK(points[1]["reason"] == "there is no recording with 2 ranks (there is one with 1)");
}
