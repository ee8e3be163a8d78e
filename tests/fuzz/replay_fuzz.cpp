// SPDX-License-Identifier: MIT
// Traces in their text form, mutated as programs, through everything behind the reader (behind_reader.hpp).
#include <unistd.h>

#include <filesystem>

#include "tests/fuzz/behind_reader.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/heap_watch.hpp"
#include "tests/fuzz/trace_text_input.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;

namespace {

// One of this process's own, gone with it.
const std::string& scratch() {
  struct Scratch {
    std::string folder = (std::filesystem::temp_directory_path() / "replay-fuzz-").string() +
                         std::to_string(getpid());
    Scratch() { std::filesystem::create_directories(folder); }
    ~Scratch() {
      std::error_code ignored;
      std::filesystem::remove_all(folder, ignored);
    }
  };
  static const Scratch made;
  return made.folder;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_at(data, size);
  const std::string& folder = scratch();
  fuzz::allow_heap(fuzz::heap_for(text));
  try {
    fuzz::do_everything(trace_io::assemble(text, "fuzz"), fuzz::variant_of(text), folder);
  } catch (const InputError&) {
  }
  return 0;
}
