// SPDX-License-Identifier: MIT
#include "sim/cli/options.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "sim/cli/help.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::cli {
namespace po = boost::program_options;
namespace {

using po::invalid_command_line_syntax;

// The one option that begins like this, else the nearest.
std::optional<std::string> suggestion(const std::string& option,
                                      const std::vector<std::string>& known) {
  const auto begins = [&](const std::string& name) { return name.starts_with(option); };
  if (option.starts_with("--") && std::count_if(known.begin(), known.end(), begins) == 1)
    return *std::find_if(known.begin(), known.end(), begins);
  return nearest_word(option, known);
}

[[noreturn]] void reject_option(const Syntax& syntax, const std::string& given) {
  const std::string option = given.substr(0, given.find('='));
  std::vector<std::string> known;
  for (const auto& description : syntax.options.options())
    known.push_back("--" + description->long_name());
  const auto meant = suggestion(option, known);
  throw InputError("reprise " + syntax.verb, "no option \"" + option + "\"",
                   meant ? "did you mean \"" + *meant + "\"?"
                         : "`reprise " + syntax.verb + " --help` lists them");
}

std::string spelt(const std::string& option) {
  return option.starts_with("-") ? option : "--" + option;
}

po::variables_map stored(const Syntax& syntax, const Arguments& arguments) {
  po::options_description all;
  all.add(syntax.options);
  po::positional_options_description positions;
  for (const auto& name : syntax.positionals) {
    all.add_options()(name.c_str(), po::value<std::string>());
    positions.add(name.c_str(), 1);
  }
  using namespace po::command_line_style;
  po::variables_map values;
  po::store(po::command_line_parser(arguments)
                .options(all)
                .positional(positions)
                .style(unix_style & ~allow_guessing)
                .run(),
            values);
  po::notify(values);
  return values;
}

}  // namespace

std::optional<po::variables_map> parse(const Syntax& given, const Arguments& arguments) {
  Syntax syntax = given;
  syntax.options.add_options()("help,h", "this text");
  const std::string where = "reprise " + syntax.verb;
  try {
    auto values = stored(syntax, arguments);
    if (!values.count("help")) return values;
    std::fputs(help_text(syntax).c_str(), stdout);
    return std::nullopt;
  } catch (const po::unknown_option& error) {
    reject_option(syntax, error.get_option_name());
  } catch (const po::too_many_positional_options_error&) {
    throw InputError(where, "too many arguments", "usage: " + syntax.usage);
  } catch (const po::multiple_occurrences& error) {
    throw InputError(where, spelt(error.get_option_name()) + " is given more than once",
                     "give it once");
  } catch (const invalid_command_line_syntax& error) {
    const bool needless = error.kind() == invalid_command_line_syntax::extra_parameter;
    throw InputError(
        where, spelt(error.get_option_name()) + (needless ? " takes no value" : " needs a value"),
        "`" + where + " --help` shows the usage");
  } catch (const po::error& error) {
    throw InputError(where, error.what(), "usage: " + syntax.usage);
  }
}

std::string required(const po::variables_map& values, const std::string& verb,
                     const std::string& name) {
  if (!values.count(name) || values[name].as<std::string>().empty())
    throw InputError("reprise " + verb, name + " is missing",
                     "`reprise " + verb + " --help` shows the usage");
  return values[name].as<std::string>();
}

std::string choice(const po::variables_map& values, const std::string& option,
                   const std::vector<std::string>& allowed) {
  const auto value = values[option].as<std::string>();
  std::string list;
  for (const std::string& candidate : allowed) {
    if (value == candidate) return value;
    list += (list.empty() ? "" : ", ") + candidate;
  }
  const auto nearest = nearest_word(value, allowed);
  throw InputError("--" + option, "\"" + value + "\" is none of " + list,
                   nearest ? "did you mean \"" + *nearest + "\"?" : "");
}

std::uint64_t whole_number(const po::variables_map& values, const std::string& option,
                           std::uint64_t least, std::uint64_t most) {
  const auto number = parse_count(values[option].as<std::string>(), "--" + option);
  if (number < least || number > most)
    throw InputError("--" + option,
                     std::to_string(number) + " is not between " + std::to_string(least) + " and " +
                         std::to_string(most),
                     "");
  return number;
}

double factor(const po::variables_map& values, const std::string& option) {
  auto text = values[option].as<std::string>();
  // a bare number is as clear here
  if (!text.empty() && text.find_first_not_of("0123456789.") == std::string::npos) text += 'x';
  return parse_factor(text, "--" + option);
}

double percentage(const po::variables_map& values, const std::string& option) {
  const auto& text = values[option].as<std::string>();
  try {
    std::size_t used = 0;
    const double number = std::stod(text, &used);
    if (number >= 0 && number < 1e6 && text.substr(used) == "%") return number / 100;
  } catch (const std::exception&) {
    // std::stod's way of saying what is said below
  }
  throw InputError("--" + option, "\"" + text + "\" is no percentage", "write it such as 5%");
}

double flops_per_second(const po::variables_map& values) {
  const auto text = values["flops-per-second"].as<std::string>();
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !(value > 0) || value > 1e18)
    throw InputError("--flops-per-second",
                     "\"" + text + "\" is not a number above 0 and up to 1e18",
                     "write a number such as 1e9");
  return value;
}

}  // namespace reprise::cli
