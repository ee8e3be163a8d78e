// SPDX-License-Identifier: MIT
#include "trace-io/file/coded_paths.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace reprise::trace_io;

namespace {

using Path = std::vector<Frame>;

// Paths of a program of some functions that call each other, outermost frame first.
std::vector<Path> paths_of(std::uint32_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<Path> paths;
  Path path;
  for (std::size_t i = 0; i < count; ++i) {
    path.resize(path.size() - random() % (path.size() + 1));
    while (random() % 4 != 0) {
      const std::uint64_t above = path.empty() ? 0 : path.back().offset;
      path.push_back({static_cast<std::uint32_t>(above % 3),
                      0x1000 + (above * 7 + random() % 5 * 0x40) % 0x20000});
    }
    paths.push_back(path);
  }
  return paths;
}

std::vector<std::uint8_t> coded(const std::vector<Path>& paths) {
  ContextEncoder encoder;
  CodedPaths writer(3);
  for (Path path : paths) writer.path(encoder, path);
  CHECK(writer.problem().empty());
  return encoder.bits().finish();
}

}  // namespace

// A function that calls another at each of so many places, of which some come again.
std::vector<Path> flat_paths(std::uint64_t places) {
  std::mt19937_64 random(7);
  std::vector<Path> paths;
  for (std::uint64_t place = 0; place < places; ++place) {
    paths.push_back(Path{{0, 0x40}, {1, 0x1000 + 16 * place}, {2, 0x500}});
    if (place % 3 == 0) paths.push_back(paths[random() % paths.size()]);
  }
  return paths;
}

TEST_CASE("coded call paths come back", "[trace-io]") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    auto paths = paths_of(seed, 500);
    if (seed == 1) paths = flat_paths(500);
    if (seed == 0) {
      paths.assign(5, {});
      paths[2].push_back({2, ~std::uint64_t{0}});
      for (const std::uint32_t module : {2U, 2U, 0U}) paths[3].push_back({module, 0});
    }
    const auto bytes = coded(paths);
    ContextDecoder decoder{std::span(bytes)};
    CodedPaths reader(3);
    for (const Path& path : paths) {
      Path read(1);
      reader.path(decoder, read);
      REQUIRE(reader.problem().empty());
      REQUIRE(read == path);
    }
    CHECK(decoder.bits().is_at_end());
  }
}

TEST_CASE("a function that is called from many places costs a few bits each", "[trace-io]") {
  std::vector<Path> paths;
  for (std::uint64_t caller = 0; caller < 400; ++caller)
    for (std::uint64_t call = 0; call < 5; ++call)
      paths.push_back(Path{{0, 0x1000 + 32 * caller}, {1, 0x77000 + 0x1234 * call}, {2, 0x500}});
  CHECK(coded(paths).size() < 1500);  // 400 new frames, 2000 known ones
}

// The bytes are the format's: whether the callees of a function are few or many must not show in them.
TEST_CASE("call paths of a function with many callees are coded as ever", "[trace-io]") {
  const auto bytes = coded(flat_paths(500));
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 1099511628211U;
  CHECK(bytes.size() == 334);
  CHECK(hash == 3402402985622842458U);
}

TEST_CASE("damaged call paths are refused, each for its reason", "[trace-io]") {
  std::mt19937_64 random(23);
  std::vector<std::string> seen;
  for (unsigned run = 0; run < 300; ++run) {
    std::vector<std::uint8_t> bytes(300);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    ContextDecoder decoder{std::span<const std::uint8_t>(bytes)};
    CodedPaths reader(3);
    Path path;
    for (unsigned i = 0; i < 200 && reader.problem().empty(); ++i) {
      reader.path(decoder, path);
      CHECK(path.size() <= kMaxFrames);
    }
    if (!reader.problem().empty()) seen.push_back(reader.problem());
  }
  const auto is_seen = [&](const char* problem) {
    return std::find(seen.begin(), seen.end(), problem) != seen.end();
  };
  CHECK(is_seen("a call path that leaves the one before above its outermost frame"));
  CHECK(is_seen("module 3 does not exist, there are 3 modules"));
  CHECK(is_seen("a frame of a call path that none before has"));
}
