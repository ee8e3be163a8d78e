// SPDX-License-Identifier: MIT
// The coder of call streams for measurements: what a stream of a given length takes in time and memory, and streams as plain 2-byte symbols.
//
// usage: bench_call_coder generate EVENTS symbol|context|sparse
//        bench_call_coder raw FILE RANK THREAD > SYMBOLS
//        bench_call_coder again FILE RANK THREAD symbol|context|sparse WINDOW
//        bench_call_coder write FILE RANK THREAD plain|symbol|context|sparse TO
//
// write: the same symbols written to a file, plain or coded, in blocks of 64 KiB: CPU time of coding and of write(2), and the time until the disk has them.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

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
  if (std::strcmp(name, "symbol") == 0) return LzForm::symbol;
  return std::strcmp(name, "context") == 0 ? LzForm::context : LzForm::sparse;
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
    if (coder_.is_full()) end_block();
  }
  void end_block() {
    if (coder_.is_empty()) return;
    events_ += coder_.count();
    bytes_ += sizeof(CallBlockHead) + coder_.finish_block().words.size();
    coder_.begin_block();
  }
  std::uint64_t events() const { return events_ + coder_.count(); }
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

// A file that is written to in blocks, and what that takes.
class Output {
 public:
  explicit Output(const char* path) : file_(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644)) {
    if (file_ < 0) {
      std::perror(path);
      std::exit(1);
    }
  }
  ~Output() { close(file_); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  void put(const void* data, std::size_t size) {
    if (write(file_, data, size) != static_cast<ssize_t>(size)) {
      std::perror("write");
      std::exit(1);
    }
    bytes_ += size;
  }
  void finish(std::size_t events) {
    const double cpu = cpu_seconds() - cpu_;
    fdatasync(file_);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin_;
    std::printf("%zu events %zu bytes %.4f CPU-seconds %.4f s until written\n", events, bytes_, cpu,
                took.count());
  }

 private:
  int file_;
  std::size_t bytes_ = 0;
  double cpu_ = cpu_seconds();
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

void write_plain(const std::vector<std::uint16_t>& symbols, const char* path) {
  Output out(path);
  std::vector<std::uint16_t> block(CallStreamCoder::kWordBytes / 2);
  std::size_t filled = 0;
  for (const std::uint16_t symbol : symbols) {
    block[filled++] = symbol;
    if (filled < block.size()) continue;
    out.put(block.data(), 2 * filled);
    filled = 0;
  }
  out.put(block.data(), 2 * filled);
  out.finish(symbols.size());
}

void write_coded(const std::vector<std::uint16_t>& symbols, LzForm form, const char* path) {
  const CallStreamForm stream{form, kDefaultWindow, false};
  std::vector<std::byte> memory(CallStreamCoder::memory_bytes(stream));
  CallStreamCoder coder(stream, memory);
  Output out(path);
  const auto end_block = [&] {
    const auto block = coder.finish_block();
    out.put(&block.head, sizeof block.head);
    out.put(block.words.data(), block.words.size());
    coder.begin_block();
  };
  for (const std::uint16_t symbol : symbols) {
    coder.put(symbol, 0);
    if (coder.is_full()) end_block();
  }
  if (!coder.is_empty()) end_block();
  out.finish(symbols.size());
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
  } else if (what == "write" && argc == 7) {
    std::vector<std::uint16_t> symbols;
    each_symbol(argv, [&](std::uint16_t symbol) { symbols.push_back(symbol); });
    if (std::strcmp(argv[5], "plain") == 0)
      write_plain(symbols, argv[6]);
    else
      write_coded(symbols, form_named(argv[5]), argv[6]);
  } else {
    std::fprintf(stderr, "usage: see the top of call_coder.cpp\n");
    return 2;
  }
  return 0;
}
