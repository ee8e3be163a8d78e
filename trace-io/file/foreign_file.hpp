// SPDX-License-Identifier: MIT
// A file that is no trace: what it looks like, for the error that refuses it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace reprise::trace_io {

// Throws InputError{name, "not a reprise trace: it looks like …", what to do with such a file}. REQUIRES: !file.empty().
[[noreturn]] void refuse_foreign(std::span<const std::byte> file, const std::string& name);

}  // namespace reprise::trace_io
