// SPDX-License-Identifier: MIT
// Baskets and costs against closed forms, and what is wrong with a basket's file.
#include "sim/study/offers.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <regex>

#include "sim/study/merge.hpp"
#include "sim/study/simulate.hpp"
#include "tests/unit/study/example_study.hpp"
#include "trace-io/base/error.hpp"

using namespace reprise;
using namespace reprise::sim;
using nlohmann::ordered_json;

namespace {

// Ranks that compute for so long and meet no one.
std::string program(int ranks, const char* compute) {
  return "reprise-text 1\nranks " + std::to_string(ranks) +
         "\ntiming histogram\nbins 3\nthread 0 {\nMPI_Barrier comm=0 | compute " + compute +
         "\n}\n";
}

struct Basket {
  Scratch scratch;
  Study study;

  // KEYS: beside name, question, axes. MONEY: of machine b. AXES: beside the machines.
  explicit Basket(const std::string& keys, const std::string& money = "EUR",
                  const std::string& axes = "") {
    const auto save = [&](const char* name, int ranks, const char* compute) {
      trace_io::save(trace_io::assemble(program(ranks, compute), "test"), scratch.path(name));
    };
    save("x.reprise", 2, "1s");
    save("y.reprise", 4, "4s");
    save("y2.reprise", 2, "8s");
    machine(
        "a.json", 4, 2, 1,
        R"("price":{"node":"1000 EUR","cable":"10 EUR","optics":"5 EUR","switch":"200 EUR","switches":1},
      "power":{"idle":"100 W","busy":"300 W","link":"1 W","switch":"36 W","switches":1},)");
    machine("b.json", 2, 4, 2, R"("price":{"total":"9000 )" + money + R"("},)");
    study = load_study(scratch.file("s.json",
                                    R"({"format":1,"name":"s","question":"q","efficiencies":false,
          "axes":[{"name":"machine","values":[{"label":"a","platform":"a.json"},{"label":"b","platform":"b.json"}]})" +
                                        axes + "]," + keys + "}"));
  }

  void machine(const char* file, int nodes, int cores, int speed, const std::string& costs) const {
    scratch.file(file, R"({"format":1,"name":"m","source":"test",)" + costs +
                           R"("nodes":{"count":)" + std::to_string(nodes) + R"(,"cores":)" +
                           std::to_string(cores) + R"(,"relative_speed":)" + std::to_string(speed) +
                           R"(},
      "intra_node":{"bandwidth":"10 GB/s","latency":"0 us"},
      "network":{"topology":{"kind":"star"},"link":{"bandwidth":"1 GB/s","latency":"0 us"}},
      "mpi":{"eager_limit":"64 KiB","send_overhead":"0 us","recv_overhead":"0 us"}})");
  }

  // LEFT_OUT: so many simulations, the last ones, are missing.
  ordered_json results(std::size_t left_out = 0) const {
    const StudyInputs inputs(study);
    const Plan plan = plan_of(study, inputs);
    CollectedRows rows;
    for (std::size_t i = 0; i + left_out < plan.runs.size(); ++i)
      rows.by_key[plan.runs[i].key] = simulate(study, inputs, plan, plan.runs[i]).row;
    return results_of(study, inputs, plan, rows);
  }
};

constexpr const char* kTwo =
    R"("applications":[{"label":"x","trace":"x.reprise","weight":3},{"label":"y","trace":"y.reprise","weight":1}],
       "electricity":{"price":"0.50 EUR/kWh","co2":"400 g/kWh"},"years":2)";

const ordered_json& offer(const ordered_json& results, const char* machine) {
  for (const auto& one : results["offers"]["list"])
    if (one["labels"]["machine"] == machine) return one;
  throw std::logic_error("no such offer");
}

std::string refusal(const std::string& keys, const std::string& money = "EUR") {
  try {
    Basket(keys, money).results();
  } catch (const InputError& error) {
    return std::regex_replace(error.what(), std::regex("/[^ ]*/(?=[abs]\\.json)"), "");
  }
  return "";
}

}  // namespace

