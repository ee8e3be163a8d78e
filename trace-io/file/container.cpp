// SPDX-License-Identifier: MIT
#include "trace-io/file/container.hpp"

#define XXH_INLINE_ALL
#define ZSTD_STATIC_LINKING_ONLY  // contexts with memory of our own
#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "trace-io/base/error.hpp"
#include "trace-io/base/integers.hpp"
#include "trace-io/file/columns.hpp"
#include "trace-io/file/foreign_file.hpp"
#include "trace-io/file/format.hpp"
#include "trace-io/file/payload_coder.hpp"

namespace reprise::trace_io {
namespace {

using ByteRow = std::vector<std::byte>;
using View = std::span<const std::byte>;

template <class Number>
void store(ByteRow& bytes, std::size_t offset, Number number) {
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    bytes[offset + i] = static_cast<std::byte>((number >> (8 * i)) & 0xff);
}

template <class Number>
Number fetch(View bytes, std::size_t offset) {
  Number number = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    number |= static_cast<Number>(std::to_integer<Number>(bytes[offset + i]) << (8 * i));
  return number;
}

void check_zstd(std::size_t result) {
  REPRISE_ASSERT(ZSTD_isError(result) == 0, "zstd compresses a payload in memory");
}

void set_parameter(ZSTD_CCtx& context, ZSTD_cParameter parameter, int value) {
  check_zstd(ZSTD_CCtx_setParameter(&context, parameter, value));
}

// Payloads up to kTiny get zstd's full effort, 10 ms. For larger ones its level 19 takes two to three times as long as these parameters, for 0.6 % fewer bytes, and
// all ranks wait for it. Those above kSmall stay quick.
void set_effort(ZSTD_CCtx& context, std::size_t payload_bytes, Effort effort) {
  constexpr std::size_t kTiny = std::size_t{1} << 15, kSmall = std::size_t{1} << 20;
  constexpr int kQuick = 1, kLarge = 9, kThorough = 19;
  constexpr int kSearches = 5, kLongEnough = 96;
  if (effort == Effort::little) return set_parameter(context, ZSTD_c_compressionLevel, kQuick);
  set_parameter(context, ZSTD_c_compressionLevel, payload_bytes <= kSmall ? kThorough : kLarge);
  if (payload_bytes <= kTiny || payload_bytes > kSmall) return;
  set_parameter(context, ZSTD_c_strategy, ZSTD_btopt);
  set_parameter(context, ZSTD_c_searchLog, kSearches);
  set_parameter(context, ZSTD_c_targetLength, kLongEnough);
}

// From the operators, not from malloc: the recorder has operators of its own, and leaves the application's heap alone (own_memory.cpp).
constexpr ZSTD_customMem kOperators = {
    [](void*, std::size_t size) { return ::operator new(size, std::nothrow); },
    [](void*, void* memory) { ::operator delete(memory); }, nullptr};

ByteRow compress(View payload, Effort effort) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(
      ZSTD_createCCtx_advanced(kOperators), &ZSTD_freeCCtx);
  if (!context) throw std::bad_alloc();
  set_effort(*context, payload.size(), effort);
  if (payload.size() > std::size_t{1} << kMaxWindowLog)
    set_parameter(*context, ZSTD_c_windowLog, kMaxWindowLog);
  set_parameter(*context, ZSTD_c_contentSizeFlag, 0);
  ByteRow compressed(ZSTD_compressBound(payload.size()));
  const std::size_t size = ZSTD_compress2(context.get(), compressed.data(), compressed.size(),
                                          payload.data(), payload.size());
  check_zstd(size);
  compressed.resize(size);
  return compressed;
}

std::uint64_t payload_limit(std::uint64_t compressed_bytes) {
  return compressed_bytes * kMaxRatio + kFreePayload;
}

constexpr std::size_t kFrameHead = 8;  // of a skippable frame: magic and length

constexpr std::uint32_t magic_of(FrameKind kind) {
  return ZSTD_MAGIC_SKIPPABLE_START + static_cast<std::uint32_t>(kind);
}

// A frame that readers pass over, at the end of BYTES.
void add_frame(ByteRow& bytes, FrameKind kind, View content) {
  const std::size_t start = bytes.size();
  bytes.resize(start + kFrameHead);
  store(bytes, start, magic_of(kind));
  store(bytes, start + 4, static_cast<std::uint32_t>(content.size()));
  bytes.insert(bytes.end(), content.begin(), content.end());
}

// A skippable zstd frame of zeros, so that an extremely repetitive payload keeps within the reader's ratio.
void pad(ByteRow& compressed, std::size_t payload_bytes) {
  if (payload_bytes <= payload_limit(compressed.size())) return;
  const std::size_t wanted = (payload_bytes - kFreePayload + kMaxRatio - 1) / kMaxRatio;
  const std::size_t content = wanted - std::min(wanted, compressed.size() + kFrameHead);
  add_frame(compressed, FrameKind::padding, ByteRow(content));
}

ByteRow decompress(View compressed, std::uint64_t size, const std::string& name) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(
      ZSTD_createDCtx_advanced(kOperators), &ZSTD_freeDCtx);
  if (!context) throw std::bad_alloc();
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kMaxWindowLog);
  ZSTD_inBuffer in{compressed.data(), compressed.size(), 0};
  ByteRow payload;
  ByteRow chunk(ZSTD_DStreamOutSize());
  for (;;) {
    ZSTD_outBuffer out{chunk.data(), chunk.size(), 0};
    const std::size_t result = ZSTD_decompressStream(context.get(), &out, &in);
    const std::string place = name + " at byte " + std::to_string(kPreambleBytes + in.pos);
    if (ZSTD_isError(result) != 0)
      throw InputError(place,
                       std::string("the payload does not decompress: zstd reports \"") +
                           ZSTD_getErrorName(result) + "\"",
                       kDamagedHint);
    if (out.pos > size - payload.size())
      throw InputError(
          place,
          "the payload decompresses to more than the " + std::to_string(size) + " bytes stated",
          kDamagedHint);
    payload.insert(payload.end(), chunk.begin(),
                   chunk.begin() + static_cast<std::ptrdiff_t>(out.pos));
    const bool frame_done = result == 0;
    if (in.pos == in.size && (frame_done || out.pos < out.size)) {
      if (frame_done && payload.size() == size) return payload;
      throw InputError(place,
                       "the payload decompresses to " + std::to_string(payload.size()) +
                           " bytes, " + std::to_string(size) + " were stated",
                       kDamagedHint);
    }
  }
}

