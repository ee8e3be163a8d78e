// SPDX-License-Identifier: MIT
// A validation as a page: the verdict in a sentence, times side by side, every check, what was not compared.
//
// Page     self-contained and without scripts; light and dark as the reader's system is; its numbers carry their full digits (data-value).
// Output   depends on its arguments alone.
#pragma once

#include <string>

#include "sim/validation/validate.hpp"

namespace reprise::sim {

// REQUIRES: the profiles are those that were compared.
std::string validation_page(const validation::Validation&, const validation::Profile& ours,
                            const validation::Profile& theirs);

}  // namespace reprise::sim
