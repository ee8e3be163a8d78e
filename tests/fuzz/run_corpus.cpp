// SPDX-License-Identifier: MIT
// Runs a fuzz target without libFuzzer: every file of its corpus as it is, then mutations of them, always the same ones.
//
// usage   TARGET_corpus CORPUS [--runs N] [--seed N] [--seconds N] [--keep FILE]
//         An input that ends the process, or takes longer than kPatience, is written to FILE (default: fuzz-failure in the working folder)
//         and named.
// Forms   with the target's own mutator where it has one, else bytes are flipped, put in, taken out and exchanged between files.
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/random_call.hpp"

namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::size_t kMost = 8192;
constexpr time_t kPatience = 20;  // seconds of CPU time for one input

Bytes current;
std::string keep = "fuzz-failure";

void on_death(int number) {
  std::FILE* file = std::fopen(keep.c_str(), "wb");
  if (file != nullptr) {
    std::fwrite(current.data(), 1, current.size(), file);
    std::fclose(file);
  }
  std::fprintf(stderr, "signal %d; the input is in %s\n", number, keep.c_str());
  signal(number, SIG_DFL);
  raise(number);
}

void run(const Bytes& input) {
  current = input;
  const itimerval patience{{0, 0}, {kPatience, 0}};
  setitimer(ITIMER_VIRTUAL, &patience, nullptr);
  LLVMFuzzerTestOneInput(current.data(), current.size());
}

Bytes of_bytes(Bytes input, const Bytes& other, reprise::fuzz::Random& random) {
  for (std::size_t left = 1 + random.below(5); left > 0; --left) {
    const std::size_t at = input.empty() ? 0 : random.below(input.size());
    const auto place = input.begin() + static_cast<std::ptrdiff_t>(at);
    if (input.empty() || random.one_in(5))
      input.insert(place, static_cast<std::uint8_t>(random.next()));
    else if (random.one_in(4))
      input.erase(place);
    else if (random.one_in(4) && !other.empty())
      *place = other[random.below(other.size())];
    else
      *place = static_cast<std::uint8_t>(*place ^ (1U << random.below(8)));
  }
  return input;
}

Bytes mutation(const std::vector<Bytes>& corpus, reprise::fuzz::Random& random) {
  const Bytes& first = corpus[random.below(corpus.size())];
  const Bytes& second = corpus[random.below(corpus.size())];
  if (LLVMFuzzerCustomMutator == nullptr) return of_bytes(first, second, random);
  Bytes input = first;
  input.resize(std::max(kMost, input.size()));
  std::size_t size = first.size();
  if (LLVMFuzzerCustomCrossOver != nullptr && random.one_in(3))
    size =
        LLVMFuzzerCustomCrossOver(first.data(), first.size(), second.data(), second.size(),
                                  input.data(), input.size(), static_cast<unsigned>(random.next()));
  for (std::size_t left = 1 + random.below(6); left > 0; --left)
    size = LLVMFuzzerCustomMutator(input.data(), size, input.size(),
                                   static_cast<unsigned>(random.next()));
  input.resize(size);
  return input;
}

std::vector<Bytes> read(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Bytes> corpus;
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

}  // namespace

int main(int count, char** words) {
  unsigned long runs = 0, seed = 1, seconds = 0;
  for (int i = 2; i + 1 < count; i += 2) {
    const std::string option = words[i];
    if (option == "--runs") runs = std::strtoul(words[i + 1], nullptr, 10);
    if (option == "--seed") seed = std::strtoul(words[i + 1], nullptr, 10);
    if (option == "--seconds") seconds = std::strtoul(words[i + 1], nullptr, 10);
    if (option == "--keep") keep = words[i + 1];
  }
  const auto corpus = count > 1 ? read(words[1]) : std::vector<Bytes>();
  if (corpus.empty()) {
    std::fprintf(stderr, "usage: %s CORPUS [--runs N] [--seed N] [--seconds N] [--keep FILE]\n",
                 words[0]);
    return 2;
  }
  for (const int number : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL, SIGVTALRM})
    signal(number, on_death);
  for (const Bytes& input : corpus) run(input);
  reprise::fuzz::Random random(seed);
  const auto begin = std::chrono::steady_clock::now();
  unsigned long done = 0;
  for (; done < runs; ++done) {
    if (seconds > 0 && std::chrono::steady_clock::now() - begin > std::chrono::seconds(seconds))
      break;
    run(mutation(corpus, random));
  }
  std::printf("%zu files of the corpus and %lu mutations\n", corpus.size(), done);
  return 0;
}
