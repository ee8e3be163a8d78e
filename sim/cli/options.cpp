// SPDX-License-Identifier: MIT
#include "sim/cli/options.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "sim/cli/file_endings.hpp"
#include "sim/cli/messages.hpp"
#include "sim/experiment/experiment.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::cli {
namespace po = boost::program_options;
namespace {

using po::invalid_command_line_syntax;

constexpr std::size_t kLineWidth = 100, kTextColumn = 34;

// Characters, not bytes: continuation bytes of UTF-8 take no column.
std::size_t text_columns(const std::string& text) {
  std::size_t count = 0;
  for (const char byte : text) count += (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
  return count;
}

std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string lines, line;
  for (std::string word; words >> word;) {
    if (!line.empty() && kTextColumn + text_columns(line) + 1 + text_columns(word) > kLineWidth) {
      lines += line + "\n" + std::string(kTextColumn, ' ');
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return lines + line;
}

std::string row(const boost::program_options::option_description& option) {
  using namespace boost::program_options::command_line_style;
  const std::string brief = option.canonical_display_name(allow_dash_for_short);
  std::string left =
      (brief.size() == 2 && brief.front() == '-' ? "  " + brief + ", --" : "      --") +
      option.long_name();
  std::string text = option.description();
  if (option.semantic()->max_tokens() > 0) {
    const std::string value = option.format_parameter();  // "NAME" or "NAME (=default)"
    const auto at = value.find(" (=");
    left += " " + value.substr(0, at);
    if (at != std::string::npos) text += " (default " + value.substr(at + 3);
  }
  if (text_columns(left) + 2 > kTextColumn)
    left += "\n" + std::string(kTextColumn, ' ');
  else
    left += std::string(kTextColumn - text_columns(left), ' ');
  return left + wrapped(text) + "\n";
}

// The one option that begins like this, else the nearest.
std::optional<std::string> suggestion(const std::string& option,
                                      const std::vector<std::string>& known) {
  const auto begins = [&](const std::string& name) { return name.starts_with(option); };
  if (option.starts_with("--") && std::count_if(known.begin(), known.end(), begins) == 1)
    return *std::find_if(known.begin(), known.end(), begins);
  // The dashes, which all have in common, say nothing of how near two are.
  std::vector<std::string> names;
  for (const std::string& name : known) names.push_back(name.substr(2));
  const auto nearest = nearest_word(option.starts_with("--") ? option.substr(2) : option, names);
  return nearest ? std::optional("--" + *nearest) : std::nullopt;
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
    const bool many = name.ends_with("...");
    if (many)
      all.add_options()(name.c_str(), po::value<std::vector<std::string>>());
    else
      all.add_options()(name.c_str(), po::value<std::string>());
    positions.add(name.c_str(), many ? -1 : 1);
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

// The first argument that is neither an option nor its value and has no place left.
std::string first_too_many(const Syntax& syntax, const Arguments& arguments) {
  using namespace po::command_line_style;
  std::size_t places = syntax.positionals.size();
  const auto parsed = po::command_line_parser(arguments)
                          .options(syntax.options)
                          .style(unix_style & ~allow_guessing)
                          .run();
  for (const auto& option : parsed.options)
    if (option.position_key >= 0 && places-- == 0) return option.value.front();
  return "";
}

// Of the files that this option or operand takes, where they are of some kind.
std::string files_row(const Syntax& syntax, const std::string& name, const std::string& value) {
  const std::string endings(file_endings(syntax.verb, name, value));
  return endings.empty() ? "" : "files\t" + syntax.verb + "\t" + name + "\t" + endings + "\n";
}

}  // namespace

std::string option_rows(const Syntax& syntax) {
  using namespace boost::program_options::command_line_style;
  std::string rows;
  for (const auto& option : syntax.options.options()) {
    const std::string brief = option->canonical_display_name(allow_dash_for_short);
    std::string value = option->semantic()->max_tokens() > 0 ? option->format_parameter() : "";
    value = value.substr(0, value.find(" (="));
    rows += files_row(syntax, "--" + option->long_name(), value);
    rows += "option\t" + syntax.verb + "\t--" + option->long_name() + "\t" +
            (brief.size() == 2 && brief.front() == '-' ? brief : "-") + "\t" +
            (value.empty() ? "-" : value) + "\t" + option->description() + "\n";
  }
  for (const auto& name : syntax.positionals)
    rows += files_row(syntax, name, "") + "operand\t" + syntax.verb + "\t" + name + "\n";
  return rows;
}

std::string help_text(const Syntax& syntax) {
  std::string text = "usage: " + syntax.usage + "\n\n" + syntax.explanation + "\n\noptions:\n";
  for (const auto& option : syntax.options.options()) text += row(*option);
  return text;
}

std::optional<po::variables_map> parse(const Syntax& given, const Arguments& arguments) {
  Syntax syntax = given;
  if (syntax.works_long)
    syntax.options.add_options()("verbose,v", "report each step and its duration on stderr");
  syntax.options.add_options()(
      "quiet,q",
      "print only errors and warnings on stderr, no notes and no progress; stdout, an answer with "
      "its notes, stays the same")("help,h", "this text");
  if (arguments.size() == 1 && arguments.front() == kPrintOptions) {
    std::fputs(option_rows(syntax).c_str(), stdout);
    return std::nullopt;
  }
  const std::string where = "reprise " + syntax.verb;
  try {
    auto values = stored(syntax, arguments);
    set_messages(values.count("quiet") > 0     ? Messages::quiet
                 : values.count("verbose") > 0 ? Messages::verbose
                                               : Messages::usual);
    if (!values.count("help")) return values;
    std::fputs(help_text(syntax).c_str(), stdout);
    return std::nullopt;
  } catch (const po::unknown_option& error) {
    reject_option(syntax, error.get_option_name());
  } catch (const po::too_many_positional_options_error&) {
    throw InputError(where,
                     "too many arguments, \"" + first_too_many(syntax, arguments) + "\" is one",
                     "usage: " + syntax.usage);
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

std::vector<std::string> required_list(const po::variables_map& values, const std::string& verb,
                                       const std::string& name) {
  std::vector<std::string> list;
  if (values.count(name)) list = values[name].as<std::vector<std::string>>();
  if (list.empty() || std::find(list.begin(), list.end(), "") != list.end())
    throw InputError("reprise " + verb, name + " is missing",
                     "`reprise " + verb + " --help` shows the usage");
  return list;
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

double factor(const po::variables_map& values, const std::string& option, LeastFactor least) {
  return parse_factor(values[option].as<std::string>(), "--" + option, least);
}

double percentage(const po::variables_map& values, const std::string& option) {
  const auto& text = values[option].as<std::string>();
  if (text == "0") return 0;
  try {
    std::size_t used = 0;
    const double number = std::stod(text, &used);
    if (number >= 0 && number < 1e6 && text.substr(used) == "%") return number / 100;
  } catch (const std::exception&) {
    // std::stod's way of saying what is said below
  }
  throw InputError("--" + option, "\"" + text + "\" is not a percentage", "write it such as 5%");
}

BytesPerSecond rate(const po::variables_map& values, const std::string& option) {
  const auto& text = values[option].as<std::string>();
  const BytesPerSecond rate = parse_bytes_per_second(text, "--" + option);
  if (rate.value <= 0)
    throw InputError("--" + option, "\"" + text + "\" is not above zero",
                     "write a rate such as \"80 GB/s\"");
  return rate;
}

po::typed_value<std::string>* deltas_value() {
  std::string names;
  for (const std::string_view name : sim::kDeltasNames)
    names += (names.empty() ? "" : "|") + std::string(name);
  return po::value<std::string>()->value_name(names)->default_value(
      std::string(sim::kDeltasNames.front()));
}

sim::Deltas deltas(const po::variables_map& values) {
  const auto name = choice(values, "deltas", {sim::kDeltasNames.begin(), sim::kDeltasNames.end()});
  const auto found = std::find(sim::kDeltasNames.begin(), sim::kDeltasNames.end(), name);
  return static_cast<sim::Deltas>(found - sim::kDeltasNames.begin());
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
