// SPDX-License-Identifier: MIT
// From a study file to a Study. Strict, as with platform files: unknown and duplicate keys are refused, with a suggestion.
//
// The format is described, key by key, in study.schema.json, of which the parser's key lists are made. Paths in the file are relative to its folder.
// Errors  InputError at "FILE at /json/pointer". Platforms, the trace and changes are read later (plan.hpp).
#pragma once

#include <string>
#include <string_view>

#include "platforms/json/document.hpp"
#include "sim/study/study.hpp"

namespace reprise::sim {

Study parse_study(const platforms::Document&);
Study load_study(const std::string& path);

}  // namespace reprise::sim
