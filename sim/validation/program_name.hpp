// SPDX-License-Identifier: MIT
// Whether two sources name the same program.
//
// Why      a trace has the file that ran, links resolved (/usr/bin/nwchem.openmpi); mpiP has the word that started it (nwchem).
// How      a word with a folder is that file; one without is looked for in the folder of the other, then on PATH, as a shell does. Both are one program
//          where their links lead to one file. On a machine without the program only the names themselves can be compared.
// Cost     a look-up in the file system for each folder on PATH.
#pragma once

#include <string>

namespace reprise::sim::validation {

std::string base_name(const std::string& path);

// The paths or words of two commands, without arguments.
bool are_one_program(const std::string& first, const std::string& second);

}  // namespace reprise::sim::validation
