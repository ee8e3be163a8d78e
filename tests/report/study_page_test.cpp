// SPDX-License-Identifier: MIT
// The page without a browser: what stands in it, and that nothing in the results can break it.
#include "sim/report/study_page.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "sim/report/losses_of_points.hpp"
#include "sim/report/page.hpp"
#include "sim/report/study_view.hpp"
#include "tests/report/made_study.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

ordered_json results_of(const std::string& study) {
  return ordered_json::parse(
      std::ifstream(std::string(REPRISE_TEST_RESULTS) + "/" + study + ".json"));
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

std::string sentence(const std::string& page) {
  const std::string begin = "<p class=\"sentence\">";
  const auto at = page.find(begin) + begin.size();
  return page.substr(at, page.find("</p>", at) - at);
}

ordered_json point(const char* machine, double time, double speedup) {
  return {{"labels", {{"machine", machine}}},
          {"status", "done"},
          {"reason", ""},
          {"predicted_time_s", {{"median", time}, {"low", time}, {"high", time}, {"seeds", 1}}},
          {"speedup", speedup},
          {"compute_s", time / 2},
          {"communication_s", time / 4},
          {"wait_s", time / 4}};
}

ordered_json two_machines(double first, double second) {
  return {{"format", 1},
          {"study",
           {{"name", "s"},
            {"question", "Which?"},
            {"axes", {{{"name", "machine"}, {"labels", {"A", "B"}}}}},
            {"baseline", {{"machine", "A"}}}}},
          {"points", {point("A", first, 1), point("B", second, first / second)}}};
}

}  // namespace

TEST_CASE(
    "study page: the sentence names the fastest point and its time, the next one what limits it",
    "[report]") {
  const auto page = study_page(results_of("procurement"));
  CHECK(
      sentence(page) ==
      "Fastest is <strong>100 GbE, fat tree, block</strong>: the run takes 666.1\u202fms (median; "
      "665.8 "
      "to 667.1\u202fms over 5 seeds), 1.22 times as fast as the baseline (10 GbE, star, block). "
      "The "
      "<strong>machine</strong> matters most: <strong>100 GbE, fat tree</strong> is 1.22 times as "
      "fast as <strong>10 GbE, star</strong> with placement block; the "
      "<strong>placement</strong> less: <strong>block</strong> is 1.03 times as fast as "
      "<strong>cyclic</strong> with machine 100 GbE, fat tree.");
  CHECK(count(page,
              "<p>The run with <strong>100 GbE, fat tree, block</strong> is limited by uneven work "
              "between ranks "
              "(load balance 90\u202f%).</p>") == 1);
  CHECK(sentence(study_page(two_machines(1.0, 0.75))) ==
        "Fastest is <strong>B</strong>: the run takes 750.0\u202fms, 1.33 times as fast as the "
        "baseline (A).");
  CHECK(sentence(study_page(two_machines(1.0, 2.0))) ==
        "Nothing is faster than the baseline, <strong>A</strong>: the run takes 1.000\u202fs. Next "
        "is <strong>B</strong> with 2.000\u202fs.");
}

TEST_CASE("study page: results without points, or with nothing but failures, are a page",
          "[report]") {
  CHECK(sentence(study_page(ordered_json::object())) ==
        "No simulation of this study has a result.");
  auto results = two_machines(1, 2);
  for (auto& one : results["points"])
    one = {{"labels", one["labels"]}, {"status", "deadlocked"}, {"reason", "rank 3 waits"}};
  const auto page = study_page(results);
  CHECK(sentence(page) == "No simulation of this study has a result.");
  CHECK(count(page, "no result: deadlocked – rank 3 waits") == 2);
  results["points"][1]["status"] = "missing";
  CHECK(sentence(study_page(results)) == "No answer yet: 1 of 2 points lacks simulations.");
  CHECK(page.find("<strong>2 points of 2 have no result</strong>") != std::string::npos);
}

TEST_CASE("study page: nothing in it comes from anywhere else", "[report]") {
  for (const char* study : {"procurement", "network-upgrade"}) {
    const auto page = study_page(results_of(study));
    CHECK(count(page, " src=") == 0);
    CHECK(count(page, "<link ") == 1);  // an empty icon, so that browsers do not ask for one
    CHECK(count(page, "@import") == 0);
    CHECK(count(page, "url(http") == 0);
    CHECK(count(page, "<script") == 3);
    CHECK(count(page, "</script>") == 3);
  }
}

