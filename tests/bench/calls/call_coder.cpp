// SPDX-License-Identifier: MIT
// The coder of call streams for measurements: what a stream of a given length takes in time and memory, and streams as plain 2-byte symbols.
//
// usage: bench_call_coder generate EVENTS symbol|context
//        bench_call_coder raw FILE RANK THREAD > SYMBOLS
//        bench_call_coder again FILE RANK THREAD symbol|context WINDOW
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "trace-io/calls/call_reader.hpp"
#include "trace-io/calls/call_stream_coder.hpp"

using namespace reprise::trace_io;

namespace {

LzForm form_named(const char* name) {
  return std::strcmp(name, "symbol") == 0 ? LzForm::symbol : LzForm::context;
}

long peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

class Measured {
 public:
  explicit Measured(CallStreamForm form)
      : memory_(CallStreamCoder::memory_bytes(form)), coder_(form, memory_) {}
  void put(std::uint16_t symbol) {
    coder_.put(symbol, 0);
    ++events_;
    if (coder_.is_full()) end_block();
  }
  void end_block() {
    if (coder_.is_empty()) return;
    bytes_ += sizeof(CallBlockHead) + coder_.finish_block().words.size();
    coder_.begin_block();
  }
  std::uint64_t events() const { return events_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::vector<std::byte> memory_;
  CallStreamCoder coder_;
  std::uint64_t events_ = 0, bytes_ = 0;
};

// Steps of nested loops whose bodies differ by a random number now and then, as solvers call.
void generate(std::uint64_t events, LzForm form) {
  Measured measured({form, kDefaultWindow, false});
  std::uint64_t random = 88172645463325252U;
  const auto next = [&] {
    random ^= random << 13U;
    random ^= random >> 7U;
    random ^= random << 17U;
    return random;
  };
  const auto begin = std::chrono::steady_clock::now();
  while (measured.events() < events) {
    measured.put(2);
    const std::uint64_t cells = 200 + (next() % 16 == 0 ? next() % 4 : 0);
    for (std::uint64_t cell = 0; cell < cells; ++cell) {
      measured.put(static_cast<std::uint16_t>(3 + cell % 7));
      for (int i = 0; i < 4; ++i) {
        measured.put(static_cast<std::uint16_t>(10 + i));
        measured.put(kLeave);
      }
      if (next() % 1000 == 0) {
        measured.put(static_cast<std::uint16_t>(20 + next() % 300));
        measured.put(kLeave);
      }
      measured.put(kLeave);
    }
    measured.put(kLeave);
  }
  measured.end_block();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  const auto done = static_cast<double>(measured.events());
  std::printf("%.3g events, %llu bytes, ratio %.1f, %.2f ns an event, peak memory %ld KiB\n", done,
              static_cast<unsigned long long>(measured.bytes()),
              2 * done / static_cast<double>(measured.bytes()), 1e9 * took.count() / done,
              peak_kib());
}

template <class Put>
void each_symbol(char** argv, const Put& put) {
  const CallFile file = open_calls(argv[2]);
  for (const CallStream& stream : file.streams) {
    if (stream.rank != std::atoi(argv[3]) ||
        stream.thread != static_cast<std::uint32_t>(std::atoi(argv[4])))
      continue;
    CallReader reader(file, stream);
    while (const auto event = reader.next()) put(event->symbol);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "generate" && argc == 4) {
    generate(static_cast<std::uint64_t>(std::atof(argv[2])), form_named(argv[3]));
  } else if (what == "raw" && argc == 5) {
    each_symbol(argv, [](std::uint16_t symbol) { std::fwrite(&symbol, 2, 1, stdout); });
  } else if (what == "again" && argc == 7) {
    Measured measured({form_named(argv[5]), static_cast<unsigned>(std::atoi(argv[6])), false});
    std::vector<std::uint16_t> symbols;
    each_symbol(argv, [&](std::uint16_t symbol) { symbols.push_back(symbol); });
    const double begin = cpu_seconds();
    for (const std::uint16_t symbol : symbols) measured.put(symbol);
    measured.end_block();
    std::printf("%llu events %llu bytes %.4f CPU-seconds\n",
                static_cast<unsigned long long>(measured.events()),
                static_cast<unsigned long long>(measured.bytes()), cpu_seconds() - begin);
  } else {
    std::fprintf(stderr, "usage: see the top of call_coder.cpp\n");
    return 2;
  }
  return 0;
}
