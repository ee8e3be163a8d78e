// SPDX-License-Identifier: MIT
#include "sim/report/study_page.hpp"

#include "sim/report/embedded.hpp"
#include "sim/report/html.hpp"
#include "sim/report/sentence.hpp"
#include "sim/report/static_charts.hpp"
#include "sim/report/tables.hpp"

namespace reprise::sim {
namespace report {
namespace {

struct Card {
  const char* id;
  std::string title, lead, body;
  bool is_wide = false;
};

std::string written(const Card& card) {
  return std::string("<section class=\"card") + (card.is_wide ? " wide" : "") + "\" id=\"" +
         card.id + "\" aria-labelledby=\"" + card.id + "-title\">\n<h2 id=\"" + card.id +
         "-title\">" + escaped(card.title) + "</h2>\n<p class=\"lead\">" + escaped(card.lead) +
         "</p>\n" + card.body + "</section>\n";
}

std::string chart(const std::string& id, const std::string& text,
                  const std::string& without_script = "") {
  return "<div class=\"chart\" id=\"" + id + "\" role=\"img\" aria-label=\"" + escaped(text) +
         "\"></div>\n" +
         (without_script.empty() ? "" : "<noscript>" + without_script + "</noscript>\n");
}

std::string canvas(const std::string& id, const std::string& text) {
  return "<div class=\"grid needs-script\" id=\"" + id +
         "\"><canvas tabindex=\"0\" role=\"img\" aria-label=\"" + escaped(text) +
         " Arrow keys walk from cell to cell.\"></canvas><p class=\"readout\" "
         "aria-live=\"polite\">Point at a cell, or use the arrow keys.</p></div>\n";
}

std::string scrolling(const std::string& table) {
  return table.empty()
             ? ""
             : "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"table\">" + table +
                   "</div>\n";
}

std::string as_table(const std::string& table) {
  return table.empty()
             ? ""
             : "<details><summary>As a table</summary>" + scrolling(table) + "</details>\n";
}

std::string heat_table(const Grid& grid) {
  std::string heads = "<th scope=\"col\">" + escaped(grid.row_axis + " \\ " + grid.column_axis) +
                      "</th>",
              rows;
  for (const auto& column : grid.columns)
    heads += "<th scope=\"col\" class=\"n\">" + escaped(column) + "</th>";
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    rows += "<tr><th scope=\"row\">" + escaped(grid.rows[row]) + "</th>";
    for (std::size_t column = 0; column < grid.columns.size(); ++column) {
      const auto* point = grid.cells[row * grid.columns.size() + column];
      rows += point == nullptr ? "<td class=\"n\">–</td>"
                               : "<td class=\"n\" data-value=\"" + exact(point->speedup) + "\">" +
                                     times(point->speedup) + "</td>";
    }
    rows += "</tr>\n";
  }
  return "<table id=\"heat\"><thead><tr>" + heads + "</tr></thead><tbody>\n" + rows +
         "</tbody></table>";
}

std::string legend() {
  return "<ul class=\"legend needs-script\"><li><i "
         "style=\"background:var(--compute)\"></i>computing (bottom)</li><li><i "
         "style=\"background:var(--communication)\"></i>moving data "
         "(middle)</li><li><i style=\"background:var(--wait)\"></i>waiting (top)</li></ul>\n";
}

std::string study_cards(const StudyView& view) {
  std::string cards;
  if (const auto grid = grid_of(view))
    cards +=
        written({"map", "Speed-up over " + grid->column_axis + " and " + grid->row_axis,
                 "How many times as fast as the baseline; the stronger the colour, the faster.",
                 chart("chart-heat",
                       "Speed-up against the baseline for each pair of values; the table below "
                       "holds the same numbers.",
                       speed_up_svg(view)) +
                     as_table(heat_table(*grid)),
                 true});
  cards += written({"run-times", "What the run time is made of",
                    "A rank's time on average: computing, moving data (overheads, latency, "
                    "transfer) and waiting for others. At the end of a bar: the run time.",
                    chart("chart-run-time",
                          "Stacked bars of computing, moving data and waiting for each point; the "
                          "table of all points holds the same numbers.",
                          run_time_svg(view)),
                    true});
  if (!grid_of(view)) {
    const auto svg = speed_up_svg(view);
    if (!svg.empty())
      cards += "<noscript><section class=\"card\">" + svg + "</section></noscript>\n";
  }
  if (!view.numeric_axes.empty())
    cards += written(
        {"curves", "Speed-up curves",
         "How the speed-up grows along " + view.axes[view.numeric_axes[0]] +
             "; where a curve is flat, more of it buys nothing.",
         chart("chart-curves", "Speed-up against the factor on " + view.axes[view.numeric_axes[0]] +
                                   "; the table of all points holds the same numbers."),
         false});
  const auto sensitivities = sensitivities_table(view);
  if (!sensitivities.empty())
    cards += written({"tornado", "What the run time hangs on",
                      "How much the run time changes where one thing is 10\u202f% better or worse, "
                      "and from which factor on it costs 5\u202f%.",
                      "<p class=\"controls needs-script\"><label>Point <select "
                      "id=\"tornado-point\"></select></label></p>" +
                          chart("chart-tornado",
                                "Change of the run time for latency, bandwidth and computing; the "
                                "table below holds the numbers.") +
                          as_table(sensitivities),
                      false});
  const auto links = links_table(view);
  if (!links.empty())
    cards += written(
        {"links-used", "How busy the links are",
         "Of each class the busiest link: the time that its bytes need at its whole bandwidth, of "
         "the run time.",
         scrolling(links),
         !view.numeric_axes.empty() == !sensitivities.empty()});  // beside the one that is alone
  const auto efficiencies = efficiencies_table(view);
  if (!efficiencies.empty())
    cards += written(
        {"pop", "Where the efficiency goes",
         "POP metrics. Parallel efficiency = load balance × communication efficiency; that = "
         "serialisation × transfer. 100\u202f% loses nothing; ◀ marks the cause that costs most.",
         scrolling(efficiencies), true});
  return cards;
}

std::string detail_cards(const StudyView& view) {
  std::string cards;
  const std::string of = view.baseline() == nullptr ? "" : " (" + view.baseline()->name + ")";
  if (const auto pairs = pairs_table(view); !pairs.empty())
    cards +=
        written({"matrix", "Who sends to whom",
                 "Bytes between ranks, or blocks of them" + of + ": rows send, columns receive.",
                 "<p class=\"legend needs-script\"><span>less <span class=\"ramp\" "
                 "id=\"matrix-ramp\"></span> more: <span id=\"matrix-range\"></span>, "
                 "logarithmic</span></p>\n" +
                     canvas("chart-matrix", "Matrix of the bytes between ranks.") + as_table(pairs),
                 false});
  if (const auto slices = slices_table(view); !slices.empty())
    cards += written(
        {"timeline", "What ranks do when",
         "Each row a rank or a block of ranks" + of +
             ", time from left to right; the height of a colour is its share.",
         legend() + canvas("chart-timeline", "Time line of computing, moving data and waiting.") +
             as_table(slices),
         false});
  if (const auto sites = call_sites_table(view); !sites.empty())
    cards += written({"calls", "Where the program spends it",
                      "Call sites of MPI, summed over ranks" + of +
                          "; computing is what comes before their calls.",
                      scrolling(sites), true});
  return cards;
}

std::string about(const StudyView& view) {
  std::string list;
  const auto add = [&list](const std::string& name, const nlohmann::ordered_json& value) {
    if (value.is_null()) return;
    list += "<dt>" + escaped(name) + "</dt><dd>" +
            escaped(value.is_string() ? value.get<std::string>() : value.dump()) + "</dd>";
  };
  if (view.json->contains("study"))
    for (const char* group : {"trace", "versions"})
      if (const auto& study = (*view.json)["study"];
          study.contains(group) && study[group].is_object())
        for (const auto& [key, value] : study[group].items())
          add(group == std::string_view("trace") ? "trace: " + key : key, value);
  return "<section class=\"card\" id=\"about\"><h2>How to read this, and what it rests on</h2>\n<p "
         "class=\"lead\">Every number is a prediction: the program was recorded "
         "once, and its recording replayed on models of machines. Bands span the seeds: what the "
         "recorded computing times' scatter does to the run time. Between points that "
         "differ by less than their bands, nothing is decided.</p>\n<h3>Not represented</h3>" +
         losses_list(view) + "<dl>" + list + "</dl>\n</section>\n";
}

}  // namespace
}  // namespace report

