// SPDX-License-Identifier: MIT
#include "trace-io/calls/call_tables.hpp"

#include <cstring>

#include "trace-io/base/error.hpp"

namespace reprise::trace_io {
namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& problem) {
  throw InputError(where, problem, "the file is damaged or from another version: record again");
}

// Numbers and texts one after another.
class Fields {
 public:
  Fields(const std::vector<std::byte>& bytes, const std::string& where)
      : bytes_(bytes), where_(where) {}

  template <class Number>
  Number number() {
    Number value{};
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  std::string text() {
    const auto length = number<std::uint32_t>();
    const std::byte* from = take(length);
    return {reinterpret_cast<const char*>(from), length};
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  const std::byte* take(std::size_t count) {
    if (bytes_.size() - at_ < count) refuse(where_, "a table ends in the middle of an entry");
    const std::byte* from = bytes_.data() + at_;
    at_ += count;
    return from;
  }
  const std::vector<std::byte>& bytes_;
  const std::string& where_;
  std::size_t at_ = 0;
};

template <class Entry>
std::uint32_t index_of(const Entry& entry, std::vector<Entry>& all,
                       std::map<Entry, std::uint32_t>& index) {
  const auto [at, is_new] = index.emplace(entry, static_cast<std::uint32_t>(all.size()));
  if (is_new) all.push_back(entry);
  return at->second;
}

template <class Number>
void append(std::vector<std::byte>& to, Number value) {
  const auto* from = reinterpret_cast<const std::byte*>(&value);
  to.insert(to.end(), from, from + sizeof value);
}

void append(std::vector<std::byte>& to, const std::string& text) {
  append(to, static_cast<std::uint32_t>(text.size()));
  const auto* from = reinterpret_cast<const std::byte*>(text.data());
  to.insert(to.end(), from, from + text.size());
}

}  // namespace

void CallTables::add_modules(const CallBlockHead& head, const std::vector<std::byte>& payload,
                             const std::string& where) {
  Fields fields(payload, where);
  auto& own = modules_[head.rank];
  for (std::uint32_t i = 0; i < head.count; ++i) {
    CallModule module;
    module.path = fields.text();
    module.build_id = fields.text();
    own.push_back(index_of(module, file_.modules, module_index_));
  }
  if (!fields.at_end()) refuse(where, "a table of modules is longer than stated");
}

void CallTables::add_functions(const CallBlockHead& head, const std::vector<std::byte>& payload,
                               const std::string& where) {
  Fields fields(payload, where);
  const auto& modules = modules_[head.rank];
  for (std::uint32_t i = 0; i < head.count; ++i) {
    CallFunction function;
    function.module = fields.number<std::uint32_t>();
    function.offset = fields.number<std::uint64_t>();
    function.name = fields.text();
    if (function.module != CallFunction::kNoModule) {
      if (function.module >= modules.size())
        refuse(where, "a function is in module " + std::to_string(function.module) + " of " +
                          std::to_string(modules.size()));
      function.module = modules[function.module];
    }
    const auto index = index_of(function, file_.functions, function_index_);
    if (head.rank == kAllRanks) continue;
    auto& own = file_.numbers[head.rank];
    if (own.size() >= kMostFunctions) refuse(where, "a rank has more than 65534 functions");
    own.push_back(index);
  }
  if (!fields.at_end()) refuse(where, "a table of functions is longer than stated");
}

void CallTables::add_numbers(const CallBlockHead& head, const std::vector<std::byte>& payload,
                             const std::string& where) {
  Fields fields(payload, where);
  auto& own = file_.numbers[head.rank];
  if (head.count > kMostFunctions || !own.empty())
    refuse(where, "a rank has more than one table of functions, or too large a one");
  for (std::uint32_t i = 0; i < head.count; ++i) {
    const auto index = fields.number<std::uint32_t>();
    if (index >= file_.functions.size())
      refuse(where, "a rank has function " + std::to_string(index) + " of " +
                        std::to_string(file_.functions.size()));
    own.push_back(index);
  }
  if (!fields.at_end()) refuse(where, "a table of numbers is longer than stated");
}

void CallTables::add(const CallBlockHead& head, const std::vector<std::byte>& payload,
                     const std::string& where) {
  switch (head.kind) {
    case CallBlockKind::modules:
      return add_modules(head, payload, where);
    case CallBlockKind::functions:
      return add_functions(head, payload, where);
    case CallBlockKind::numbers:
      return add_numbers(head, payload, where);
    case CallBlockKind::loss:
      file_.losses.push_back(
          {head.rank, std::string(reinterpret_cast<const char*>(payload.data()), payload.size()),
           head.count});
      return;
    case CallBlockKind::events:
      break;
  }
  refuse(where, "a block has an unknown type");
}

std::vector<std::byte> module_bytes(const CallModule& module) {
  std::vector<std::byte> bytes;
  append(bytes, module.path);
  append(bytes, module.build_id);
  return bytes;
}

std::vector<std::byte> function_bytes(const CallFunction& function) {
  std::vector<std::byte> bytes;
  append(bytes, function.module);
  append(bytes, function.offset);
  append(bytes, function.name);
  return bytes;
}

}  // namespace reprise::trace_io
