// SPDX-License-Identifier: MIT
// libFuzzer: any bytes as a SimGrid platform file, in what of its reading is ours: the XML, whether it is one cluster, that cluster with
// its lists, units and settings, and of other files what SimGrid is not asked for. They are refused with an InputError or make a
// document that is a platform or is refused as one.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "platforms/load.hpp"
#include "platforms/xml/read_by_simgrid.hpp"
#include "platforms/xml/simgrid_platform.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "trace-io/base/error.hpp"

using namespace reprise::platforms;

namespace {

// Large clusters are within the limits; they would only slow the fuzzer down.
bool is_large(const XmlElement& element) {
  if (const std::string* radical = element.attribute("radical")) {
    int digits = 0;
    for (const char c : *radical) {
      digits = c >= '0' && c <= '9' ? digits + 1 : 0;
      if (digits > 3) return true;
    }
  }
  return std::any_of(element.children.begin(), element.children.end(), is_large);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const XmlElement root = parse_xml(text, "fuzz.xml");
    if (is_large(root)) return 0;
    if (const auto document = read_one_cluster(root, "fuzz.xml"))
      parse_platform(*document);
    else
      read_beside_simgrid(root, "fuzz.xml");
  } catch (const reprise::InputError&) {
  }
  return 0;
}