TEST_CASE("study page: texts of the results stay texts", "[report]") {
  const std::string bad = "</script><script>alert(1)</script><img onerror=x>";
  auto results = two_machines(1, 2);
  results["study"]["name"] = results["study"]["question"] = bad;
  results["study"]["axes"][0]["name"] = bad;
  results["study"]["baseline"] = {{bad, bad}};
  for (auto& one : results["points"]) {
    one["labels"] = {{bad, bad}};
    one["losses"] = {{{"name", bad}, {"severity", bad}, {"count", 1}}};
  }
  results["points"][1]["status"] = results["points"][1]["reason"] = bad;
  const auto page = study_page(results);
  CHECK(count(page, "alert(1)</script>") == 0);
  CHECK(count(page, "<img") == 0);
  CHECK(count(page, "<script") == 3);
  for (const auto& chart : study_charts(results)) CHECK(count(chart.svg, "<script") == 0);
}

TEST_CASE("study page: remarks and losses of all points stand once on top, others in their rows",
          "[report]") {
  auto results = two_machines(2, 1);
  for (auto& one : results["points"]) {
    one["remarks"] = {"one core holds two ranks"};
    one["losses"] = {{{"name", "lost messages"}, {"severity", "partial"}, {"count", 3}},
                     {{"name", "odd tags"}, {"severity", "notice"}, {"count", 1}}};
  }
  const auto shared = study_page(results);
  CHECK(count(shared, "<p>Note: one core holds two ranks.</p>") == 1);
  CHECK(count(shared,
              "<p class=\"warning\"><strong>partial</strong>: lost messages, 3 times.</p>") == 1);
  CHECK(count(shared, "id=\"note-1\"") == 0);
  CHECK(count(shared,
              "<ul><li>partial: lost messages, up to 3 times (2 points)</li>"
              "<li>notice: odd tags, up to 1 time (2 points)</li></ul>") == 1);

  results["points"][1]["remarks"] = {"receives were reordered"};
  results["points"][1]["losses"][0]["count"] = 4;
  const auto apart = study_page(results);
  CHECK(count(apart, "<p>Note: ") == 0);
  CHECK(count(apart, "<p class=\"warning\">") == 0);
  CHECK(count(apart, ">notes</th>") == 1);
  CHECK(count(apart,
              "<li id=\"note-1\">receives were reordered</li><li class=\"grave\" "
              "id=\"note-2\">partial: lost messages, 4 times; likewise, with other numbers, at 1 "
              "other point</li><li id=\"note-3\">one core holds two ranks</li>") == 1);
  auto twice = results;
  twice["points"][1]["remarks"] = {"rank 3 was late", "rank 4 was late"};
  const auto page = study_page(twice);  // one note, and points are counted, not notes
  CHECK(count(page, "rank 3 was late; likewise, with other numbers, at this point</li>") == 1);
  CHECK(count(page, "href=\"#note-1\"") == 1);
  for (const auto& [number, points] : {std::pair{"1", 1U}, std::pair{"2", 2U}, std::pair{"3", 1U}})
    CHECK(count(apart, std::string("href=\"#note-") + number + '"') == points);
}

TEST_CASE("study page: a calibration's band stands in the row, of a single run on top",
          "[report]") {
  auto results = two_machines(2, 1);
  CHECK(count(study_page(results), ">calibration band</th>") == 0);
  results["points"][1]["calibration"] = {{"uncertainty", 0.05}, {"low_s", 0.98}, {"high_s", 1.02}};
  const auto page = study_page(results);
  CHECK(count(page, ">calibration band</th>") == 1);
  CHECK(count(page, "<td class=\"n\">0.9800 – 1.020</td>") == 1);
  CHECK(count(page, "<p>With messages") == 0);
  results["points"].erase(0);
  CHECK(
      count(
          study_page(results),
          "<p>With messages 5.0\u202f% cheaper or more expensive (the platform&#39;s fit error) it "
          "takes 0.9800 to 1.020\u202fs.</p>") == 1);
}

TEST_CASE("study page: bars are as long as run times, with their bands at the end", "[report]") {
  auto results = two_machines(4, 2);
  // Ranks that end before the last one: the parts are shares of the run time nevertheless.
  results["points"][0]["wait_s"] = 0.5;
  results["points"][0]["band"] = {{"low_s", 3.0}, {"high_s", 5.0}};
  results["points"][1]["speedup_band"] = {{"low", 1.5}, {"high", 2.5}};
  const auto charts = study_charts(results);
  // 960 units less 300 for names and 110 for numbers: 110 a second. The second row is machine A's.
  const auto& run_time = charts.at(0).svg;
  CHECK(count(run_time, "<g class=\"band\"><line") == 1);
  CHECK(run_time.find("<line x1=\"630\" y1=\"103\" x2=\"850\" y2=\"103\"/>") != std::string::npos);
  // of one recording: no statement about runs
  CHECK(run_time.find("band over seeds") != std::string::npos);
  CHECK(run_time.find("95\u202f% band") == std::string::npos);
  double length = 0;
  for (auto at = run_time.find("y=\"94\" "); at != std::string::npos;
       at = run_time.find("y=\"94\" ", at + 1))
    length += std::stod(run_time.substr(run_time.find("width=\"", at) + 7));
  CHECK(length == Approx(440));
  const auto& speed_up = charts.at(1).svg;
  CHECK(count(speed_up, "<g class=\"band\"><line") == 1);
  CHECK(speed_up.find("<line x1=\"630\" y1=\"77\" x2=\"850\" y2=\"77\"/>") != std::string::npos);
  // Without any band there is neither line nor legend.
  CHECK(count(study_charts(two_machines(4, 2)).at(0).svg, "class=\"band\"") == 0);
}

