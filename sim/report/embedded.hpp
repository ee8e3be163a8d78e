// SPDX-License-Identifier: MIT
// The page's parts that are files of their own (page/), as bytes of this program.
#pragma once

#include <string_view>

namespace reprise::sim::report {

std::string_view style_sheet();
std::string_view charts_library();  // page/echarts/echarts.bundle.js
std::string_view charts_licences();
std::string_view page_script();  // page/*.js, one after the other

}  // namespace reprise::sim::report
