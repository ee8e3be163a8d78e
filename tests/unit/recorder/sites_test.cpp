// SPDX-License-Identifier: MIT
#include "recorder/capture/sites.hpp"

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
