// SPDX-License-Identifier: MIT
// Other tools' traces as traces of ours.
//
// Which format a file has is found in its first bytes; formats.def lists those that are known, each in a folder of its own. The
// trace is folded while it is read, rank by rank, and merged: memory does not grow with its length. What a format does not say
// is in the trace's losses, with its count.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trace-io/import/ranks/import_format.hpp"

namespace reprise::trace_io {

std::span<const ImportFormat* const> import_formats();

// The files that are meant: in place of a folder with one OTF2 archive, its anchor file (*.otf2), as exports and Score-P name folders.
// Throws InputError: a folder with none or several of them.
std::vector<std::string> files_meant(std::vector<std::string> files);

// The format of that word, or the one that recognises the first file where the word is "auto". Throws InputError: a file that is
// of no known format, several files where the format has one.
const ImportFormat& format_of(const std::string& word, const std::vector<std::string>& files);

}  // namespace reprise::trace_io
