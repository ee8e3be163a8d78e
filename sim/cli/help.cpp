// SPDX-License-Identifier: MIT
#include "sim/cli/help.hpp"

#include <sstream>

namespace reprise::cli {
namespace {

constexpr std::size_t kLineWidth = 100, kTextColumn = 34;

// Characters, not bytes: continuation bytes of UTF-8 take no column.
std::size_t columns(const std::string& text) {
  std::size_t count = 0;
  for (const char byte : text) count += (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
  return count;
}

std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string lines, line;
  for (std::string word; words >> word;) {
    if (!line.empty() && kTextColumn + columns(line) + 1 + columns(word) > kLineWidth) {
      lines += line + "\n" + std::string(kTextColumn, ' ');
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return lines + line;
}

std::string row(const boost::program_options::option_description& option) {
  using namespace boost::program_options::command_line_style;
  const std::string brief = option.canonical_display_name(allow_dash_for_short);
  std::string left =
      (brief.starts_with("--") || brief.size() != 2 ? "      --" : "  " + brief + ", --") +
      option.long_name();
  std::string text = option.description();
  if (option.semantic()->max_tokens() > 0) {
    const std::string value = option.format_parameter();  // "NAME" or "NAME (=default)"
    const auto at = value.find(" (=");
    left += " " + value.substr(0, at);
    if (at != std::string::npos) text += " (default " + value.substr(at + 3);
  }
  if (columns(left) + 2 > kTextColumn)
    left += "\n" + std::string(kTextColumn, ' ');
  else
    left += std::string(kTextColumn - columns(left), ' ');
  return left + wrapped(text) + "\n";
}

}  // namespace

std::string help_text(const Syntax& syntax) {
  std::string text = "usage: " + syntax.usage + "\n\n" + syntax.explanation + "\n\noptions:\n";
  for (const auto& option : syntax.options.options()) text += row(*option);
  return text;
}

}  // namespace reprise::cli