TEST_CASE("study page: JSON in a script cannot end it", "[report]") {
  CHECK(report::json_script("results", {{"a", "</script><!--"}}).written() ==
        "<script type=\"application/json\" id=\"results\">{\"a\":\"\\u003c/script>\\u003c!--\"}"
        "</script>");
}

TEST_CASE("study page: labels that are numbers make an axis of numbers", "[report]") {
  ordered_json results = {{"study",
                           {{"name", "s"},
                            {"axes",
                             {{{"name", "latency"}, {"labels", {"1x", "0.5x"}}},
                              {{"name", "bandwidth"}, {"labels", {"1x", "× 2"}}}}},
                            {"baseline", {{"latency", "1x"}, {"bandwidth", "1x"}}}}},
                          {"points", ordered_json::array()}};
  double time = 4;
  for (const char* latency : {"1x", "0.5x"})
    for (const char* bandwidth : {"1x", "× 2"}) {
      auto one = point("", time, 4 / time);
      one["labels"] = {{"latency", latency}, {"bandwidth", bandwidth}};
      results["points"].push_back(one);
      time -= 1;
    }
  const auto page = study_page(results);
  CHECK(count(page, "id=\"map\"") == 1);
  CHECK(
      sentence(page) ==
      "Most is gained by <strong>latency</strong>: at 0.5x alone the run is 2.00 times as "
      "fast as the "
      "baseline (latency 1x, bandwidth 1x); <strong>bandwidth</strong> at × 2 alone makes it 1.33 "
      "times as fast. Together, <strong>latency 0.5x, bandwidth × 2</strong>, they make it 4.00 "
      "times as fast and save what each saves alone.");
  results["study"]["axes"][0]["labels"][0] = "as it is";
  CHECK(count(study_page(results), "id=\"map\"") == 0);
}

TEST_CASE("study page: labels that only contain numbers make no axis of numbers", "[report]") {
  for (const char* label : {"64", "0.5x", "2.x", "× 2", "x 16", "4 ×"})
    CHECK(report::number_of_label(label) > 0);
  CHECK(report::number_of_label("× 2") == 2);
  for (const char* label : {"4x4", "16x1", "x4x", "4e4", "0x10", "1 000", "4 a node", "8 nodes",
                            "inf", "-2", "1.2.3", ".5", "0", "x", ""})
    CHECK(report::number_of_label(label) == 0);

  const auto curves = [](std::vector<std::string> labels, const ordered_json& placements) {
    MadeStudy study;
    study.axis("placement", labels);
    if (!placements.empty()) study.results["study"]["axes"][0]["placements"] = placements;
    study.point({labels[0]}, 1.0);
    study.point({labels[1]}, 0.5);
    return count(study_page(study.results), "id=\"curves\"");
  };
  CHECK(curves({"4", "16"}, {}) == 1);
  CHECK(curves({"4x4", "16x1"}, {}) == 0);
  CHECK(curves({"4", "16"}, {"plane:4", "cyclic"}) == 0);
}

TEST_CASE("study page: the same results give the same bytes", "[report]") {
  CHECK(study_page(results_of("network-upgrade")) == study_page(results_of("network-upgrade")));
}

TEST_CASE("study page: a card for each part that the results hold, and none for others",
          "[report]") {
  const auto cards = [](const std::string& page) {
    std::string list;
    for (const char* id : {"all-points", "map", "run-times", "curves", "tornado", "pop",
                           "links-used", "matrix", "timeline", "calls", "about"})
      if (count(page, std::string("id=\"") + id + "\"") == 1) list += std::string(id) + " ";
    return list;
  };
  CHECK(cards(study_page(results_of("procurement"))) ==
        "all-points run-times tornado pop links-used matrix timeline calls about ");
  CHECK(cards(study_page(results_of("network-upgrade"))) ==
        "all-points map run-times curves tornado pop links-used matrix timeline calls about ");
  CHECK(cards(study_page(two_machines(1, 2))) == "all-points run-times about ");
}

