// SPDX-License-Identifier: MIT
#include "recorder/capture/sites.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

using namespace reprise;
using namespace reprise::recorder;

namespace {

// As an exported wrapper asks for its site.
[[gnu::noinline]] trace_io::SiteId called(SiteCache& cache, std::uint32_t key,
                                          std::string_view name) {
  const auto site = cache.site_of(key, name, static_cast<Frame>(__builtin_frame_address(0)));
  asm volatile("");  // no tail call: the frame has to stay
  return site;
}
[[gnu::noinline]] trace_io::SiteId through(SiteCache& cache, std::uint32_t key,
                                           std::string_view name) {
  const auto site = called(cache, key, name);
  asm volatile("");
  return site;
}

// Each digit of the path's number, to the base 4, is a call from another line.
[[gnu::noinline]] trace_io::SiteId down(SiteCache& cache, int levels, int path) {
  trace_io::SiteId site = 0;
  if (levels == 0) return called(cache, 1, "MPI_Send");
  switch (path % 4) {
    case 0:
      site = down(cache, levels - 1, path / 4);
      asm volatile("# 0");
      break;
    case 1:
      site = down(cache, levels - 1, path / 4);
      asm volatile("# 1");
      break;
    case 2:
      site = down(cache, levels - 1, path / 4);
      asm volatile("# 2");
      break;
    default:
      site = down(cache, levels - 1, path / 4);
      asm volatile("# 3");
      break;
  }
  return site;
}

// A bound that the compiler does not know: in an unrolled loop each call would be a site of its own.
std::size_t opaque(std::size_t bound) {
  asm volatile("" : "+r"(bound));
  return bound;
}

}  // namespace

TEST_CASE("a line of the program is one site, another line another") {
  SiteTable table;
  SiteCache cache(table, {16, true});
  trace_io::SiteId sites[3];
  for (std::size_t i = 0; i < opaque(3); ++i) sites[i] = called(cache, 1, "MPI_Send");
  REQUIRE(sites[1] == sites[0]);
  REQUIRE(sites[2] == sites[0]);
  REQUIRE(called(cache, 1, "MPI_Send") != sites[0]);
}

TEST_CASE("paths through one function differ by their callers, unless only the caller counts") {
  SiteTable table;
  SiteCache full(table, {16, true}), flat(table, {16, false});
  const auto a = through(full, 1, "MPI_Send"), b = through(full, 1, "MPI_Send");
  REQUIRE(a != b);
  const auto c = through(flat, 1, "MPI_Send"), d = through(flat, 1, "MPI_Send");
  REQUIRE(c == d);
  trace_io::Trace trace;
  table.describe(trace);
  REQUIRE(trace.procedures == std::vector<std::string>{"MPI_Send"});
  REQUIRE(trace.call_paths[trace.sites[c].call_path].frames.size() == 1);
  REQUIRE(trace.call_paths[trace.sites[a].call_path].frames.size() > 2);
  REQUIRE(trace.call_paths[trace.sites[a].call_path].frames[0] ==
          trace.call_paths[trace.sites[c].call_path].frames[0]);
}

TEST_CASE("two procedures at one path are two sites on one call path") {
  SiteTable table;
  SiteCache cache(table, {16, true});
  trace_io::SiteId sites[2];
  const char* const names[] = {"MPI_Send", "MPI_Recv"};
  for (std::uint32_t i = 0; i < opaque(2); ++i) sites[i] = called(cache, i, names[i]);
  REQUIRE(sites[0] != sites[1]);
  trace_io::Trace trace;
  table.describe(trace);
  REQUIRE(trace.sites[sites[0]].call_path == trace.sites[sites[1]].call_path);
  REQUIRE(trace.procedures[trace.sites[sites[1]].procedure] == "MPI_Recv");
}

TEST_CASE(
    "thousands of call paths through one function are distinct sites, in any order of calls") {
  constexpr int kPaths = 4096;
  SiteTable table;
  SiteCache cache(table, {16, true});
  // All from one line: in order, in order again, and in leaps with each path three times.
  std::vector<int> paths;
  for (int i = 0; i < 2 * kPaths; ++i) paths.push_back(i % kPaths);
  for (int i = 0; i < kPaths; ++i) paths.insert(paths.end(), 3, (i * 2653 + 17) % kPaths);
  std::vector<trace_io::SiteId> sites;
  for (std::size_t i = 0; i < opaque(paths.size()); ++i) sites.push_back(down(cache, 6, paths[i]));
  REQUIRE(std::set<trace_io::SiteId>(sites.begin(), sites.begin() + kPaths).size() == kPaths);
  for (std::size_t i = 0; i < paths.size(); ++i)
    REQUIRE(sites[i] == sites[static_cast<std::size_t>(paths[i])]);
}