// REQUIRES: the file is complete but for this.
void seal(ByteRow& file) {
  store(file, kCompressedOffset, static_cast<std::uint64_t>(file.size() - kPreambleBytes));
  store(file, kChecksumOffset,
        std::uint64_t{XXH64(file.data() + kCompressedOffset, file.size() - kCompressedOffset, 0)});
}

// COMPRESSED: the frame that the payload is in.
ByteRow wrapped(ByteRow compressed, std::size_t payload_bytes, std::uint32_t version) {
  pad(compressed, payload_bytes);
  ByteRow file(kPreambleBytes + compressed.size());
  std::transform(kMagic.begin(), kMagic.end(), file.begin(),
                 [](unsigned char c) { return std::byte{c}; });
  store(file, kVersionOffset, version);
  store(file, kPayloadOffset, static_cast<std::uint64_t>(payload_bytes));
  std::copy(compressed.begin(), compressed.end(), file.begin() + kPreambleBytes);
  seal(file);
  return file;
}

// The payload of a file that has it coded, and the version of the format that it is in.
ByteRow uncode(View file, std::uint64_t payload_bytes, const std::string& name,
               std::uint32_t& version) {
  const auto damaged = [&](std::size_t byte, const std::string& problem) {
    return InputError(name + " at byte " + std::to_string(byte), problem, kDamagedHint);
  };
  const View content = frame_of(file, FrameKind::coded_payload);
  if (content.empty())
    throw damaged(kPreambleBytes, "a file of version 12 without a coded payload");
  const auto place = static_cast<std::size_t>(content.data() - file.data());
  version = std::to_integer<std::uint32_t>(content[0]);
  if (version < kFormatVersion || version >= kCodedPayloadVersion)
    throw damaged(place, "a coded payload is of version " + std::to_string(kFormatVersion) +
                             " to " + std::to_string(kCodedPayloadVersion - 1) + ", this one of " +
                             std::to_string(version));
  if (payload_bytes > kMostCodedPayload)
    throw damaged(kPayloadOffset, "a coded payload of " + std::to_string(payload_bytes) +
                                      " bytes stated, at most " +
                                      std::to_string(kMostCodedPayload) + " can be");
  auto [payload, is_whole] = uncode_payload(content.subspan(1), version, payload_bytes);
  if (!is_whole)
    throw damaged(place, "the payload is complete before its " +
                             std::to_string(content.size() - 1) + " coded bytes are read");
  return payload;
}

}  // namespace

