// SPDX-License-Identifier: MIT
#include "sim/functions/function_names.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string_view>

namespace reprise::sim {
namespace {

// Without template arguments and parameters, and without what a template returns.
std::string without_arguments(const std::string& name) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  std::string plain;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (depth == 0 && name.compare(i, kAnonymous.size(), kAnonymous) == 0) {
      plain += kAnonymous;
      i += kAnonymous.size() - 1;
      continue;
    }
    const bool is_plain = depth == 0 && plain.ends_with("operator");  // operator<, operator()
    if (c == '(' && depth == 0 && !is_plain) break;
    if (c == '<' && !is_plain)
      ++depth;
    else if (c == '>' && depth > 0)
      --depth;
    else if (depth == 0)
      plain += c;
  }
  if (plain.find("operator") != std::string::npos || plain.find('(') != std::string::npos)
    return plain;
  return plain.substr(plain.rfind(' ') + 1);
}

// gfortran's module procedures and its external ones.
std::string without_fortran_mark(const std::string& name) {
  constexpr std::string_view kModule = "_MOD_";
  if (const auto at = name.find(kModule); name.starts_with("__") && at != std::string::npos)
    return name.substr(at + kModule.size());
  if (name.size() > 1 && name.ends_with('_') && name.find(':') == std::string::npos)
    return name.substr(0, name.find_last_not_of('_') + 1);
  return name;
}

}  // namespace

std::string without_clone(const std::string& symbol) {
  std::string name = symbol.substr(0, symbol.find(" [clone "));
  if (const auto version = name.find('@'); version > 0) name.erase(std::min(version, name.size()));
  for (const char* mark : {".cold", ".part.", ".isra.", ".constprop.", ".lto_priv."})
    if (const auto at = name.find(mark); at != std::string::npos && at > 0) name.erase(at);
  return name;
}

std::string plain_function_name(const std::string& symbol) {
  return without_fortran_mark(without_arguments(without_clone(symbol)));
}

FunctionNames::FunctionNames(const trace_io::Trace& trace) : trace_(trace) {
  for (const auto& name : trace.frame_names)
    if (!name.function.empty()) names_.emplace(name.frame, without_clone(name.function));
}

std::string FunctionNames::of(const trace_io::Frame& frame) const {
  if (const auto found = names_.find(frame); found != names_.end()) return found->second;
  if (frame.module >= trace_.modules.size()) return "unknown";
  const std::string& path = trace_.modules[frame.module].path;
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%llx", static_cast<unsigned long long>(frame.offset));
  return path.substr(path.rfind('/') + 1) + offset;
}

bool matches_function(const std::string& pattern, const std::string& name) {
  const auto is_match = [&](const std::string& text) {
    return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
  };
  if (is_match(name)) return true;
  const std::string plain = plain_function_name(name);
  const auto scope = plain.rfind("::");
  return is_match(plain) || (scope != std::string::npos && is_match(plain.substr(scope + 2)));
}

std::vector<bool> call_paths_in(const trace_io::Trace& trace, const std::string& pattern,
                                bool alone) {
  const FunctionNames names(trace);
  std::map<trace_io::Frame, bool> known;
  const auto is_match = [&](const trace_io::Frame& frame) {
    const auto [found, is_new] = known.try_emplace(frame, false);
    if (is_new) found->second = matches_function(pattern, names.of(frame));
    return found->second;
  };
  std::vector<bool> paths;
  for (const auto& path : trace.call_paths)
    paths.push_back(!path.frames.empty() && (alone ? is_match(path.frames.front())
                                                   : std::ranges::any_of(path.frames, is_match)));
  return paths;
}

}  // namespace reprise::sim
