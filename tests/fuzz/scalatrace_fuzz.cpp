// SPDX-License-Identifier: MIT
// libFuzzer: any bytes as a ScalaTrace file. They are refused with an InputError or become a trace that holds together.
//
// A rank list of two words can mean a million ranks, each of which has a trace of its own for a moment: files with numbers of three digits or more
// in a line that begins a record are left out.
#include <cctype>
#include <string_view>

#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/imported_trace.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/import/scalatrace/scalatrace_import.hpp"

namespace {

bool has_many_ranks(std::string_view text) {
  constexpr std::string_view kBegin = "RANKS:";
  for (auto at = text.find(kBegin); at != std::string_view::npos; at = text.find(kBegin, at + 1)) {
    std::size_t digits = 0;
    for (std::size_t i = at + kBegin.size(); i < text.size() && text[i] != '\n'; ++i) {
      digits = std::isdigit(static_cast<unsigned char>(text[i])) != 0 ? digits + 1 : 0;
      if (digits > 2) return true;
    }
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (has_many_ranks({reinterpret_cast<const char*>(data), size})) return 0;
  const std::string path = scratch_file("0", data, size);
  try {
    must_hold_together(reprise::trace_io::import_scalatrace({path}, {}));
  } catch (const reprise::InputError&) {
  }
  return 0;
}
