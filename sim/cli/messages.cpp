// SPDX-License-Identifier: MIT
#include "sim/cli/messages.hpp"

#include <cstdio>

#include "sim/text/printable.hpp"

namespace reprise::cli {
namespace {

Messages chosen = Messages::usual;

void say(const std::string& text) {
  std::fprintf(stderr, "reprise: %s\n", printable(text).c_str());
}

}  // namespace

void set_messages(Messages messages) { chosen = messages; }
Messages messages() { return chosen; }

void note(const std::string& text) {
  if (chosen != Messages::quiet) say(text);
}

void detail(const std::string& text) {
  if (chosen == Messages::verbose) say(text);
}

ProgressLine::Place progress_place() { return reprise::progress_place(chosen == Messages::quiet); }

}  // namespace reprise::cli