TEST_CASE("offers: a job's speed-up is the weighted geometric mean, jobs an hour fill the machine",
          "[study]") {
  const auto results = Basket(kTwo).results();
  CHECK(results["offers"]["weights"] == ordered_json{{"x", 0.75}, {"y", 0.25}});
  // b's cores run both programs twice as fast
  CHECK(offer(results, "a")["speedup"].get<double>() == Approx(1));
  CHECK(offer(results, "b")["speedup"].get<double>() == Approx(2));
  // a: x takes a node for 1 s, y two nodes for 4 s, of four; b: one node each for half as long, of two
  CHECK(offer(results, "a")["jobs_per_hour"].get<double>() ==
        Approx(3600 * 4 / (0.75 * 1 + 0.25 * 8)));
  CHECK(offer(results, "b")["jobs_per_hour"].get<double>() ==
        Approx(3600 * 2 / (0.75 * 0.5 + 0.25 * 2)));
  for (const char* machine : {"a", "b"}) {
    const auto& one = offer(results, machine);
    CHECK(one["nodes"] == (machine == std::string("a") ? 4 : 2));
    CHECK(one["jobs_per_node_hour"].get<double>() * one["nodes"].get<double>() ==
          Approx(one["jobs_per_hour"].get<double>()));
  }
  for (const auto& point : results["points"])
    CHECK(point["speedup"].get<double>() == Approx(point["labels"]["machine"] == "a" ? 1 : 2));
}

TEST_CASE("offers: where simulations are missing, nothing is the best", "[study]") {
  const auto one = Basket(kTwo).results(1);
  CHECK(one["offers"]["lacking_simulations"] == 1);
  CHECK(offer(one, "b")["missing"] == ordered_json{"y: missing"});
  for (const auto& listed : one["offers"]["list"])
    for (const char* key : {"best", "probability_best", "pareto"})
      CHECK_FALSE(listed.contains(key));
  CHECK(one["answer"][0].get<std::string>().starts_with("Only a has an answer"));
  const auto most = Basket(kTwo).results(3);
  CHECK(most["answer"][0].get<std::string>().starts_with(
      "No answer for all applications together yet: 2 of 2 offers lack simulations."));
  CHECK_FALSE(Basket(kTwo).results()["offers"].contains("lacking_simulations"));
}

TEST_CASE("offers: price, energy, total cost and work for the money", "[study]") {
  const auto results = Basket(kTwo).results();
  const auto& a = offer(results, "a");
  CHECK(a["price"] == 4 * 1000 + 4 * 10 + 8 * 5 + 200);
  // nodes are full; the network takes 40 W, of which a job has the share of its nodes
  const double energy = 0.75 * 1 * (300 + 40 / 4.0) + 0.25 * 4 * (600 + 40 / 2.0);
  CHECK(a["energy_j"].get<double>() == Approx(energy));
  CHECK(a["co2_g"].get<double>() == Approx(energy / 3.6e6 * 400));
  const double power = 4 * 300 + 40, hours = 2 * 8766;
  CHECK(a["power_w"].get<double>() == Approx(power));
  const double cost = 4280 + hours * power / 1000 * 0.5;
  CHECK(a["total_cost"].get<double>() == Approx(cost));
  CHECK(a["jobs_per_money"].get<double>() ==
        Approx(a["jobs_per_hour"].get<double>() * hours / cost));
  CHECK(a["cost_per_job"].get<double>() * a["jobs_per_money"].get<double>() == Approx(1));
  // b says nothing about power
  const auto& b = offer(results, "b");
  for (const char* key : {"energy_j", "co2_g", "power_w", "total_cost"})
    CHECK_FALSE(b.contains(key));
  CHECK(results["offers"]["currency"] == "EUR");
  CHECK(results["offers"]["by"] == "work for the money");
}

