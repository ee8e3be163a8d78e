// SPDX-License-Identifier: MIT
// The parts of an answer that `reprise replay --details` prints, and which parts a list of words asks for.
#pragma once

#include <string>
#include <vector>

#include "sim/answers/answer.hpp"

namespace reprise::cli {

struct Details {
  sim::AnswerParts parts;
  std::vector<std::string> keys;  // of the answer's JSON, in the order asked for: "call_sites"
};

// LIST: "efficiencies,links", or "all". Throws InputError naming the word that is none, with the nearest one.
Details parse_details(const std::string& list);

// Tables under headings; matrix and time line as a few figures, because they are pictures (HTML, JSON and CSV have them whole).
std::string answer_text(const sim::Answer&);

}  // namespace reprise::cli
