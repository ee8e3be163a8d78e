// SPDX-License-Identifier: MIT
// A payload whose bytes are coded comes back to the byte, whatever its bytes are; a damaged one is refused.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <random>

#include "tests/unit/trace-io/files/golden_files.hpp"
#include "tests/unit/trace-io/files/random_trace.hpp"
#include "tests/unit/trace-io/payload_version.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/columns.hpp"
#include "trace-io/file/payload.hpp"
#include "trace-io/file/payload_coder.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using namespace reprise::trace_io::testing;

namespace {

using FileBytes = std::vector<std::byte>;
constexpr std::size_t kCodedContent =
    kPreambleBytes + 8;  // of the frame that the coded payload is in

FileBytes of_random_bytes(std::mt19937& random, std::size_t bytes, unsigned different) {
  FileBytes all;
  while (all.size() < bytes) all.push_back(static_cast<std::byte>(random() % different));
  return all;
}

// The error that refuses a file of these bytes, whose checksum is right.
std::string refusal_of_coded(FileBytes file) {
  append_frame(file, FrameKind::padding, {});  // which states the sizes and the checksum anew
  std::uint32_t version = 0;
  try {
    unwrap(file, "f.reprise", version);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

const std::string kDamageRemedy = std::string("\n  ") + kDamagedHint;

constexpr const char* kCodedHalo = R"(reprise-text 1
ranks 4
procedure 0 "MPI_Isend"
procedure 1 "MPI_Irecv"
procedure 2 "MPI_Waitall"
procedure 3 "MPI_Allreduce"
thread 0 {
  loop 100 {
    MPI_Irecv at a peer=+1 tag=7 bytes=4096 request=0
    MPI_Isend at b peer=-1 tag=7 bytes=4096 request=1
    MPI_Waitall at c requests=[0..1] | compute 25us
    MPI_Allreduce at d send_bytes=8
  }
}
)";

}  // namespace

TEST_CASE("coded payload: any bytes come back, of every version", "[trace-io]") {
  std::mt19937 random(3);  // NOLINT(bugprone-random-generator-seed): the same on every run
  for (std::uint32_t version = kFormatVersion; version < kCodedPayloadVersion; ++version)
    for (const std::size_t bytes : {0U, 1U, 2U, 17U, 18U, 19U, 300U, 5000U})
      for (const unsigned different : {1U, 2U, 40U, 256U}) {
        CAPTURE(version, bytes, different);
        const FileBytes payload = of_random_bytes(random, bytes, different);
        const FileBytes coded = code_payload(payload, version);
        const CodedPayload back = uncode_payload(coded, version, bytes);
        REQUIRE(back.payload == payload);
        REQUIRE(back.is_whole);
        REQUIRE(coded.size() <= bytes + bytes / 8 + 16);
      }
}

TEST_CASE("coded payload: traces come back, and their files are smaller", "[trace-io]") {
  std::size_t coded_bytes = 0, framed_bytes = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const Trace trace = random_trace(seed);
    std::uint32_t version = 0, read = 0;
    const FileBytes payload = encode_payload(trace, version, seed % 2 == 0);
    const FileBytes file = wrap_coded(payload, version);
    REQUIRE(unwrap(file, "f", read) == payload);
    REQUIRE(read == version);
    REQUIRE(static_cast<std::uint32_t>(file[kVersionOffset]) ==
            (payload.size() > kMostCodedPayload ? version : kCodedPayloadVersion));
    REQUIRE(dump(deserialise(file, "f")) == dump(trace));
    if (payload.size() > kMostCodedPayload) continue;
    coded_bytes += file.size();
    framed_bytes += wrap(payload, version).size();
  }
  CHECK(coded_bytes * 10 < framed_bytes * 9);
}

TEST_CASE("coded payload: one that is too large is in a frame of zstd", "[trace-io]") {
  std::mt19937 random(5);  // NOLINT(bugprone-random-generator-seed): the same on every run
  for (const std::size_t more : {0U, 1U}) {
    const FileBytes payload = of_random_bytes(random, kMostCodedPayload + more, 4);
    const FileBytes file = wrap_coded(payload, kFormatVersion);
    CHECK(static_cast<std::uint32_t>(file[kVersionOffset]) ==
          (more == 0 ? kCodedPayloadVersion : kFormatVersion));
    std::uint32_t version = 0;
    CHECK(unwrap(file, "f", version) == payload);
    CHECK(version == kFormatVersion);
  }
}

