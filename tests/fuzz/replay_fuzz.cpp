// SPDX-License-Identifier: MIT
// Traces in their text form, mutated as programs, through everything behind the reader (behind_reader.hpp).
//
// Limits  memory: 64 MiB, and 8 KiB for each byte of the text, and 512 bytes for each rank that it names. Time: libFuzzer's -timeout, or the
//         driver's.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "tests/fuzz/behind_reader.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/heap_watch.hpp"
#include "tests/fuzz/trace_text_mutation.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;

namespace {

constexpr std::size_t kSome = std::size_t{64} << 20, kPerByte = std::size_t{8} << 10,
                      kPerRank = 512;

// As the header says, whether or not that is a number of ranks that a trace can have.
std::size_t ranks_in(std::string_view text) {
  const std::size_t at = text.find("\nranks ");
  if (at == std::string_view::npos) return 0;
  const std::string number(text.substr(at + 7, 20));
  return std::min<std::size_t>(std::strtoull(number.c_str(), nullptr, 0), trace_io::kMaxRanks);
}

// One of this process's own, gone with it.
const std::string& scratch() {
  struct Scratch {
    std::string folder = (std::filesystem::temp_directory_path() / "replay-fuzz-").string() +
                         std::to_string(getpid());
    Scratch() { std::filesystem::create_directories(folder); }
    ~Scratch() {
      std::error_code ignored;
      std::filesystem::remove_all(folder, ignored);
    }
  };
  static const Scratch made;
  return made.folder;
}

std::uint64_t variant_of(std::string_view text) {  // FNV-1a
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash >> 8;
}

std::size_t put(const std::string& text, std::uint8_t* data) {
  std::copy(text.begin(), text.end(), data);
  return text.size();
}

std::string_view text_at(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = text_at(data, size);
  const std::string& folder = scratch();
  fuzz::allow_heap(kSome + kPerByte * size + kPerRank * ranks_in(text));
  try {
    fuzz::do_everything(trace_io::assemble(text, "fuzz"), variant_of(text), folder);
  } catch (const InputError&) {
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return put(fuzz::mutated(text_at(data, size), seed, most), data);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second,
                                                 std::size_t second_size, std::uint8_t* out,
                                                 std::size_t most, unsigned seed) {
  std::string crossed =
      fuzz::crossed(text_at(first, first_size), text_at(second, second_size), seed, most);
  crossed.resize(std::min(crossed.size(), most));
  return put(crossed, out);
}
