// SPDX-License-Identifier: MIT
#include "platforms/xml/xml_document.hpp"

#include <expat.h>

#include <memory>
#include <type_traits>

#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

constexpr std::size_t kMaxElementDepth = 64;

struct Builder {
  XML_Parser parser;
  std::vector<XmlElement> open;  // the first is the root's holder
  bool too_deep = false;
};

void on_begin(void* user, const XML_Char* name, const XML_Char** attributes) {
  auto& builder = *static_cast<Builder*>(user);
  if (builder.open.size() > kMaxElementDepth) {
    builder.too_deep = true;
    XML_StopParser(builder.parser, XML_FALSE);
    return;
  }
  XmlElement element;
  element.name = name;
  element.line = XML_GetCurrentLineNumber(builder.parser);
  for (; *attributes != nullptr; attributes += 2)
    element.attributes.emplace_back(attributes[0], attributes[1]);
  builder.open.push_back(std::move(element));
}

void on_end(void* user, const XML_Char*) {
  auto& open = static_cast<Builder*>(user)->open;
  XmlElement done = std::move(open.back());
  open.pop_back();
  open.back().children.push_back(std::move(done));
}

void on_text(void* user, const XML_Char* text, int length) {
  auto& builder = *static_cast<Builder*>(user);
  XmlElement& element = builder.open.back();
  if (element.name != "trace") return;
  if (element.text.empty()) element.text_line = XML_GetCurrentLineNumber(builder.parser);
  element.text.append(text, static_cast<std::size_t>(length));
}

}  // namespace

const std::string* XmlElement::attribute(std::string_view wanted) const {
  for (const auto& [key, value] : attributes)
    if (key == wanted) return &value;
  return nullptr;
}

XmlElement parse_xml(std::string_view text, const std::string& file) {
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> parser(
      XML_ParserCreate(nullptr), &XML_ParserFree);
  Builder builder{parser.get(), {XmlElement{}}};
  XML_SetUserData(parser.get(), &builder);
  XML_SetElementHandler(parser.get(), &on_begin, &on_end);
  XML_SetCharacterDataHandler(parser.get(), &on_text);
  const auto status = XML_Parse(parser.get(), text.data(), static_cast<int>(text.size()), XML_TRUE);
  if (status == XML_STATUS_OK) return std::move(builder.open.front().children.front());
  throw InputError(
      file + ":" + std::to_string(XML_GetCurrentLineNumber(parser.get())),
      builder.too_deep
          ? "more than " + std::to_string(kMaxElementDepth) + " elements in each other"
          : std::string("not well-formed XML: ") + XML_ErrorString(XML_GetErrorCode(parser.get())));
}

}  // namespace reprise::platforms
