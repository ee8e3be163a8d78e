// SPDX-License-Identifier: MIT
// libotf2's C interface, with its errors as exceptions.
//
// The library prints errors to stderr unless somebody takes them: while one of these lives, they are kept instead, and check() throws
// the first as an InputError that names the archive. Exceptions must not pass through the library: callbacks run within
// guarded(), which keeps what is thrown and stops the reading; check() throws it again.
#pragma once

#include <otf2/otf2.h>

#include <exception>
#include <string>

namespace reprise::trace_io {

class Otf2Errors {
 public:
  explicit Otf2Errors(std::string archive);
  ~Otf2Errors();
  Otf2Errors(const Otf2Errors&) = delete;
  Otf2Errors& operator=(const Otf2Errors&) = delete;

  // Throws where the library reported anything or a callback has thrown.
  void check(OTF2_ErrorCode, const char* while_what);
  const std::string& archive() const { return archive_; }

  template <class Callback>
  OTF2_CallbackCode guarded(const Callback& callback) noexcept {
    try {
      callback();
      return OTF2_CALLBACK_SUCCESS;
    } catch (...) {
      thrown_ = std::current_exception();
      return OTF2_CALLBACK_INTERRUPT;
    }
  }

 private:
  static OTF2_ErrorCode keep(void* self, const char* file, uint64_t line, const char* function,
                             OTF2_ErrorCode code, const char* format, va_list arguments);

  std::string archive_, reported_;
  OTF2_ErrorCallback before_;
  std::exception_ptr thrown_;
};

}  // namespace reprise::trace_io