// Three bins of a millisecond hold a run of 2.5 ms: map, table and axis end with the run.
TEST_CASE("study page: pictures over time end where the run ends", "[report]") {
  auto results = two_machines(2.5e-3, 2e-3);
  results["baseline_details"] = {
      {"critical_path",
       {{"time_s", 2.5e-3},
        {"parts", {{{"part", "compute"}, {"seconds", 2.5e-3}, {"share", 1.0}}}},
        {"map",
         {{"bin_s", 1e-3},
          {"first_ranks", {0, 1}},
          {"computing_s", {{1e-3, 1e-3, 0.5e-3}}},
          {"otherwise_s", {{0.0, 0.0, 0.0}}}}}}},
      {"timeline",
       {{"bin_s", 1e-3},
        {"first_ranks", {0, 1}},
        {"compute", {{1.0, 1.0, 0.5}}},
        {"communication", {{0.0, 0.0, 0.0}}},
        {"wait", {{0.0, 0.0, 0.0}}}}}};
  const auto page = study_page(results);
  const auto from = page.find("<svg id=\"path-map\"");
  REQUIRE(from != std::string::npos);
  const auto map = page.substr(from, page.find("</svg>", from) - from);
  CHECK(count(map, "class=\"on-computing\"") == 3);
  CHECK(count(map, ">2.500\u202fms<") == 1);
  CHECK(count(map, "3\u202fms") == 0);
  // 870 points for 2.5 ms, from 90: the last half bin is from 786 to the frame's end, as dark as the whole ones.
  CHECK(count(map, "x=\"786\"") == 1);
  CHECK(count(map, "width=\"174\"") == 1);
  CHECK(count(map, "fill-opacity=\"1\"") == 3);
  CHECK(count(page, "2.00 – 2.50") == 1);
  CHECK(count(page, ">100\u202f%<") >= 3);  // shares of the time that the run has in a slice
}

TEST_CASE("study page: which computing causes the waiting", "[report]") {
  auto results = two_machines(2, 1);
  CHECK(study_page(results).find("id=\"delay-costs\"") == std::string::npos);
  results["baseline_details"]["delay_costs"] = {{"all_s", 0.4},
                                                {"messages_s", 0.1},
                                                {"delays",
                                                 {{{"rank", 3},
                                                   {"procedure", "MPI_Allreduce"},
                                                   {"place", "a.c:7"},
                                                   {"caller", ""},
                                                   {"direct_s", 0.2},
                                                   {"chain_s", 0.1},
                                                   {"most_procedure", "MPI_Recv"},
                                                   {"most_place", "a.c:9"},
                                                   {"most_caller", "b.c:1"}}}}};
  const auto page = study_page(results);
  CHECK(count(page, "id=\"delay-costs\"") == 1);
  CHECK(count(page, "MPI_Allreduce (a.c:7)") == 1);
  CHECK(count(page, "MPI_Recv (a.c:9, called at b.c:1)") == 1);
  CHECK(count(page, ">75\u202f%<") == 1);  // 0.3 of 0.4 s
}

TEST_CASE("study page: memory bandwidth limits where most computing is at its pace", "[report]") {
  auto results = two_machines(2, 1);
  for (auto& one : results["points"]) {
    one["compute_s"] = one["predicted_time_s"]["median"];
    one["communication_s"] = one["wait_s"] = 0;
    one["memory"] = {
        {"time_s", 0.75 * one["compute_s"].get<double>()}, {"longer_s", 0.1}, {"nodes", 2}};
  }
  CHECK(study_page(results).find("memory bandwidth: 75\u202f% of the computing is limited by it") !=
        std::string::npos);
}

TEST_CASE("losses of points: each once, the gravest first, at the point with most", "[report]") {
  MadeStudy study;
  study.axis("machine", {"A", "B"});
  const auto loss = [](const char* name, const char* severity, int count) {
    return ordered_json{{"name", name}, {"severity", severity}, {"count", count}};
  };
  study.point({"A"}, 1)["losses"] = {loss("a notice", "notice", 2), loss("calls", "partial", 3)};
  study.point({"B"}, 1)["losses"] = {loss("calls", "partial", 5)};
  const auto losses = report::losses_of_points(study.results);
  REQUIRE(losses.size() == 2);
  CHECK(describe(losses[0]) == "partial: calls, up to 5 times (2 points)");
  CHECK(describe(losses[1]) == "notice: a notice, up to 2 times (1 point)");
}

}  // namespace reprise::sim
