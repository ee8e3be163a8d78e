// SPDX-License-Identifier: MIT
// The functions of a libFuzzer target (https://llvm.org/docs/LibFuzzer.html). libFuzzer calls them, or the driver of the tests does
// (run_corpus.cpp), which needs no clang.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// The last two are for targets whose input has a form that mutated bytes would not have.
__attribute__((weak)) std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                                          std::size_t most, unsigned seed);
__attribute__((weak)) std::size_t LLVMFuzzerCustomCrossOver(
    const std::uint8_t* first, std::size_t first_size, const std::uint8_t* second,
    std::size_t second_size, std::uint8_t* out, std::size_t most, unsigned seed);
}
