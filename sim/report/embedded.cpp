// SPDX-License-Identifier: MIT
// .incbin puts a file's bytes into the object file: g++ and clang, nothing else at build time. CMakeLists.txt names the files and
// makes this one depend on them.
#include "sim/report/embedded.hpp"

#define EMBED(name, file)                            \
  __asm__(                                           \
      ".pushsection .rodata\n"                       \
      ".global reprise_embedded_" #name              \
      "\n"                                           \
      "reprise_embedded_" #name ":\n.incbin \"" file \
      "\"\n"                                         \
      ".global reprise_embedded_" #name              \
      "_end\n"                                       \
      "reprise_embedded_" #name                      \
      "_end:\n.byte 0\n"                             \
      ".popsection\n");                              \
  extern "C" const char reprise_embedded_##name[], reprise_embedded_##name##_end[];
#define EMBEDDED(name)         \
  std::string_view(            \
      reprise_embedded_##name, \
      static_cast<std::size_t>(reprise_embedded_##name##_end - reprise_embedded_##name))

EMBED(style, REPRISE_REPORT_STYLE)
EMBED(script, REPRISE_REPORT_SCRIPT)
EMBED(charts, REPRISE_REPORT_PAGE "/echarts/echarts.bundle.js")
EMBED(licences, REPRISE_REPORT_PAGE "/echarts/LICENCES.txt")

namespace reprise::sim::report {

std::string_view style_sheet() { return EMBEDDED(style); }
std::string_view charts_library() { return EMBEDDED(charts); }
std::string_view charts_licences() { return EMBEDDED(licences); }
std::string_view page_script() { return EMBEDDED(script); }

}  // namespace reprise::sim::report
