// SPDX-License-Identifier: MIT
// libFuzzer: any bytes as what the program with SimGrid in it says. They make a machine and routes over its links, or are refused.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "platforms/simgrid/answers.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "trace-io/base/error.hpp"

using namespace reprise::platforms;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  SimgridMachine machine;
  SimgridError error;
  bool is_whole = false;
  try {
    while (!text.empty()) {
      const auto end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      if (!is_whole)
        is_whole = take_machine_line(line, machine, error);
      else
        for (const std::uint32_t link : parse_route(line, machine.links.size(), error).links)
          REPRISE_ASSERT(link < machine.links.size(), "a route is of links that there are");
      if (end == std::string_view::npos) break;
      text.remove_prefix(end + 1);
    }
  } catch (const reprise::RunError&) {
  }
  return 0;
}
