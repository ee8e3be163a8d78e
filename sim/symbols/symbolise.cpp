// SPDX-License-Identifier: MIT
#include "sim/symbols/symbolise.hpp"

#include <cxxabi.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace reprise {
namespace {

using trace_io::Frame;
using trace_io::FrameName;

char* no_debuginfo_path = nullptr;
constexpr Dwfl_Callbacks kCallbacks = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo,
                                       dwfl_offline_section_address, &no_debuginfo_path};

struct EndDwfl {
  void operator()(Dwfl* session) const { dwfl_end(session); }
};
using Session = std::unique_ptr<Dwfl, EndDwfl>;

std::string hexadecimal(const unsigned char* bytes, int count) {
  static constexpr std::array kDigits = {'0', '1', '2', '3', '4', '5', '6', '7',
                                         '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

// A module that was recorded without a build-id is taken on its path alone.
bool is_recorded_file(Dwfl_Module* module, const std::string& build_id) {
  const unsigned char* bits = nullptr;
  GElf_Addr where = 0;
  const int length = dwfl_module_build_id(module, &bits, &where);
  return build_id.empty() || (length > 0 && hexadecimal(bits, length) == build_id);
}

// Only mangled names: by themselves "f" and "d" are C functions, and types where one is asked for those.
std::string demangled(const char* symbol) {
  if (!std::string_view(symbol).starts_with("_Z")) return symbol;
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol, nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : symbol;
}

// The sized symbols of a module by their addresses. libdwfl goes through all of them for each address, which takes as long as the program where a library has
// tens of thousands; it is asked where this does not tell one from another.
// Cost: O(symbols log symbols) once, O(log symbols) an address; 32 bytes a symbol.
class SizedSymbols {
 public:
  explicit SizedSymbols(Dwfl_Module* module) : module_(module) {
    const int count = dwfl_module_getsymtab(module);
    const int first_global = dwfl_module_getsymtab_first_global(module);
    if (count < 0 || first_global < 0) return;
    for (int i = 0; i < count; ++i) {
      GElf_Sym symbol;
      GElf_Addr address = 0;
      const char* const name =
          dwfl_module_getsym_info(module, i, &symbol, &address, nullptr, nullptr, nullptr);
      const auto type = GELF_ST_TYPE(symbol.st_info);
      if (name == nullptr || *name == 0 || symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0 ||
          type == STT_SECTION || type == STT_FILE || type == STT_TLS)
        continue;
      (i < first_global ? local_ : global_).all.push_back({address, symbol.st_size, name});
    }
    local_.sort();
    global_.sort();
  }

  // Null where there is none.
  const char* name(GElf_Addr address) const {
    for (const Table* table :
         {&global_, &local_})  // a local one is looked for where no global one is there
      if (const auto [first, count] = table->around(address); count > 0)
        return count == 1 ? first->name : dwfl_module_addrname(module_, address);
    return dwfl_module_addrname(module_, address);  // a label without a size
  }

 private:
  struct Symbol {
    GElf_Addr begin;
    GElf_Xword size;
    const char* name;
  };
  struct Table {
    std::vector<Symbol> all;
    std::vector<GElf_Addr> ends;  // the furthest of all up to here

    void sort() {
      std::ranges::stable_sort(all, {}, &Symbol::begin);
      GElf_Addr end = 0;
      for (const Symbol& symbol : all)
        ends.push_back(end = std::max(end, symbol.begin + symbol.size));
    }
    // Of those that the address is in, the ones that begin last, and how many do.
    std::pair<const Symbol*, std::size_t> around(GElf_Addr address) const {
      auto at = static_cast<std::size_t>(
          std::ranges::upper_bound(all, address, {}, &Symbol::begin) - all.begin());
      const Symbol* found = nullptr;
      std::size_t count = 0;
      for (; at > 0 && ends[at - 1] > address; --at) {
        const Symbol& symbol = all[at - 1];
        if (found != nullptr && symbol.begin != found->begin) break;
        if (address - symbol.begin >= symbol.size) continue;
        found = &symbol;
        ++count;
      }
      return {found, count};
    }
  };

  Dwfl_Module* module_;
  Table local_, global_;
};

FrameName name_frame(Dwfl_Module* module, const SizedSymbols& symbols, const Frame& frame) {
  FrameName name;
  name.frame = frame;
  const GElf_Addr call =
      frame.offset - 1;  // the return address may already belong to the next line
  if (const char* symbol = symbols.name(call)) name.function = demangled(symbol);
  if (Dwfl_Line* line = dwfl_module_getsrc(module, call)) {
    int number = 0;
    if (const char* file = dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr)) {
      name.file = file;
      name.line = number > 0 ? static_cast<std::uint32_t>(number) : 0;
    }
  }
  return name;
}

std::set<Frame> unnamed_frames(const trace_io::Trace& trace) {
  std::set<Frame> frames;
  for (const auto& path : trace.call_paths) frames.insert(path.frames.begin(), path.frames.end());
  for (const auto& name : trace.frame_names) frames.erase(name.frame);
  return frames;
}

}  // namespace

std::size_t symbolise(trace_io::Trace& trace) {
  std::size_t added = 0;
  const auto frames = unnamed_frames(trace);
  for (auto first = frames.begin(); first != frames.end();) {
    const auto last = std::find_if(first, frames.end(),
                                   [&](const Frame& f) { return f.module != first->module; });
    const auto& recorded = trace.modules[first->module];
    Session session(dwfl_begin(&kCallbacks));
    if (session) {
      dwfl_report_begin(session.get());
      // loaded at 0, so that addresses are the recorded offsets
      Dwfl_Module* module =
          dwfl_report_elf(session.get(), recorded.path.c_str(), recorded.path.c_str(), -1, 0, true);
      dwfl_report_end(session.get(), nullptr, nullptr);
      if (module && is_recorded_file(module, recorded.build_id)) {
        const SizedSymbols symbols(module);
        for (auto frame = first; frame != last; ++frame) {
          auto name = name_frame(module, symbols, *frame);
          if (name.function.empty() && name.file.empty()) continue;
          trace.frame_names.push_back(std::move(name));
          ++added;
        }
      }
    }
    first = last;
  }
  std::sort(trace.frame_names.begin(), trace.frame_names.end(),
            [](const FrameName& a, const FrameName& b) { return a.frame < b.frame; });
  return added;
}

}  // namespace reprise
