// SPDX-License-Identifier: MIT
// The outside of a trace file: magic, version, checksum and the compressed payload.
//
// Errors  unwrap() throws InputError{name, …} for an empty, foreign, newer, truncated, lengthened or altered file.
// Memory  unwrap() holds what the file decompresses to, at most kMaxRatio times its size (+ kFreePayload), and a zstd window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace-io/file/format.hpp"

namespace reprise::trace_io {

// How well a payload is compressed: for a file that stays, or in a tenth of the time or less, for one that is soon replaced.
enum class Effort : std::uint8_t { full, little };
// VERSION: of the format that the payload is in.
std::vector<std::byte> wrap(std::span<const std::byte> payload,
                            std::uint32_t version = kFormatVersion, Effort = Effort::full);
// The same in a tenth to a quarter fewer bytes (payload_coder.hpp), where the payload is small enough for that; as wrap() otherwise.
std::vector<std::byte> wrap_coded(std::span<const std::byte> payload, std::uint32_t version);
// VERSION becomes the format version that the file says its payload is in.
std::vector<std::byte> unwrap(std::span<const std::byte> file, const std::string& name,
                              std::uint32_t& version);

// What may follow the payload, or hold it coded: skippable zstd frames, which readers that do not know them pass over.
enum class FrameKind : std::uint32_t { padding, finish_times, coded_payload };
// At the end of a file that wrap() has made. Cost: O(bytes of the file), for its checksum.
void append_frame(std::vector<std::byte>& file, FrameKind, std::span<const std::byte> content);
// The content of the first frame of that kind; empty where there is none. REQUIRES: unwrap() has nothing against the file.
std::span<const std::byte> frame_of(std::span<const std::byte> file, FrameKind);

}  // namespace reprise::trace_io