TEST_CASE("coded payload: one byte again and again takes next to none", "[trace-io]") {
  const FileBytes payload(30'000);
  const FileBytes file = wrap_coded(payload, kFormatVersion);
  CHECK(file.size() < 100);
  std::uint32_t version = 0;
  CHECK(unwrap(file, "f", version) == payload);
}

TEST_CASE("coded payload: a damaged one is refused", "[trace-io]") {
  const FileBytes payload = encode_payload(random_trace(1));
  const FileBytes file = wrap_coded(payload, kFormatVersion);
  REQUIRE(refusal_of_coded(file) == "accepted");
  SECTION("no payload in it") {
    FileBytes other = file;
    other[kPreambleBytes] = std::byte{0x50};  // a frame that is passed over
    CHECK(refusal_of_coded(other) ==
          "f.reprise at byte 36: a file of version 12 without a coded payload" + kDamageRemedy);
  }
  SECTION("an empty frame") {
    FileBytes other(file.begin(), file.begin() + kPreambleBytes);
    append_frame(other, FrameKind::coded_payload, {});
    CHECK(refusal_of_coded(other) ==
          "f.reprise at byte 36: a file of version 12 without a coded payload" + kDamageRemedy);
  }
  SECTION("a version that no coded payload has") {
    for (const std::uint32_t version : {0U, 2U, 12U, 255U}) {
      FileBytes other = file;
      other[kCodedContent] = static_cast<std::byte>(version);
      CHECK(refusal_of_coded(other) ==
            "f.reprise at byte 44: a coded payload is of version 3 to 11, this "
            "one of " +
                std::to_string(version) + kDamageRemedy);
    }
  }
  SECTION("bytes that are not needed") {
    FileBytes other(file.begin(), file.begin() + kPreambleBytes);
    FileBytes content(file.begin() + kCodedContent, file.end());
    content.insert(content.end(), 9, std::byte{1});
    append_frame(other, FrameKind::coded_payload, content);
    CHECK(refusal_of_coded(other) == "f.reprise at byte 44: the payload is complete before its " +
                                         std::to_string(content.size() - 1) +
                                         " coded bytes are read" + kDamageRemedy);
  }
  SECTION("more than can be coded") {
    FileBytes other = file;
    constexpr std::size_t kTooMuch = kMostCodedPayload + 1;
    for (std::size_t i = 0; i < 8; ++i)
      other[kPayloadOffset + i] = static_cast<std::byte>(kTooMuch >> 8 * i & 0xff);
    CHECK(refusal_of_coded(other) ==
          "f.reprise at byte 28: a coded payload of 32769 bytes stated, at most 32768 can be" +
              kDamageRemedy);
  }
  SECTION("other bytes give another payload, which is refused or is a trace") {
    std::mt19937 random(7);  // NOLINT(bugprone-random-generator-seed): the same on every run
    int refused = 0;
    for (int i = 0; i < 300; ++i) {
      FileBytes other = file;
      other[kCodedContent + 1 + random() % (file.size() - kCodedContent - 1)] ^= std::byte{1}
                                                                                 << random() % 8;
      append_frame(other, FrameKind::padding, {});
      try {
        deserialise(other, "f");
      } catch (const InputError&) {
        ++refused;
      }
    }
    CHECK(refused > 200);
  }
}

TEST_CASE("golden: a coded payload reads as it did when it was written", "[trace-io]") {
  const Trace halo = assemble(kCodedHalo, "halo");
  if (std::getenv("REPRISE_UPDATE_GOLDEN") != nullptr) {
    save(halo, path_of("halo.reprise", kCodedPayloadVersion));
    std::ofstream(path_of("halo.txt", kCodedPayloadVersion))
        << dump(load(path_of("halo.reprise", kCodedPayloadVersion)));
  }
  const Trace golden = load(path_of("halo.reprise", 12));
  REQUIRE(dump(golden) == content(path_of("halo.txt", 12)));
  const std::string bytes = content(path_of("halo.reprise", 12));
  const FileBytes now = serialise(halo);
  REQUIRE(std::equal(now.begin(), now.end(), bytes.begin(), bytes.end(),
                     [](std::byte a, char b) { return a == static_cast<std::byte>(b); }));
}
