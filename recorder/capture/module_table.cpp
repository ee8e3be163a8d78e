// SPDX-License-Identifier: MIT
#include "recorder/capture/module_table.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <string_view>

#include "recorder/capture/settings.hpp"

namespace reprise::recorder {
namespace {

constexpr char kMadeAtRunTime[] = "[made at run time]";

std::string hexadecimal(const unsigned char* bytes, std::size_t size) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

// The GNU build-id among the notes of a segment, empty where there is none.
std::string build_id_in(const unsigned char* notes, std::size_t size) {
  const auto padded = [](std::size_t length) { return (length + 3) & ~std::size_t{3}; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof note);
    const std::size_t length = sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
    if (length > size) break;
    const unsigned char* name = notes + sizeof note;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
      return hexadecimal(name + padded(note.n_namesz), note.n_descsz);
    notes += length;
    size -= length;
  }
  return "";
}

bool passes_calls_on(std::string_view path) {
  constexpr std::array<std::string_view, 5> kBindings = {
      "libmpichfort.", "libmpichcxx.", "libmpifort.", "libmpi_cxx.", "libmpicxx."};
  path.remove_prefix(path.rfind('/') + 1);
  return std::any_of(kBindings.begin(), kBindings.end(),
                     [&](auto name) { return path.starts_with(name); });
}

struct File {
  std::string path, build_id;
  std::uintptr_t load_address = 0;
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> segments;
};
struct Reading {
  std::vector<File> files;
  std::uint64_t loaded = 0, unloaded = 0;
  bool is_whole = true;  // else there was no memory for all of them
};

void add_file(const dl_phdr_info* info, Reading& reading) {
  File file;
  file.path = info->dlpi_name;
  if (file.path.empty())
    file.path = program_path();  // the executable comes first and without a name
  file.load_address = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD) file.segments.emplace_back(begin, begin + header.p_memsz);
    if (header.p_type == PT_NOTE && file.build_id.empty())
      file.build_id = build_id_in(reinterpret_cast<const unsigned char*>(begin), header.p_memsz);
  }
  reading.files.push_back(std::move(file));
}

// An exception must not leave it: the dynamic linker, which calls it, is C and holds a lock.
int note_file(dl_phdr_info* info, std::size_t, void* reading_pointer) noexcept {
  auto& reading = *static_cast<Reading*>(reading_pointer);
  reading.loaded = info->dlpi_adds;
  reading.unloaded = info->dlpi_subs;
  try {
    add_file(info, reading);
  } catch (...) {
    reading.is_whole = false;
    return 1;
  }
  return 0;
}

int note_counters(dl_phdr_info* info, std::size_t, void* reading_pointer) {
  auto& reading = *static_cast<Reading*>(reading_pointer);
  reading.loaded = info->dlpi_adds;
  reading.unloaded = info->dlpi_subs;
  return 1;  // the first file is enough
}

}  // namespace

std::uint32_t ModuleTable::index_of(const std::string& path, const std::string& build_id) {
  for (std::uint32_t i = 0; i < modules_.size(); ++i)
    if (modules_[i].path == path && modules_[i].build_id == build_id) return i;
  modules_.push_back({path, build_id});
  is_binding_.push_back(passes_calls_on(path));
  return static_cast<std::uint32_t>(modules_.size() - 1);
}

void ModuleTable::read_loaded_files() {
  Reading reading;
  dl_iterate_phdr(note_file, &reading);
  if (!reading.is_whole) throw std::bad_alloc();
  segments_.clear();
  latest_ = 0;
  for (const File& file : reading.files) {
    const std::uint32_t module = index_of(file.path, file.build_id);
    const std::string_view path = file.path;
    if (path.substr(path.rfind('/') + 1).starts_with("libc.so")) c_library_ = module;
    for (const auto& [begin, end] : file.segments)
      segments_.push_back({begin, end, file.load_address, module});
  }
  std::sort(segments_.begin(), segments_.end(),
            [](const Segment& a, const Segment& b) { return a.begin < b.begin; });
  loaded_ = reading.loaded;
  unloaded_ = reading.unloaded;
}

bool ModuleTable::look_again() {
  Reading now;
  dl_iterate_phdr(note_counters, &now);
  const bool all_stayed = now.unloaded == unloaded_;
  if (segments_.empty() || now.loaded != loaded_ || !all_stayed) read_loaded_files();
  return all_stayed;
}

const ModuleTable::Segment* ModuleTable::segment_of(std::uintptr_t address) {
  if (latest_ < segments_.size())
    if (const Segment& segment = segments_[latest_];
        segment.begin <= address && address < segment.end)
      return &segment;
  const auto after =
      std::upper_bound(segments_.begin(), segments_.end(), address,
                       [](std::uintptr_t a, const Segment& segment) { return a < segment.begin; });
  if (after == segments_.begin() || address >= (after - 1)->end) return nullptr;
  latest_ = static_cast<std::size_t>(after - segments_.begin()) - 1;
  return &segments_[latest_];
}

ModuleTable::Place ModuleTable::find(std::uintptr_t address) {
  if (const Segment* segment = segment_of(address))
    return {segment->module, address - segment->load_address};
  return {index_of(kMadeAtRunTime, ""), 0};
}

}  // namespace reprise::recorder