TEST_CASE(
    "paths that differ in their outermost frames alone are distinct, and known when they come "
    "again") {
  // The caller far out is another line, and all frames below it lie where they lay.
  constexpr int kLevels = 15, kPaths = 4;
  SiteTable table;
  SiteCache cache(table, {20, true});
  std::vector<trace_io::SiteId> sites;
  for (std::size_t i = 0; i < opaque(4 * kPaths); ++i)
    sites.push_back(down(cache, kLevels, static_cast<int>(i) % kPaths));
  REQUIRE(std::set<trace_io::SiteId>(sites.begin(), sites.begin() + kPaths).size() == kPaths);
  for (std::size_t i = 0; i < sites.size(); ++i) REQUIRE(sites[i] == sites[i % kPaths]);
}

TEST_CASE("no more frames are kept than asked for") {
  SiteTable table;
  SiteCache cache(table, {2, true});
  through(cache, 1, "MPI_Send");
  trace_io::Trace trace;
  table.describe(trace);
  REQUIRE(trace.call_paths.at(0).frames.size() == 2);
}

TEST_CASE("two threads' caches share one table") {
  SiteTable table;
  SiteCache one(table, {16, true}), other(table, {16, true});
  trace_io::SiteId sites[2];
  SiteCache* const caches[] = {&one, &other};
  for (std::size_t i = 0; i < opaque(2); ++i) sites[i] = called(*caches[i], 1, "MPI_Send");
  REQUIRE(sites[0] == sites[1]);
}

TEST_CASE(
    "where call paths explode, new ones keep their innermost frames and known ones stay whole") {
  constexpr int kPaths = 16384;  // all from one place
  SiteTable table;
  SiteCache cache(table, {16, true, true});
  std::vector<trace_io::SiteId> sites;
  for (int i = 0; i < static_cast<int>(opaque(kPaths)); ++i) sites.push_back(down(cache, 7, i));
  trace_io::Trace trace;
  table.describe(trace);
  const auto frames_of = [&](trace_io::SiteId site) {
    return trace.call_paths[trace.sites[site].call_path].frames.size();
  };
  const std::set<trace_io::SiteId> whole(sites.begin(), sites.begin() + SiteTable::kMany),
      rest(sites.begin() + SiteTable::kMany, sites.end());
  CHECK(whole.size() == SiteTable::kMany);
  CHECK(std::ranges::all_of(whole, [&](auto site) { return frames_of(site) > 7; }));
  // Each of four frames is a call from one of eight lines at most.
  CHECK(rest.size() > 1);
  CHECK(rest.size() <= 256);
  CHECK(std::ranges::all_of(rest,
                            [&](auto site) { return frames_of(site) == SiteTable::kInnermost; }));
  CHECK(table.shortened() == rest.size());
}

TEST_CASE("a call path has one site, whether it was met before paths exploded or after") {
  constexpr int kPaths = 16384;
  SiteTable table;
  SiteCache cache(table, {16, true, true});
  std::vector<int> paths;
  for (int i = 0; i < kPaths; ++i) paths.push_back(i);
  for (int i = 0; i < kPaths; ++i) paths.push_back((i * 2653 + 17) % kPaths);
  std::vector<trace_io::SiteId> sites;
  for (std::size_t i = 0; i < opaque(paths.size()); ++i) sites.push_back(down(cache, 7, paths[i]));
  for (std::size_t i = 0; i < paths.size(); ++i)
    REQUIRE(sites[i] == sites[static_cast<std::size_t>(paths[i])]);
  CHECK(table.shortened() > 0);
}

TEST_CASE("many call paths from many places are kept whole, and so are all that are asked for") {
  SiteTable table;
  SiteCache all(table, {16, true, false});
  for (int i = 0; i < static_cast<int>(opaque(16384)); ++i) down(all, 7, i);
  CHECK(table.shortened() == 0);
  // As many innermost frames as paths.
  SiteTable other;
  Unwound path;
  path.frames = 6;
  for (std::uintptr_t i = 0; i < 2 * SiteTable::kMany; ++i) {
    for (std::uintptr_t frame = 0; frame < path.frames; ++frame)
      path.addresses[frame] = reinterpret_cast<std::uintptr_t>(&opaque) + i % 4096 + frame;
    path.addresses[5] += i / 4096;
    other.site_of("MPI_Send", path, 16, true);
  }
  CHECK(other.shortened() == 0);
}

TEST_CASE("sites stay what they are when what finds them is given back") {
  SiteTable table;
  SiteCache cache(table, {16, true});
  const trace_io::SiteId one = called(cache, 1, "MPI_Send"), other = through(cache, 2, "MPI_Recv");
  trace_io::Trace before, after;
  table.describe(before);
  cache.settle();  // what it has forgotten has the same number
  REQUIRE(through(cache, 2, "MPI_Recv") != one);
  cache.settle();
  table.settle();
  table.describe(after);
  REQUIRE(after.sites.at(one) == before.sites.at(one));
  REQUIRE(after.sites.at(other) == before.sites.at(other));
  REQUIRE(std::equal(before.call_paths.begin(), before.call_paths.end(), after.call_paths.begin()));
  REQUIRE(after.procedures == before.procedures);
}
