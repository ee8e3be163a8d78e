// SPDX-License-Identifier: MIT
#include "sim/cli/options.hpp"

#include <catch2/catch.hpp>

#include "trace-io/base/error.hpp"

using namespace reprise::cli;
namespace po = boost::program_options;

namespace {

Syntax syntax() {
  Syntax s{"paint",
           "reprise paint FILE [OPTIONS]",
           "Paints.",
           po::options_description("options"),
           {"FILE"}};
  s.options.add_options()(
      "colour,c", po::value<std::string>()->value_name("red|green")->default_value("red"),
      "of the paint")("coats", po::value<std::string>()->value_name("N"), "how many")(
      "factor", po::value<std::string>()->value_name("FACTOR"), "of thickness")("dry",
                                                                                "and let it dry");
  return s;
}

po::variables_map parsed(const Arguments& arguments) { return *parse(syntax(), arguments); }

}  // namespace

TEST_CASE("options: short and long options, values with and without =, positionals anywhere",
          "[cli]") {
  for (const Arguments& arguments :
       {Arguments{"wall", "-c", "green", "--coats", "2"}, Arguments{"--coats=2", "wall", "-cgreen"},
        Arguments{"--colour=green", "--coats", "2", "--", "wall"}}) {
    const auto values = parsed(arguments);
    CHECK(values["colour"].as<std::string>() == "green");
    CHECK(values["coats"].as<std::string>() == "2");
    CHECK(required(values, "paint", "FILE") == "wall");
    CHECK(values.count("dry") == 0);
  }
}

TEST_CASE("options: an unknown one is named, with the one that was meant", "[cli]") {
  CHECK_THROWS_WITH(parsed({"--colur=red"}),
                    "reprise paint: no option \"--colur\"\n  did you mean \"--colour\"?");
  CHECK_THROWS_WITH(parsed({"--fac", "2"}),
                    "reprise paint: no option \"--fac\"\n  did you mean \"--factor\"?");
  CHECK_THROWS_WITH(parsed({"--hel"}),
                    "reprise paint: no option \"--hel\"\n  did you mean \"--help\"?");
  CHECK_THROWS_WITH(parsed({"--qqqqqqqq"}),
                    "reprise paint: no option \"--qqqqqqqq\"\n  `reprise paint --help` lists them");
}

TEST_CASE("options: missing, needless and repeated values are told apart", "[cli]") {
  const std::string hint = "\n  `reprise paint --help` shows the usage";
  CHECK_THROWS_WITH(parsed({"--coats"}), "reprise paint: --coats needs a value" + hint);
  CHECK_THROWS_WITH(parsed({"--coats="}), "reprise paint: --coats needs a value" + hint);
  CHECK_THROWS_WITH(parsed({"--dry=yes"}), "reprise paint: --dry takes no value" + hint);
  CHECK_THROWS_WITH(parsed({"--coats=1", "--coats=2"}),
                    "reprise paint: --coats is given more than once\n  give it once");
}

TEST_CASE("options: positionals are counted", "[cli]") {
  const std::string too_many =
      "reprise paint: too many arguments, \"b\" is one\n  usage: reprise paint FILE [OPTIONS]";
  CHECK_THROWS_WITH(parsed({"a", "b"}), too_many);
  CHECK_THROWS_WITH(parsed({"--coats=2", "a", "b", "c"}), too_many);
  const std::string missing =
      "reprise paint: FILE is missing\n  `reprise paint --help` shows the usage";
  CHECK_THROWS_WITH(required(parsed({}), "paint", "FILE"), missing);
  CHECK_THROWS_WITH(required(parsed({""}), "paint", "FILE"), missing);
}

TEST_CASE("options: a choice is one of its words", "[cli]") {
  CHECK(choice(parsed({}), "colour", {"red", "green"}) == "red");
  CHECK_THROWS_WITH(choice(parsed({"-c", "gren"}), "colour", {"red", "green"}),
                    "--colour: \"gren\" is none of red, green\n  did you mean \"green\"?");
  CHECK_THROWS_WITH(choice(parsed({"-c", "aquamarine"}), "colour", {"red", "green"}),
                    "--colour: \"aquamarine\" is none of red, green");
}

TEST_CASE("options: a whole number lies within its limits", "[cli]") {
  CHECK(whole_number(parsed({"--coats", "3"}), "coats", 1, 3) == 3);
  CHECK_THROWS_WITH(whole_number(parsed({"--coats", "4"}), "coats", 1, 3),
                    "--coats: 4 is not between 1 and 3");
  CHECK_THROWS_WITH(whole_number(parsed({"--coats", "0"}), "coats", 1, 3),
                    "--coats: 0 is not between 1 and 3");
  CHECK_THROWS_WITH(whole_number(parsed({"--coats", "-1"}), "coats", 1, 3),
                    "--coats: \"-1\" is not a whole number\n  write a whole number such as \"64\"");
}

TEST_CASE("options: a factor ends in x, and is 0 only where nothing can be meant by it", "[cli]") {
  using reprise::LeastFactor;
  CHECK(factor(parsed({"--factor", "0.5x"}), "factor") == 0.5);
  CHECK(factor(parsed({"--factor", "0x"}), "factor", LeastFactor::zero) == 0);
  const std::string hint = "\n  write a factor such as \"0.5x\"";
  CHECK_THROWS_WITH(factor(parsed({"--factor", "0x"}), "factor"),
                    "--factor: \"0x\" is not above zero" + hint);
  CHECK_THROWS_WITH(factor(parsed({"--factor", "2"}), "factor"),
                    "--factor: \"2\" is not a factor\n  write \"2x\"");
  CHECK_THROWS_WITH(factor(parsed({"--factor", "1e-12x"}), "factor", LeastFactor::zero),
                    "--factor: \"1e-12x\" is not between 1e-9x and 1e9x" + hint);
  CHECK_THROWS_WITH(factor(parsed({"--factor", "-2"}), "factor"),
                    "--factor: \"-2\" is negative" + hint);
  CHECK_THROWS_WITH(factor(parsed({"--factor", "2 x"}), "factor"),
                    "--factor: \"2 x\" is not a factor" + hint);
  CHECK_THROWS_WITH(factor(parsed({"--factor", "inf"}), "factor"),
                    "--factor: \"inf\" does not start with a number" + hint);
}

TEST_CASE("help: options in a column, defaults behind their texts", "[cli]") {
  CHECK(help_text(syntax()) ==
        "usage: reprise paint FILE [OPTIONS]\n\nPaints.\n\noptions:\n"
        "  -c, --colour red|green          of the paint (default red)\n"
        "      --coats N                   how many\n"
        "      --factor FACTOR             of thickness\n"
        "      --dry                       and let it dry\n");
}

TEST_CASE("help: a long text is broken between words, a long name stands on its own line",
          "[cli]") {
  Syntax s{"paint", "reprise paint", "Paints.", po::options_description("options"), {}};
  s.options.add_options()(
      "a-name-that-takes-all-the-room", po::value<std::string>()->value_name("VALUE"),
      "a text … that is as long as it takes until the line is broken between two of its words");
  CHECK(help_text(s) ==
        "usage: reprise paint\n\nPaints.\n\noptions:\n"
        "      --a-name-that-takes-all-the-room VALUE\n"
        "                                  a text … that is as long as it takes until the line is "
        "broken\n"
        "                                  between two of its words\n");
}