// Of 1, 1 and 8 s the median is 1 s, the geometric mean 2 s.
TEST_CASE("offers: figures follow the mean by which offers are ranked", "[study]") {
  Basket basket(R"("applications":[{"label":"x","traces":["x1.reprise","x2.reprise","x3.reprise"],
      "weight":3},{"label":"y","trace":"y.reprise","weight":1}],"seeds":3,"years":2)");
  const char* const times[] = {"1s", "1000001us", "8s"};  // no recording twice
  for (int i = 0; i < 3; ++i)
    trace_io::save(trace_io::assemble(program(2, times[i]), "test"),
                   basket.scratch.path("x" + std::to_string(i + 1) + ".reprise"));
  const auto results = basket.results();
  const auto& a = offer(results, "a");
  const auto& b = offer(results, "b");
  CHECK(a["applications"][0]["time_s"].get<double>() == Approx(2));
  // In each seed a's average job takes so many of its four nodes so long; 4 s of y on two.
  const auto node_time = [](double x) { return 0.75 * x + 0.25 * 2 * 4; };
  const double mean = std::cbrt(node_time(1) * node_time(1) * node_time(8));
  CHECK(a["jobs_per_hour"].get<double>() == Approx(3600 * 4 / mean));
  const auto& worse = a["jobs_per_money"] < b["jobs_per_money"] ? a : b;
  const auto& best = a["jobs_per_money"] < b["jobs_per_money"] ? b : a;
  CHECK(results["offers"]["list"][0]["labels"] == best["labels"]);
  CHECK(worse["against_best"]["ratio"].get<double>() ==
        Approx(best["jobs_per_money"].get<double>() / worse["jobs_per_money"].get<double>()));
  CHECK(b["speedup"].get<double>() == Approx(2));
}

TEST_CASE("offers: each machine takes the recording of the ranks that it is to run", "[study]") {
  const auto results = Basket(R"("applications":[{"label":"y","traces":["y.reprise","y2.reprise"],
        "cases":[{"machine":"b","ranks":2}]}])")
                           .results();
  CHECK(offer(results, "a")["applications"][0]["ranks"] == 4);
  CHECK(offer(results, "b")["applications"][0]["ranks"] == 2);
  CHECK(offer(results, "b")["applications"][0]["time_s"].get<double>() == Approx(4));
  CHECK(offer(results, "a")["applications"][0]["time_s"].get<double>() == Approx(4));
}

TEST_CASE("offers: each axis is compared with the others held", "[study]") {
  // On four ranks y takes 4 s, on two 8 s; x runs on two ranks, whatever the axis says.
  const char* const axes =
      R"(,{"name":"ranks of y","values":[{"label":"four","ranks":4},{"label":"two","ranks":2}]})";
  const char* const keys = R"("applications":[
      {"label":"x","trace":"x.reprise","weight":3,"cases":[{"machine":["a","b"],"ranks":2}]},
      {"label":"y","traces":["y.reprise","y2.reprise"],"weight":1}],"seeds":2)";
  const auto along = [](const ordered_json& results, const char* machine, const char* ranks) {
    for (const auto& one : results["offers"]["list"])
      if (one["labels"]["machine"] == machine && one["labels"]["ranks of y"] == ranks)
        return one.value("against_best_along", ordered_json::object());
    throw std::logic_error("no such offer");
  };
  Basket work(keys, "EUR", axes);
  work.machine("a.json", 4, 2, 1, "");
  work.machine("b.json", 2, 4, 2, "");
  const auto by_work = work.results();
  CHECK(by_work["offers"]["by"] == "work");
  CHECK(along(by_work, "b", "four").empty());
  // b's cores are twice as fast; a quarter of the weight takes twice as long on two ranks
  for (const char* ranks : {"four", "two"})
    CHECK(along(by_work, "a", ranks)["machine"]["ratio"].get<double>() == Approx(2));
  for (const char* machine : {"a", "b"})
    CHECK(along(by_work, machine, "two")["ranks of y"]["ratio"].get<double>() ==
          Approx(std::pow(2, 0.25)));
  CHECK_FALSE(along(by_work, "a", "four").contains("ranks of y"));
  CHECK(by_work["answer"][1] ==
        "Best machine for all applications together: b, 2.00 times as fast as a.");
  CHECK(by_work["answer"][2] ==
        "Best ranks of y for all applications together: four, 1.19 times as fast as two.");
  // Jobs an hour count nodes. On a four ranks take two nodes for half as long; on b either way one.
  const auto by_money = Basket(keys, "EUR", axes).results();
  CHECK(by_money["offers"]["by"] == "work for the money");
  const double a = 4280 / 4.0 * (0.75 * 1 + 0.25 * 8), b_four = 9000 / 2.0 * (0.375 + 0.25 * 2),
               b_two = 9000 / 2.0 * (0.375 + 0.25 * 4);
  CHECK(along(by_money, "b", "four")["machine"]["ratio"].get<double>() == Approx(b_four / a));
  CHECK(along(by_money, "b", "two")["machine"]["ratio"].get<double>() == Approx(b_two / a));
  CHECK(along(by_money, "b", "two")["ranks of y"]["ratio"].get<double>() == Approx(b_two / b_four));
  CHECK(by_money["answer"][2] ==
        "Best ranks of y for all applications together: four, 1.57 times as much work for the "
        "money as two on b; no difference on a, within 0.5\u202f%.");
  // One axis alone is what the order of the offers says.
  CHECK_FALSE(offer(Basket(kTwo).results(), "b").contains("against_best_along"));
}

