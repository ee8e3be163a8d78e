// SPDX-License-Identifier: MIT
// Mutations of a trace's text form that leave it a text form: statements, loops and ranks move, calls of every procedure appear, numbers
// become such as break programs. What comes out is accepted by the assembler in four cases of five.
//
// Seeds   the same text, seed and limit give the same result on every machine.
// Cost    O(bytes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace reprise::fuzz {

// One to four mutations; at most `most` bytes, else the text as it was.
std::string mutated(std::string_view text, std::uint64_t seed, std::size_t most);

// FIRST with some of the statements of SECOND, and its communicators where FIRST has none of the same number.
std::string crossed(std::string_view first, std::string_view second, std::uint64_t seed,
                    std::size_t most);

}  // namespace reprise::fuzz
