// SPDX-License-Identifier: MIT
// The heap of this process as operator new sees it: a limit that ends the process where it is passed.
//
// How     the global operators are replaced; sizes are those that malloc() gives. Whatever does not go through them is not counted.
#pragma once

#include <cstddef>

namespace reprise::fuzz {

// From now on until the next call: aborts, with a line on stderr, where more than `bytes` are in use beyond what is in use now.
void allow_heap(std::size_t bytes);

}  // namespace reprise::fuzz
