// SPDX-License-Identifier: MIT
// A payload in fewer bytes than zstd needs: each byte in as many bits as a model of payloads did not expect it (FORMAT.md, "Coded payload").
//
// How     byte_model.hpp foresees the bits, order/bit_coder.hpp codes them. The model has read usual_payload.hpp before. Both directions follow the
//         payload's table of lengths to know a byte's column.
// Cost    some 0.6 us a byte either way, and 2 ms for what the model has read before; 1 MiB.
// Damage  bytes that no writer wrote give another payload, of the same length: whoever reads it checks it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace reprise::trace_io {

// Larger payloads are not coded: all ranks wait in MPI_Finalize for this, and no reader waits longer than 20 ms.
inline constexpr std::size_t kMostCodedPayload = std::size_t{1} << 15U;

// VERSION: of the format that the payload is in, 3 or later.
std::vector<std::byte> code_payload(std::span<const std::byte> payload, std::uint32_t version);

struct CodedPayload {
  std::vector<std::byte> payload;
  bool is_whole = false;  // whether all coded bytes were needed for it
};
// BYTES: of the payload.
CodedPayload uncode_payload(std::span<const std::byte> coded, std::uint32_t version,
                            std::size_t bytes);

}  // namespace reprise::trace_io
