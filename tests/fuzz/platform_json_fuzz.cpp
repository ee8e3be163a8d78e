// SPDX-License-Identifier: MIT
// libFuzzer: any bytes as a platform file. They are refused with an InputError or make a platform that can be used;
// never a crash, a leak or an unbounded allocation.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "platforms/load.hpp"
#include "platforms/override.hpp"
#include "platforms/placement.hpp"
#include "platforms/routes.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "trace-io/base/error.hpp"

using namespace reprise::platforms;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    Document document = parse_document({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    const Platform platform = parse_platform(document);
    multiply_links(document, "latency", 0.5, "fuzz");
    multiply_links(document, "bandwidth", 2, "fuzz");
    parse_platform(document);
    place_ranks(4, platform, PlacementOrder::kCyclic);
    // Its memory grows with the machine, within the parser's limits; large ones would only slow the fuzzer down.
    if (platform.nodes.count > 1000 || document.value.dump().size() > 4096) return 0;
    if (platform.network) {
      const auto* tree = std::get_if<FatTree>(&platform.network->topology);
      if (tree != nullptr && tree->room() > 1000) return 0;
      if (tree != nullptr)
        for (const FatTree::Level& level : tree->levels)
          if (level.up * level.parallel > 16) return 0;
    }
    const auto routes = make_route_table(platform);
    Route route;
    for (NodeIndex to = 0; to < platform.nodes.count; ++to)
      routes->find_route(platform.nodes.count - 1, to, route);
  } catch (const reprise::InputError&) {
  }
  return 0;
}
