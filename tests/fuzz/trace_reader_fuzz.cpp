// SPDX-License-Identifier: MIT
// Arbitrary bytes as a trace file and as its payload: either refused with InputError, or a trace that survives being written,
// read, dumped and checked.
//
// The payload behind one byte, its format version, is tried without container, since no mutation of a file passes its checksum.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "tests/fuzz/fuzz_target.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/file/format.hpp"
#include "trace-io/file/payload.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise::trace_io;

namespace {

Trace of_payload(std::span<const std::byte> payload, std::uint32_t version) {
  Trace trace = decode_payload(payload, version, "fuzz");
  for (const auto& finding : check_structure(trace))
    if (finding.severity == Severity::error)
      throw reprise::InputError(finding.where, finding.problem, "");
  return trace;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    const bool is_payload = size > 0 && data[0] >= '1' && data[0] < '1' + kNewestVersion;
    const Trace trace =
        is_payload ? of_payload(bytes.subspan(1), data[0] - '0') : deserialise(bytes, "fuzz");
    const auto again = serialise(trace);
    if (serialise(deserialise(again, "again")) != again) std::abort();
    const std::string text = dump(trace);
    if (serialise(assemble(text, "dump")) != again) std::abort();
    summarise(trace);
    check(trace, 10'000);
  } catch (const reprise::InputError&) {
  }
  return 0;
}
