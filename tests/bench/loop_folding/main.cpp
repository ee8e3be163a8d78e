// SPDX-License-Identifier: MIT
// What folding a stream of calls costs: bytes and nodes of the folded program, nanoseconds a call.
//
// usage: loop_folding KIND SITES CALLS [nodes]     KIND: loop (all sites one after the other, again and again) | random (any site next) |
//        runs (any site next, five times) | skips (a loop whose passes leave out a call each)
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "trace-io/compress/thread_compressor.hpp"

namespace {

using namespace reprise;
using namespace reprise::trace_io;

struct Calls {
  std::string kind;
  std::uint64_t sites;
  std::uint64_t state = 88172645463325252u;

  std::uint64_t random() {  // xorshift, Marsaglia 2003
    state ^= state << 13U;
    state ^= state >> 7U;
    return state ^= state << 17U;
  }
  SiteId site(std::uint64_t call) {
    if (kind == "random") return static_cast<SiteId>(random() % sites);
    if (kind == "runs") {
      if (call % 5 == 0) latest = static_cast<SiteId>(random() % sites);
      return latest;
    }
    return static_cast<SiteId>(call % sites);
  }
  SiteId latest = 0;
};

std::size_t nodes_in(const std::vector<Node>& body) {
  std::size_t count = body.size();
  for (const Node& node : body)
    if (const Loop* loop = std::get_if<Loop>(&node.content)) count += nodes_in(loop->body);
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 && argc != 5) {
    std::cerr << "usage: loop_folding loop|random|runs SITES CALLS [nodes]\n";
    return 2;
  }
  Calls calls{argv[1], std::strtoull(argv[2], nullptr, 10)};
  const std::uint64_t count = std::strtoull(argv[3], nullptr, 10);
  ThreadCompressor compressor({});
  std::size_t most = 0;
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t call = 0; call < count; ++call) {
    const SiteId site = calls.site(call);
    const std::int64_t scalars[] = {0, kFirstPeer + static_cast<std::int64_t>(site % 7), 3, 64};
    compressor.append({site, scalars, {}, Nanoseconds{1000}, Nanoseconds{500}, 0});
    if ((call & (call - 1)) == 0 || call + 1 == 2 * calls.sites)
      most = std::max(most, compressor.memory_bytes());
  }
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
  most = std::max(most, compressor.memory_bytes());
  std::printf("%zu bytes, at most %zu, %.0f ns a call", compressor.memory_bytes(), most,
              taken.count() / static_cast<double>(count));
  if (argc == 5)
    std::printf(", %zu nodes",
                nodes_in(compressor.program(trace_io::ThreadCompressor::Detail::totals)));
  std::printf("\n");
  return 0;
}
