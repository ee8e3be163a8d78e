// SPDX-License-Identifier: MIT
#include "recorder/sampling/unwind_tables.hpp"

#include <dlfcn.h>

#include <limits>

#include "recorder/sampling/table_reader.hpp"

namespace reprise::recorder {
namespace {

// Encodings of addresses, all that linkers write today: 4 bytes, relative to themselves or to the table.
constexpr std::uint8_t kRelative4 = 0x1b, kTableRelative4 = 0x3b, kUnsigned4 = 0x03;

struct Module {
  std::uintptr_t begin = 0, end = 0;
  const std::uint8_t* search_table = nullptr;  // .eh_frame_hdr
};

std::optional<Module> module_of([[maybe_unused]] std::uintptr_t address) noexcept {
#if __GLIBC_PREREQ(2, 35)
  dl_find_object found;
  if (_dl_find_object(reinterpret_cast<void*>(address), &found) != 0 ||
      found.dlfo_eh_frame == nullptr)
    return std::nullopt;
  return Module{reinterpret_cast<std::uintptr_t>(found.dlfo_map_start),
                reinterpret_cast<std::uintptr_t>(found.dlfo_map_end),
                static_cast<const std::uint8_t*>(found.dlfo_eh_frame)};
#else
  return std::nullopt;
#endif
}

// Rows of (function, its entry), both as distances from the table, ascending.
struct SearchRow {
  std::int32_t function, entry;
};

const std::uint8_t* entry_before(const Module& module, std::uintptr_t address) noexcept {
  const std::uint8_t* table = module.search_table;
  if (table[0] != 1 || table[1] != kRelative4 || table[2] != kUnsigned4 ||
      table[3] != kTableRelative4)
    return nullptr;
  std::uint32_t rows = 0;
  std::memcpy(&rows, table + 8, sizeof rows);
  const auto row_at = [&](std::uint32_t i) {
    SearchRow row{};
    std::memcpy(&row, table + 12 + std::size_t{i} * sizeof row, sizeof row);
    return row;
  };
  const auto base = reinterpret_cast<std::uintptr_t>(table);
  std::uint32_t low = 0, high = rows;  // the last row whose function is not above the address
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (base + static_cast<std::uintptr_t>(std::intptr_t{row_at(middle).function}) <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low == 0 ? nullptr : table + row_at(low - 1).entry;
}

// A block that begins with its length, without that.
TableBytes block_at(const std::uint8_t* at) noexcept {
  std::uint32_t length = 0;
  std::memcpy(&length, at, sizeof length);
  if (length == 0 || length == std::numeric_limits<std::uint32_t>::max()) return {};
  return {at + sizeof length, length};
}

// What entries have in common.
bool read_common(const std::uint8_t* at, UnwindEntry& entry, std::uint8_t& encoding) noexcept {
  TableReader in(block_at(at));
  if (in.fixed<std::uint32_t>() != 0) return false;
  const auto version = in.fixed<std::uint8_t>();
  if (version != 1 && version != 3) return false;
  const auto* augmentation = reinterpret_cast<const char*>(in.position());
  while (in.is_sound() && in.fixed<char>() != '\0') {
  }
  entry.code_align = in.unsigned_number();
  entry.data_align = in.signed_number();
  const std::uint64_t column = version == 1 ? in.fixed<std::uint8_t>() : in.unsigned_number();
  if (!in.is_sound() || column != kReturnAddress || *augmentation++ != 'z') return false;
  TableReader more(in.block(in.unsigned_number()));
  for (; *augmentation != '\0'; ++augmentation) {
    if (*augmentation == 'R') {
      encoding = more.fixed<std::uint8_t>();
    } else if (*augmentation == 'L') {
      more.fixed<std::uint8_t>();
    } else if (*augmentation == 'P') {
      const auto form = static_cast<std::uint8_t>(more.fixed<std::uint8_t>() & 0x0fU);
      more.block(form == 0x00 || form == 0x04 || form == 0x0c ? 8
                 : form == 0x02 || form == 0x0a               ? 2
                                                              : 4);
    } else if (*augmentation == 'S') {
      entry.is_signal_frame = true;
    } else {
      return false;
    }
  }
  if (!in.is_sound() || !more.is_sound()) return false;
  entry.initial = {in.position(), static_cast<std::size_t>(block_at(at).data() +
                                                           block_at(at).size() - in.position())};
  return true;
}

// Call frame instructions, carried out up to an address.
class Instructions {
 public:
  Instructions(const UnwindEntry& entry, std::uintptr_t address, FrameRules& rules)
      : entry_(entry), address_(address), rules_(rules) {}

  bool run() {
    if (!run(entry_.initial)) return false;
    initial_ = rules_;
    has_initial_ = true;
    return run(entry_.instructions);
  }

 private:
  static constexpr std::size_t kRemembered = 3;

  bool run(TableBytes bytes) {
    TableReader in(bytes);
    while (!in.is_at_end() && in.is_sound() && location() <= address_)
      if (!step(in)) return false;
    return in.is_sound();
  }

  std::uintptr_t location() const { return entry_.begin + advanced_; }
  void advance(std::uint64_t by) { advanced_ += by * entry_.code_align; }
  std::int32_t scaled(std::int64_t number) const {
    return static_cast<std::int32_t>(number * entry_.data_align);
  }
  void set(std::uint64_t number, RegisterRule rule) {
    if (number < kDwarfRegisters) rules_.registers[number] = rule;
  }
  void restore(std::uint64_t number) {
    if (number < kDwarfRegisters)
      rules_.registers[number] = has_initial_ ? initial_.registers[number] : RegisterRule{};
  }
  void cfa(std::uint64_t number, std::int64_t offset) {
    rules_.cfa_register = static_cast<std::uint32_t>(number);
    rules_.cfa_offset = static_cast<std::int32_t>(offset);
    rules_.cfa_expression = {};
  }

  bool step(TableReader& in) {
    using Kind = RegisterRule::Kind;
    const auto code = in.fixed<std::uint8_t>();
    const std::uint8_t low = code & 0x3fU;
    switch (code >> 6U) {
      case 1:
        advance(low);
        return true;
      case 2:
        set(low, {Kind::at_offset, scaled(static_cast<std::int64_t>(in.unsigned_number()))});
        return true;
      case 3:
        restore(low);
        return true;
      default:
        break;
    }
    switch (code) {
      case 0x00:  // nop
        return true;
      case 0x02:
        advance(in.fixed<std::uint8_t>());
        return true;
      case 0x03:
        advance(in.fixed<std::uint16_t>());
        return true;
      case 0x04:
        advance(in.fixed<std::uint32_t>());
        return true;
      case 0x06:
        restore(in.unsigned_number());
        return true;
      case 0x0a:  // remember all rules
        if (remembered_ == kRemembered) return false;
        saved_[remembered_++] = rules_;
        return true;
      case 0x0b:
        if (remembered_ == 0) return false;
        rules_ = saved_[--remembered_];
        return true;
      case 0x0c: {
        const std::uint64_t number = in.unsigned_number();
        cfa(number, static_cast<std::int64_t>(in.unsigned_number()));
        return true;
      }
      case 0x0d:
        cfa(in.unsigned_number(), rules_.cfa_offset);
        return true;
      case 0x0e:
        cfa(rules_.cfa_register, static_cast<std::int64_t>(in.unsigned_number()));
        return true;
      case 0x0f:
        rules_.cfa_expression = in.block(in.unsigned_number());
        return true;
      case 0x12: {
        const std::uint64_t number = in.unsigned_number();
        cfa(number, scaled(in.signed_number()));
        return true;
      }
      case 0x13:
        cfa(rules_.cfa_register, scaled(in.signed_number()));
        return true;
      case 0x2e:  // size of arguments
        in.unsigned_number();
        return true;
      default:
        return step_register(code, in);
    }
  }

  bool step_register(std::uint8_t code, TableReader& in) {
    using Kind = RegisterRule::Kind;
    const std::uint64_t number = in.unsigned_number();
    const auto unsigned_offset = [&] {
      return scaled(static_cast<std::int64_t>(in.unsigned_number()));
    };
    switch (code) {
      case 0x05:
        set(number, {Kind::at_offset, unsigned_offset()});
        return true;
      case 0x07:
        set(number, {Kind::undefined});
        return true;
      case 0x08:
        set(number, {Kind::same});
        return true;
      case 0x09:
        set(number, {Kind::in_register, static_cast<std::int32_t>(in.unsigned_number())});
        return true;
      case 0x11:
        set(number, {Kind::at_offset, scaled(in.signed_number())});
        return true;
      case 0x14:
        set(number, {Kind::is_offset, unsigned_offset()});
        return true;
      case 0x15:
        set(number, {Kind::is_offset, scaled(in.signed_number())});
        return true;
      case 0x10:
      case 0x16: {
        const TableBytes expression = in.block(in.unsigned_number());
        set(number, {code == 0x10 ? Kind::at_expression : Kind::is_expression,
                     static_cast<std::int32_t>(expression.size()), expression.data()});
        return true;
      }
      default:
        return false;
    }
  }

  const UnwindEntry& entry_;
  const std::uintptr_t address_;
  FrameRules& rules_;
  FrameRules initial_;
  bool has_initial_ = false;
  std::uintptr_t advanced_ = 0;
  std::size_t remembered_ = 0;
  std::array<FrameRules, kRemembered> saved_;
};

}  // namespace

std::optional<UnwindEntry> find_unwind_entry(std::uintptr_t address) noexcept {
  const auto module = module_of(address);
  if (!module) return std::nullopt;
  const std::uint8_t* at = entry_before(*module, address);
  if (at == nullptr) return std::nullopt;
  const TableBytes block = block_at(at);
  TableReader in(block);
  const std::uint8_t* from = in.position();
  const auto back = in.fixed<std::uint32_t>();
  if (!in.is_sound() || back == 0) return std::nullopt;
  UnwindEntry entry;
  std::uint8_t encoding = 0;
  if (!read_common(from - back, entry, encoding) || encoding != kRelative4) return std::nullopt;
  from = in.position();
  entry.begin = reinterpret_cast<std::uintptr_t>(from) +
                static_cast<std::uintptr_t>(std::intptr_t{in.fixed<std::int32_t>()});
  entry.end = entry.begin + in.fixed<std::uint32_t>();
  in.block(in.unsigned_number());
  if (!in.is_sound() || address < entry.begin || address >= entry.end) return std::nullopt;
  entry.instructions = {in.position(),
                        static_cast<std::size_t>(block.data() + block.size() - in.position())};
  entry.module_begin = module->begin;
  entry.module_end = module->end;
  return entry;
}

bool rules_at(const UnwindEntry& entry, std::uintptr_t address, FrameRules& rules) noexcept {
  rules = {};
  return Instructions(entry, address, rules).run();
}

}  // namespace reprise::recorder
