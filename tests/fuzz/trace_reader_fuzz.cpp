// SPDX-License-Identifier: MIT
// Arbitrary bytes as a trace file and as its payload: either refused with InputError, or a trace that survives being written,
// read, dumped and checked.
//
// The payload behind one byte, its format version, is tried without container, since no mutation of a file passes its checksum; so is a coded one
// behind version 12, with the version that it is in and how many bytes it has.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "tests/fuzz/fuzz_target.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/file/format.hpp"
#include "trace-io/file/payload.hpp"
#include "trace-io/file/payload_coder.hpp"
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

constexpr std::size_t kBeforeCoded = 4;  // bytes: version 12, the payload's, its length

Trace of_coded(std::span<const std::byte> bytes) {
  const auto number = [&](std::size_t at) { return std::to_integer<std::uint32_t>(bytes[at]); };
  const std::uint32_t version =
      kFormatVersion + number(1) % (kCodedPayloadVersion - kFormatVersion);
  constexpr std::uint32_t kMost = 4096;
  const auto coded =
      uncode_payload(bytes.subspan(kBeforeCoded), version, (number(2) | number(3) << 8U) % kMost);
  return of_payload(coded.payload, version);
}

Trace of_bytes(std::span<const std::byte> bytes) {
  const std::uint32_t version = bytes.empty() ? 0 : std::to_integer<std::uint32_t>(bytes[0]) - '0';
  if (version == kCodedPayloadVersion && bytes.size() > kBeforeCoded) return of_coded(bytes);
  if (version > 0 && version < kCodedPayloadVersion) return of_payload(bytes.subspan(1), version);
  return deserialise(bytes, "fuzz");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    const Trace trace = of_bytes(bytes);
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