std::string study_page(const nlohmann::ordered_json& results) {
  using namespace report;
  const StudyView view = view_of(results);
  const std::string title = view.name.empty() ? "Study" : view.name;
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      escaped(title) + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n";
  page += style_sheet();
  page +=
      "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#answer\">To the "
      "answer</a>\n<header><div class=\"top\"><div><h1>" +
      escaped(title) + "</h1>\n<p class=\"about\">" + counted(view.points.size(), "point") +
      (view.program.empty() ? "" : " of " + escaped(view.program)) +
      "; predicted by replaying one recording</p></div>\n<button id=\"theme\" "
      "class=\"needs-script\" type=\"button\">Colours</button></div></header>\n<main>\n"
      "<section class=\"card answer\" id=\"answer\" aria-label=\"the answer\">" +
      (view.question.empty() ? "" : "<p class=\"question\">" + escaped(view.question) + "</p>") +
      "<p class=\"sentence\">" + answer_sentence(view) + "</p>" + further_sentences(view) +
      "</section>\n";
  const bool is_one = view.points.size() == 1;
  page += written({"all-points", is_one ? "The run" : "All points, the fastest first",
                   is_one ? "Its time is predicted; below it what it is made of."
                          : "Run times are predicted; speed-up is against the baseline. A click on "
                            "a column's head sorts.",
                   scrolling(points_table(view))});
  page += "<div class=\"columns\">\n" + study_cards(view) + detail_cards(view) + "</div>\n" +
          about(view) + "</main>\n<footer><details><summary>Licences of the charts</summary><pre>" +
          escaped(charts_licences()) +
          "</pre></details></footer>\n<script type=\"application/json\" id=\"results\">" +
          for_script(results) + "</script>\n<script>";
  page += charts_library();
  page += "</script>\n<script>\n";
  page += page_script();
  return page + "</script>\n</body>\n</html>\n";
}

std::vector<ChartFile> study_charts(const nlohmann::ordered_json& results) {
  const auto view = report::view_of(results);
  return {{"run-time.svg", report::run_time_svg(view)},
          {"speed-up.svg", report::speed_up_svg(view)}};
}

}  // namespace reprise::sim
