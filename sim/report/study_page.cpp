// SPDX-License-Identifier: MIT
#include "sim/report/study_page.hpp"

#include "sim/report/number_text.hpp"
#include "sim/report/sections.hpp"

namespace reprise::sim {

std::string study_page(const nlohmann::ordered_json& results) {
  using namespace report;
  const StudyView view = view_of(results);
  const std::string title = view.name.empty() ? "Study" : view.name;
  const auto skip = element("a.skip", attr("href", "#answer"), "To the answer");
  const auto heading = element(
      "div", element("h1", title), "\n",
      element("p.about", counted(view.points.size(), "point"),
              view.program.empty() ? "" : " of " + view.program,
              view.applications > 0 ? " of " + counted(view.applications, "application") +
                                          "; predicted by replaying a recording of each"
                                    : std::string("; predicted by replaying one recording")));
  const auto theme = element("button#theme.needs-script", attr("type", "button"), "Colours");
  const auto header = element("header", element("div.top", heading, "\n", theme));
  const auto main = element(
      "main", "\n", answer(view), offers_section(view), all_points(view),
      element("div.columns", "\n", point_sections(view), detail_sections(view)), "\n", about(view));
  const auto licences = element("details", element("summary", "Licences of the charts"),
                                element("pre", charts_licences()));
  return page_text(title, skip + "\n" + header + "\n" + main + "\n" + element("footer", licences) +
                              "\n" + scripts(results));
}

std::vector<ChartFile> study_charts(const nlohmann::ordered_json& results) {
  const auto view = report::view_of(results);
  return {{"run-time.svg", report::run_time_svg(view).written()},
          {"speed-up.svg", report::speed_up_svg(view).written()}};
}

}  // namespace reprise::sim
