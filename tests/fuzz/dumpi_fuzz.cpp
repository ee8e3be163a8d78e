// SPDX-License-Identifier: MIT
// libFuzzer: any bytes as DUMPI's file of one rank. They are refused with an InputError or become a trace that holds together.
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/imported_trace.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/import/dumpi/dumpi_import.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path = scratch_file("t.bin", data, size);
  try {
    must_hold_together(reprise::trace_io::import_dumpi({path}, {}));
  } catch (const reprise::InputError&) {
  }
  return 0;
}