ByteRow wrap(View payload, std::uint32_t version, Effort effort) {
  return wrapped(compress(payload, effort), payload.size(), version);
}

ByteRow wrap_coded(View payload, std::uint32_t version) {
  if (payload.size() > kMostCodedPayload) return wrap(payload, version);
  ByteRow content = {static_cast<std::byte>(version)};
  const ByteRow coded = code_payload(payload, version);
  content.insert(content.end(), coded.begin(), coded.end());
  ByteRow frame;
  add_frame(frame, FrameKind::coded_payload, content);
  return wrapped(std::move(frame), payload.size(), kCodedPayloadVersion);
}

void append_frame(ByteRow& file, FrameKind kind, View content) {
  add_frame(file, kind, content);
  seal(file);
}

View frame_of(View file, FrameKind kind) {
  View frames = file.subspan(std::min(file.size(), kPreambleBytes));
  for (std::size_t size = 0; !frames.empty(); frames = frames.subspan(size)) {
    size = ZSTD_findFrameCompressedSize(frames.data(), frames.size());
    if (ZSTD_isError(size) != 0 || size < kFrameHead || size > frames.size()) return {};
    if (fetch<std::uint32_t>(frames, 0) == magic_of(kind))
      return frames.subspan(kFrameHead, size - kFrameHead);
  }
  return {};
}

ByteRow unwrap(View file, const std::string& name, std::uint32_t& version) {
  if (file.empty())
    throw InputError(name, "the file is empty", "did the recording end before MPI_Finalize?");
  const std::size_t compared = std::min(file.size(), kMagic.size());
  if (std::memcmp(file.data(), kMagic.data(), compared) != 0) refuse_foreign(file, name);
  const auto truncated = [&](std::uint64_t needed) {
    return InputError(name,
                      "the file ends after " + std::to_string(file.size()) +
                          " bytes, the trace has " + std::to_string(needed),
                      "copy it again, or record the program again");
  };
  if (file.size() < kChecksumOffset) throw truncated(kPreambleBytes);
  version = fetch<std::uint32_t>(file, kVersionOffset);
  if (version > kNewestVersion)
    throw InputError(name,
                     "trace format version " + std::to_string(version) + " is newer than version " +
                         std::to_string(kNewestVersion) + ", the newest that this reprise reads",
                     "update reprise, or record the program with this one");
  if (version == 0) throw InputError(name, "trace format version 0 does not exist", kDamagedHint);
  if (file.size() < kPreambleBytes) throw truncated(kPreambleBytes);
  const auto compressed_bytes = fetch<std::uint64_t>(file, kCompressedOffset);
  const auto payload_bytes = fetch<std::uint64_t>(file, kPayloadOffset);
  const auto stored = fetch<std::uint64_t>(file, kChecksumOffset);
  const std::uint64_t computed =
      XXH64(file.data() + kCompressedOffset, file.size() - kCompressedOffset, 0);
  const std::uint64_t present = file.size() - kPreambleBytes;
  if (compressed_bytes > present && compressed_bytes <= ~std::uint64_t{0} - kPreambleBytes)
    throw truncated(kPreambleBytes + compressed_bytes);
  if (stored != computed)
    throw InputError(
        name,
        "checksum mismatch (stored " + hexadecimal(stored, 16) + ", computed " +
            hexadecimal(computed, 16) + ")",
        "the file was altered after it was written; copy it again, or record the program again");
  if (compressed_bytes != present)
    throw InputError(name + " at byte " + std::to_string(kCompressedOffset),
                     std::to_string(compressed_bytes) + " compressed bytes stated, " +
                         std::to_string(present) + " present",
                     kDamagedHint);
  if (payload_bytes > payload_limit(present))
    throw InputError(name + " at byte " + std::to_string(kPayloadOffset),
                     "a payload of " + std::to_string(payload_bytes) + " bytes stated for " +
                         std::to_string(present) + " compressed ones, more than " +
                         std::to_string(kMaxRatio) + " times as many",
                     kDamagedHint);
  return version == kCodedPayloadVersion
             ? uncode(file, payload_bytes, name, version)
             : decompress(file.subspan(kPreambleBytes), payload_bytes, name);
}

}  // namespace reprise::trace_io
