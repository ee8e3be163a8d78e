// SPDX-License-Identifier: MIT
#include "trace-io/import/otf2/library.hpp"

#include <cstdarg>
#include <cstdio>
#include <utility>

#include "trace-io/base/error.hpp"

namespace reprise::trace_io {

Otf2Errors::Otf2Errors(std::string archive)
    : archive_(std::move(archive)), before_(OTF2_Error_RegisterCallback(&Otf2Errors::keep, this)) {}

Otf2Errors::~Otf2Errors() { OTF2_Error_RegisterCallback(before_, nullptr); }

OTF2_ErrorCode Otf2Errors::keep(void* self, const char*, uint64_t, const char*, OTF2_ErrorCode code,
                                const char* format, va_list arguments) {
  auto& errors = *static_cast<Otf2Errors*>(self);
  if (!errors.reported_.empty() || code == OTF2_ERROR_INTERRUPTED_BY_CALLBACK) return code;
  char text[512] = "";
  if (format != nullptr) std::vsnprintf(text, sizeof text, format, arguments);
  errors.reported_ = OTF2_Error_GetDescription(code);
  if (text[0] != '\0') errors.reported_ += std::string(" (") + text + ")";
  while (!errors.reported_.empty() && errors.reported_.back() == '\n') errors.reported_.pop_back();
  return code;
}

void Otf2Errors::check(OTF2_ErrorCode code, const char* while_what) {
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  if (code == OTF2_SUCCESS) return;
  const std::string why = reported_.empty() ? OTF2_Error_GetDescription(code) : reported_;
  throw InputError(archive_, std::string("libotf2 could not ") + while_what + ": " + why,
                   "otf2-print shows how far the archive can be read");
}

}  // namespace reprise::trace_io
