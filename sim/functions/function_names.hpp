// SPDX-License-Identifier: MIT
// What functions are called: as the symbols say, as people write them, and which of them a pattern means.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::sim {

// Without what compilers and linkers append: "solve.part.0", "solve(int) [clone .cold]" are of "solve" and "solve(int)", "sqrt@@GLIBC_2.17" is "sqrt".
std::string without_clone(const std::string& symbol);
// As it is written in a program: "solve" of "void ns::solve<double>(int)" is "ns::solve"; of Fortran's "solve_" it is "solve", of
// "__grid_MOD_relax" "relax".
std::string plain_function_name(const std::string& symbol);

class FunctionNames {
 public:
  explicit FunctionNames(const trace_io::Trace&);
  // Of the function that a frame is in, without_clone(); "libsolve.so+0x1f40" where it has no name.
  std::string of(const trace_io::Frame&) const;
  bool is_known(const trace_io::Frame& frame) const { return names_.contains(frame); }

 private:
  const trace_io::Trace& trace_;
  std::map<trace_io::Frame, std::string> names_;
};

// By call path of the trace: whether a function of it matches the pattern (with * and ?), by its name, its plain name, or that without namespaces and classes. ALONE: the innermost one.
std::vector<bool> call_paths_in(const trace_io::Trace&, const std::string& pattern, bool alone);
// Whether this name does.
bool matches_function(const std::string& pattern, const std::string& name);

}  // namespace reprise::sim
