// SPDX-License-Identifier: MIT
// Which of our files a JSON document is, so that one in the place of another is called by its name.
#pragma once

#include <cstdint>

#include "platforms/json/document.hpp"

namespace reprise::platforms {

enum class DocumentKind : std::uint8_t { platform, scenario, study, noise, probe, answer, results };

// Throws InputError where the document is certainly of another kind than WANTED; of a document that looks like none of them its reader
// will say what is wrong. Cost: a few look-ups of keys.
void refuse_other_kind(const Document&, DocumentKind wanted);

}  // namespace reprise::platforms
