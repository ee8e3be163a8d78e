// SPDX-License-Identifier: MIT
// Command-line options of a verb, on Boost.Program_options, with its errors in our words and a suggestion for misspelt ones.
#pragma once

#include <boost/program_options.hpp>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/verb.hpp"
#include "sim/engine/replay.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::cli {

// What a verb accepts.
struct Syntax {
  std::string verb;                                     // "replay"
  std::string usage;                                    // "reprise replay FILE [OPTIONS]"
  std::string explanation;                              // a paragraph
  boost::program_options::options_description options;  // without --help, which every verb has
  std::vector<std::string> positionals;  // names, in order; the last may be "NAME...": one or more
  bool works_long = false;               // has --verbose
};

// What the table of all options is asked for with, of the command or of a verb; not documented for users.
inline constexpr std::string_view kPrintOptions = "--print-options";

// Parses; where --help or --print-options was given prints the help or the rows of the table on stdout and returns nothing. Every verb has
// --help and --quiet as well; how much is printed (messages.hpp) is set here. Throws InputError: unknown options (with the
// nearest known one), missing or needless values, options given twice, extra positionals.
std::optional<boost::program_options::variables_map> parse(const Syntax&, const Arguments&);

// What `reprise VERB --help` prints: usage, explanation, a row for each option.
std::string help_text(const Syntax&);
// The verb's rows in the table of which completions are made, columns by tabs:
//   option    VERB  --LONG  -S, or -  VALUE, or -  explanation        "option	replay	--output	-o	FILE	where to; - is stdout"
//   operand   VERB  NAME
//   files     VERB  --LONG, or NAME of an operand  endings (file_endings.hpp)
std::string option_rows(const Syntax&);

// The positional of this name. Throws InputError where it has been left out or is empty.
std::string required(const boost::program_options::variables_map&, const std::string& verb,
                     const std::string& name);

// Those of a positional that may be several, "FILE...". Throws InputError where there is none or one is empty.
std::vector<std::string> required_list(const boost::program_options::variables_map&,
                                       const std::string& verb, const std::string& name);

// The value of an option that is one of a few words. Throws InputError naming the option.
std::string choice(const boost::program_options::variables_map&, const std::string& option,
                   const std::vector<std::string>& allowed);
// The value of an option that is a whole number. Throws InputError naming the option.
std::uint64_t whole_number(const boost::program_options::variables_map&, const std::string& option,
                           std::uint64_t least, std::uint64_t most);
// The value of an option that is a factor, "0.5x". Throws InputError naming the option.
double factor(const boost::program_options::variables_map&, const std::string& option,
              LeastFactor least = LeastFactor::above_zero);
// The value of an option that is a percentage, "5%", as a part: 0.05. Throws InputError naming the option.
double percentage(const boost::program_options::variables_map&, const std::string& option);
// The value of an option that is a rate above zero, "80 GB/s". Throws InputError naming the option.
BytesPerSecond rate(const boost::program_options::variables_map&, const std::string& option);
// --deltas: how it is declared, and its value. Throws InputError.
boost::program_options::typed_value<std::string>* deltas_value();
sim::Deltas deltas(const boost::program_options::variables_map&);
// The value of --flops-per-second, a number above 0. Throws InputError.
double flops_per_second(const boost::program_options::variables_map&);

}  // namespace reprise::cli
