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
  const auto lines = setting_lines(results);
  const bool has_application = view.applications == 0 && !view.program.empty();
  Markup machines;
  for (std::size_t i = has_application ? 1 : 0; i < lines.size(); ++i)
    machines += element("li", lines[i]);
  const auto heading = element(
      "div", element("h1", title), "\n",
      element("p.about", counted(view.points.size(), "point"),
              view.applications > 0 ? " of " + counted(view.applications, "application") +
                                          "; predicted by replaying their recordings"
                                    : (has_application ? " of " + lines.front() : std::string()) +
                                          "; predicted by replay"),
      machines.empty() ? machines : "\n" + element("ul.about", machines));
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
