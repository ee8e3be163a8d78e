// SPDX-License-Identifier: MIT
// The test executable names its own frames; it is compiled with -g -O0 and linked with a build-id.
#include "sim/symbols/symbolise.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <elfutils/libdwfl.h>
#include <link.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/cli/scratch.hpp"

using namespace reprise;
using trace_io::Frame;
using trace_io::Trace;

namespace {

struct ThisProgram {
  std::uint64_t load_address = 0;
  std::string build_id;
};

std::string build_id_in(const unsigned char* note, const unsigned char* end) {
  while (note + sizeof(ElfW(Nhdr)) <= end) {
    const auto* header = reinterpret_cast<const ElfW(Nhdr)*>(note);
    const unsigned char* bits = note + sizeof *header + (header->n_namesz + 3) / 4 * 4;
    if (header->n_type == NT_GNU_BUILD_ID) {
      std::string text;
      for (unsigned i = 0; i < header->n_descsz; ++i) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(bits[i]));
        text += digits;
      }
      return text;
    }
    note = bits + (header->n_descsz + 3) / 4 * 4;
  }
  return {};
}

ThisProgram this_program() {
  ThisProgram program;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& found = *static_cast<ThisProgram*>(data);
        found.load_address = info->dlpi_addr;
        for (int i = 0; i < info->dlpi_phnum && found.build_id.empty(); ++i) {
          if (info->dlpi_phdr[i].p_type != PT_NOTE) continue;
          const auto* note =
              reinterpret_cast<const unsigned char*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
          found.build_id = build_id_in(note, note + info->dlpi_phdr[i].p_memsz);
        }
        return 1;  // the program itself comes first
      },
      &program);
  return program;
}

__attribute__((noinline)) std::uint64_t return_address() {
  return reinterpret_cast<std::uint64_t>(
      __builtin_extract_return_addr(__builtin_return_address(0)));
}

Trace trace_with(const std::string& path, const std::string& build_id, std::uint64_t offset) {
  Trace trace;
  trace.modules = {{path, build_id}};
  trace.call_paths = {{{Frame{0, offset}}}};
  return trace;
}

std::string own_path() { return std::filesystem::canonical("/proc/self/exe").string(); }

}  // namespace

namespace somewhere {
constexpr std::uint32_t kCallLine = __LINE__ + 2;
__attribute__((noinline)) std::uint64_t here(int) {
  const std::uint64_t address = return_address();
  return address;
}
}  // namespace somewhere

extern "C" {
__attribute__((noinline)) std::uint64_t f() {
  const std::uint64_t address = return_address();
  return address;
}
}

TEST_CASE("symbolise: a C function whose name is also the mangled name of a type keeps it",
          "[cli]") {
  const auto program = this_program();
  auto trace = trace_with(own_path(), program.build_id, f() - program.load_address);
  REQUIRE(symbolise(trace) == 1);
  CHECK(trace.frame_names[0].function == "f");
}

TEST_CASE("symbolise: a frame gets its function, file and line", "[cli]") {
  const auto program = this_program();
  REQUIRE_FALSE(program.build_id.empty());
  const std::uint64_t offset = somewhere::here(0) - program.load_address;
  auto trace = trace_with(own_path(), program.build_id, offset);
  CHECK(symbolise(trace) == 1);
  REQUIRE(trace.frame_names.size() == 1);
  CHECK(trace.frame_names[0].frame == Frame{0, offset});
  CHECK(trace.frame_names[0].function == "somewhere::here(int)");
  CHECK(std::filesystem::path(trace.frame_names[0].file).filename() == "symbolise_test.cpp");
  CHECK(trace.frame_names[0].line == somewhere::kCallLine);
}

