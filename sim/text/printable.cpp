// SPDX-License-Identifier: MIT
#include "sim/text/printable.hpp"

namespace reprise {

std::string printable(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const bool is_second_set = byte == 0xc2 && next >= 0x80 && next < 0xa0;  // U+0080 to U+009F
    if (is_second_set || (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f) {
      const unsigned code = is_second_set ? next : byte;
      shown += {'\\', 'x', kDigits[code >> 4], kDigits[code & 15]};
      i += is_second_set ? 1 : 0;
    } else {
      shown += text[i];
    }
  }
  return shown;
}

bool is_formula(std::string_view cell) { return cell.find_first_of("=+-@\t") == 0; }

}  // namespace reprise
