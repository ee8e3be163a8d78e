// SPDX-License-Identifier: MIT
// libFuzzer's mutators for targets whose inputs are traces in their text form: statements are mutated, not bytes.
#include <algorithm>

#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/trace_text_input.hpp"
#include "tests/fuzz/trace_text_mutation.hpp"

using namespace reprise;

namespace {

std::size_t put(const std::string& text, std::uint8_t* data) {
  std::copy(text.begin(), text.end(), data);
  return text.size();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return put(fuzz::mutated(fuzz::text_at(data, size), seed, most), data);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second,
                                                 std::size_t second_size, std::uint8_t* out,
                                                 std::size_t most, unsigned seed) {
  std::string crossed = fuzz::crossed(fuzz::text_at(first, first_size),
                                      fuzz::text_at(second, second_size), seed, most);
  crossed.resize(std::min(crossed.size(), most));
  return put(crossed, out);
}