// Three of a's four nodes: the fourth is idle, and takes its power. Both nodes of b.
TEST_CASE("offers: jobs are whole, and nodes that are too few for one more stay idle", "[study]") {
  Basket basket(R"("trace":"x.reprise","electricity":{"price":"0.50 EUR/kWh"},"years":2)");
  trace_io::save(trace_io::assemble(program(6, "1s"), "test"), basket.scratch.path("x.reprise"));
  const auto results = basket.results();
  const auto& a = offer(results, "a");
  CHECK(a["jobs_at_once"] == 1);
  CHECK(a["jobs_share_links"] == false);  // a star's switch is shared by nobody
  CHECK(a["jobs_per_hour"].get<double>() == Approx(3600));
  CHECK(a["power_w"].get<double>() == Approx(3 * 300 + 40 * 3 / 4.0 + 100));
  CHECK(offer(results, "b")["jobs_per_hour"].get<double>() == Approx(2 * 3600));
}

TEST_CASE("offers: a combination that is missing is named, and has no figures", "[study]") {
  const auto results =
      Basket(
          R"("applications":[{"label":"x","trace":"x.reprise"},{"label":"y","traces":["y.reprise","y2.reprise"],
        "cases":[{"machine":"b","ranks":8}]}])")
          .results();
  const auto& b = offer(results, "b");
  CHECK(b["missing"] ==
        ordered_json::array({"y: there is no recording with 8 ranks (there is one with 4, 2)"}));
  CHECK_FALSE(b.contains("speedup"));
  CHECK(offer(results, "a").contains("speedup"));
  CHECK(results["answer"].back() ==
        "Without an answer: b, y: there is no recording with 8 ranks (there is one with 4, 2).");
}

TEST_CASE("offers: applications of different clocks and MPI libraries are allowed, and it is said",
          "[study]") {
  Basket basket(kTwo);
  trace_io::save(trace_io::assemble("reprise-text 1\nranks 2\nmpi_library \"MPICH 4.0.2\"\nclock "
                                    "cpu\nthread 0 {\nMPI_Barrier comm=0 | compute 1s\n}\n",
                                    "test"),
                 basket.scratch.path("x.reprise"));
  const auto results = basket.results();
  CHECK(results["remarks"] ==
        ordered_json::array({"the applications were recorded with different MPI libraries: one "
                             "without a name, MPICH 4.0.2",
                             "the applications were recorded with different clocks: cpu, wall"}));
  CHECK(offer(results, "a").contains("speedup"));
  CHECK(Basket(kTwo).results()["remarks"].empty());
}

TEST_CASE("offers: what no basket can be is refused", "[study]") {
  CHECK(refusal(R"("applications":[{"label":"x","trace":"x.reprise","weight":-1}])") ==
        "s.json at /applications/0/weight: expected a number of zero or more, found the number "
        "-1\n  a weight is the share of the jobs, in any unit: 3, 0.5");
  CHECK(refusal(R"("applications":[{"label":"x","trace":"x.reprise","weight":0}])") ==
        "s.json at /applications: all weights are 0\n  give the relevant ones a weight above 0");
  CHECK(refusal(R"("applications":[{"label":"x","trace":"x.reprise"}],"trace":"x.reprise")") ==
        "s.json at /trace: cannot be combined with \"applications\"\n  each application names its "
        "own; leave one of the two out");
  CHECK(refusal(kTwo, "USD") ==
        "b.json at /price: prices in USD, but in EUR at s.json at /electricity/price\n  give all "
        "prices in one currency: there are no exchange rates");
  CHECK(
      refusal(
          R"("applications":[{"label":"x","trace":"x.reprise"}],"electricity":{"co2":"3 EUR/kWh"})") ==
      "s.json at /electricity/co2: \"EUR\" is not grams\n  write grams, such as \"380 g/kWh\"");
}
