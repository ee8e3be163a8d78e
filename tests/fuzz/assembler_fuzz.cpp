// SPDX-License-Identifier: MIT
// Arbitrary text for the assembler: either refused with InputError, or a trace that comes back from its dump and from its file.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/fuzz_target.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise::trace_io;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Trace trace =
        assemble(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
    const auto bytes = serialise(trace);
    if (serialise(deserialise(bytes, "again")) != bytes) std::abort();
    if (serialise(assemble(dump(trace), "dump")) != bytes) std::abort();
  } catch (const reprise::InputError&) {
  }
  return 0;
}
