// SPDX-License-Identifier: MIT
// Names by content: equal bytes have equal names, others in practice never (XXH3, 128 bits; not against malice).
#pragma once

#include <string>
#include <string_view>

namespace reprise::sim {

std::string content_key(std::string_view bytes);  // 32 hexadecimal digits

// The engine that computes the answers: its version, and a name of the sources that it was built from.
std::string_view engine_version();  // "0.1.0"
std::string_view engine_sources();  // 16 hexadecimal digits

}  // namespace reprise::sim