// libdwfl's own answers, an address at a time. A library's aliases, weak symbols and labels are all met.
TEST_CASE("symbolise: functions are those that libdwfl names", "[cli]") {
  char* no_path = nullptr;
  const Dwfl_Callbacks callbacks = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo,
                                    dwfl_offline_section_address, &no_path};
  std::vector<std::string> modules;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        const std::string path = info->dlpi_name;
        if (path.find("/libc.so") != std::string::npos ||
            path.find("/libstdc++.so") != std::string::npos)
          static_cast<std::vector<std::string>*>(data)->push_back(path);
        return 0;
      },
      &modules);
  REQUIRE(modules.size() == 2);
  modules.push_back(own_path());
  for (const std::string& path : modules) {
    Dwfl* const session = dwfl_begin(&callbacks);
    dwfl_report_begin(session);
    Dwfl_Module* const module = dwfl_report_elf(session, path.c_str(), path.c_str(), -1, 0, true);
    dwfl_report_end(session, nullptr, nullptr);
    REQUIRE(module != nullptr);
    Dwarf_Addr begin = 0, end = 0;
    dwfl_module_info(module, nullptr, &begin, &end, nullptr, nullptr, nullptr, nullptr);
    Trace trace;
    trace.modules = {{path, ""}};
    constexpr std::uint64_t kAddresses = 1500;
    for (std::uint64_t i = 1; i < kAddresses; ++i)
      trace.call_paths.push_back({{Frame{0, begin + (end - begin) / kAddresses * i}}});
    symbolise(trace);
    std::map<Frame, std::string> named;
    for (const auto& name : trace.frame_names) named[name.frame] = name.function;
    std::size_t functions = 0;
    for (const auto& call_path : trace.call_paths) {
      const char* const symbol = dwfl_module_addrname(module, call_path.frames[0].offset - 1);
      int status = -1;
      char* const text = symbol != nullptr && std::string_view(symbol).starts_with("_Z")
                             ? abi::__cxa_demangle(symbol, nullptr, nullptr, &status)
                             : nullptr;
      const std::string wanted = status == 0 ? text : symbol != nullptr ? symbol : "";
      std::free(text);
      CHECK(named[call_path.frames[0]] == wanted);
      functions += wanted.empty() ? 0 : 1;
    }
    CHECK(functions > 500);
    dwfl_end(session);
  }
}

TEST_CASE("symbolise: a module recorded without a build-id is taken by its path", "[cli]") {
  auto trace = trace_with(own_path(), "", somewhere::here(0) - this_program().load_address);
  CHECK(symbolise(trace) == 1);
}

TEST_CASE("symbolise: another build of the module gives no names", "[cli]") {
  const auto program = this_program();
  auto trace =
      trace_with(own_path(), "0123456789abcdef", somewhere::here(0) - program.load_address);
  CHECK(symbolise(trace) == 0);
  CHECK(trace.frame_names.empty());
}

TEST_CASE("symbolise: a module that has lost its build-id gives no names", "[cli]") {
  const Scratch scratch;
  const auto program =
      scratch.compiled("program", "int main(void) { return 0; }\n", {"-Wl,--build-id=none"});
  REQUIRE(program);
  auto trace = trace_with(*program, "0123456789abcdef", 0x1000);
  CHECK(symbolise(trace) == 0);
}

TEST_CASE("symbolise: modules that are missing or no programs give no names", "[cli]") {
  const Scratch scratch;
  for (const auto& path : {scratch.path("nowhere"), scratch.file("text", "no program"),
                           scratch.folder().string(), std::string()}) {
    auto trace = trace_with(path, "", 0x1000);
    CHECK(symbolise(trace) == 0);
  }
}

TEST_CASE("symbolise: names that are there stay, and the order is by frame", "[cli]") {
  const auto program = this_program();
  const std::uint64_t offset = somewhere::here(0) - program.load_address;
  auto trace = trace_with(own_path(), program.build_id, offset);
  trace.call_paths[0].frames.push_back(
      {0, offset + (std::uint64_t{1} << 40)});  // beyond the module: no name
  trace.modules.push_back({"/nowhere", ""});
  trace.call_paths[0].frames.push_back({1, 7});
  trace.frame_names = {{{1, 7}, "known", "known.c", 3}};
  CHECK(symbolise(trace) == 1);
  REQUIRE(trace.frame_names.size() == 2);
  CHECK(trace.frame_names[0].frame == Frame{0, offset});
  CHECK(trace.frame_names[1].function == "known");
  CHECK(symbolise(trace) == 0);
}
