// SPDX-License-Identifier: MIT
// Names by content: equal bytes have equal names, others in practice never (XXH3, 128 bits; not against malice). Of a trace's file it
// says which recording an answer is of.
//
// Cost  some gigabytes a second.
#pragma once

#include <string>
#include <string_view>

namespace reprise::sim {

std::string content_key(std::string_view bytes);  // 32 hexadecimal digits

}  // namespace reprise::sim
