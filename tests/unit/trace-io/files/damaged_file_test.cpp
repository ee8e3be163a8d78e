// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tests/unit/trace-io/files/random_trace.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/container.hpp"
#include "trace-io/file/payload.hpp"
#include "trace-io/file/trace_file.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

using FileBytes = std::vector<std::byte>;

FileBytes bytes_of(std::string_view text) {
  FileBytes bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

std::string refusal_of_file(const FileBytes& bytes) {
  try {
    deserialise(bytes, "f.reprise");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

// A file whose preamble fits whatever stands in it.
FileBytes with_checksum(FileBytes file) {
  const std::uint64_t hash =
      XXH64(file.data() + kCompressedOffset, file.size() - kCompressedOffset, 0);
  for (std::size_t i = 0; i < 8; ++i)
    file[kChecksumOffset + i] = static_cast<std::byte>((hash >> (8 * i)) & 0xff);
  return file;
}

void put_number(FileBytes& file, std::size_t offset, std::uint64_t number) {
  for (std::size_t i = 0; i < 8; ++i)
    file[offset + i] = static_cast<std::byte>((number >> (8 * i)) & 0xff);
}

constexpr const char* kDamaged =
    "\n  the file is damaged or was not written by reprise; record the program again";
constexpr const char* kRecord =
    "\n  record a trace with: reprise record -o FILE.reprise -- mpirun -n N ./program";

}  // namespace

TEST_CASE("container: an empty file is refused", "[trace-io]") {
  REQUIRE(refusal_of_file({}) ==
          "f.reprise: the file is empty\n  did the recording end before MPI_Finalize?");
}

TEST_CASE("container: a foreign file is refused by what it looks like", "[trace-io]") {
  const auto foreign = [](std::string_view text) { return refusal_of_file(bytes_of(text)); };
  const std::string start = "f.reprise: not a reprise trace: it ";
  REQUIRE(foreign(std::string("\x7f"
                              "ELF\x02\x01",
                              6)) == start + "looks like a program (ELF)" + kRecord);
  REQUIRE(foreign("#!/bin/sh\n") == start + "looks like a script" + kRecord);
  REQUIRE(foreign("OTF2\x01") == start + "looks like an OTF2 trace" + kRecord);
  REQUIRE(foreign("%EventDef PajeDefine") == start + "looks like a Pajé trace" + kRecord);
  REQUIRE(foreign("#Paraver (1/1/1)") == start + "looks like a Paraver trace" + kRecord);
  REQUIRE(foreign("0 init\n0 compute 5\n") ==
          start + "looks like a SimGrid time-independent trace" + kRecord);
  REQUIRE(foreign("p12 init\n") == start + "looks like a SimGrid time-independent trace" + kRecord);
  REQUIRE(foreign("@ mpiP\n") == start + "looks like an mpiP report" + kRecord);
  REQUIRE(foreign("{\"format\": 1}") ==
          start +
              "looks like JSON\n  a platform is used with: reprise replay TRACE -p FILE; a study "
              "with: reprise study FILE");
  REQUIRE(foreign("<?xml version='1.0'?>") == start + "looks like XML" + kRecord);
  REQUIRE(foreign("reprise-text 1\n") ==
          start + "looks like the text form of a trace\n  convert it with: reprise trace assemble");
  REQUIRE(foreign("\x1f\x8b\x08") ==
          start + "looks like gzip-compressed data\n  decompress it first");
  REQUIRE(foreign("some words\n") == start + "looks like text" + kRecord);
  REQUIRE(foreign(std::string(64, '\0')) == start + "contains only zero bytes" + kRecord);
  REQUIRE(foreign("\xff\xfe\x01") == start + "is binary data of another kind" + kRecord);
}

TEST_CASE("container: a newer version is refused by both numbers", "[trace-io]") {
  FileBytes file = serialise(random_trace(1));
  file[kVersionOffset] = std::byte{kNewestVersion + 1};
  REQUIRE(
      refusal_of_file(file) ==
      "f.reprise: trace format version 13 is newer than version 12, the newest that this reprise "
      "reads\n"
      "  update reprise, or record the program with this one");
  file[kVersionOffset] = std::byte{0};
  REQUIRE(refusal_of_file(file) ==
          std::string("f.reprise: trace format version 0 does not exist") + kDamaged);
}

TEST_CASE("container: a truncated file is refused at every length", "[trace-io]") {
  const FileBytes file = serialise(random_trace(2));
  const std::string whole = std::to_string(file.size());
  for (std::size_t length = 1; length < file.size(); ++length) {
    INFO(length);
    const FileBytes part(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(length));
    const std::string needed = length < kPreambleBytes ? std::to_string(kPreambleBytes) : whole;
    REQUIRE(refusal_of_file(part) == "f.reprise: the file ends after " + std::to_string(length) +
                                         " bytes, the trace has " + needed +
                                         "\n  copy it again, or record the program again");
  }
}

TEST_CASE("container: every flipped bit is noticed", "[trace-io]") {
  FileBytes file = serialise(random_trace(5));
  for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
    file[bit / 8] ^= std::byte{1} << (bit % 8);
    INFO("bit " << bit);
    REQUIRE(refusal_of_file(file) != "accepted");
    file[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  REQUIRE(refusal_of_file(file) == "accepted");
}

TEST_CASE("container: an altered payload is a checksum mismatch with both sums", "[trace-io]") {
  FileBytes file = serialise(random_trace(1));
  file.back() ^= std::byte{1};
  for (std::size_t i = 0; i < 8; ++i) file[kChecksumOffset + i] = std::byte{0xab};
  const std::uint64_t computed =
      XXH64(file.data() + kCompressedOffset, file.size() - kCompressedOffset, 0);
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(computed));
  REQUIRE(refusal_of_file(file) ==
          std::string("f.reprise: checksum mismatch (stored abababababababab, computed ") + digits +
              ")\n  the file was altered after it was written; copy it again, or record the "
              "program again");
}

TEST_CASE("container: bytes after the payload are refused", "[trace-io]") {
  FileBytes file = serialise(random_trace(1));
  const std::size_t compressed = file.size() - kPreambleBytes;
  file.push_back(std::byte{0});
  REQUIRE(refusal_of_file(with_checksum(file)) ==
          "f.reprise at byte 20: " + std::to_string(compressed) + " compressed bytes stated, " +
              std::to_string(compressed + 1) + " present" + kDamaged);
}

TEST_CASE("container: a payload's stated size is compared with what is there", "[trace-io]") {
  const FileBytes payload = encode_payload(random_trace(1));
  FileBytes file = wrap(payload);
  const std::string end = "f.reprise at byte " + std::to_string(file.size());
  const std::string size = std::to_string(payload.size());
  SECTION("too small") {
    put_number(file, kPayloadOffset, payload.size() - 1);
    REQUIRE(refusal_of_file(with_checksum(file)) ==
            end + ": the payload decompresses to more than the " +
                std::to_string(payload.size() - 1) + " bytes stated" + kDamaged);
  }
  SECTION("too large") {
    put_number(file, kPayloadOffset, payload.size() + 1);
    REQUIRE(refusal_of_file(with_checksum(file)) ==
            end + ": the payload decompresses to " + size + " bytes, " +
                std::to_string(payload.size() + 1) + " were stated" + kDamaged);
  }
  SECTION("beyond every ratio") {
    put_number(file, kPayloadOffset, std::uint64_t{1} << 60);
    REQUIRE(refusal_of_file(with_checksum(file)) ==
            "f.reprise at byte 28: a payload of 1152921504606846976 bytes stated for " +
                std::to_string(file.size() - kPreambleBytes) +
                " compressed ones, more than 64 times as many" + kDamaged);
  }
}

TEST_CASE("container: a payload that zstd does not know is refused", "[trace-io]") {
  FileBytes file = wrap(encode_payload(random_trace(1)));
  file[kPreambleBytes] = std::byte{0};
  REQUIRE(refusal_of_file(with_checksum(file)) ==
          std::string("f.reprise at byte 36: the payload does not decompress: zstd reports "
                      "\"Unknown frame descriptor\"") +
              kDamaged);
}
