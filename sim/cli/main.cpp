// SPDX-License-Identifier: MIT
// reprise: picks the verb, runs it, turns errors into messages and exit statuses.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>

#include "sim/cli/memory_limit.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/verb.hpp"
#include "sim/cli/version.hpp"
#include "sim/text/printable.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"

namespace reprise::cli {
namespace {

constexpr std::array kVerbs = {&kRecordVerb,   &kReplayVerb, &kCompareVerb,
                               &kStudyVerb,    &kTraceVerb,  &kPlatformVerb,
                               &kValidateVerb, &kImportVerb, &kExportVerb};

std::string memory_error = "reprise: error: out of memory\n";  // made before there is none

void print_usage(std::FILE* out) {
  std::fputs(
      "usage: reprise VERB [OPTIONS] …\n\n"
      "Record an MPI program once, replay it on machines you do not have.\n\n",
      out);
  for (const Verb* verb : kVerbs)
    std::fprintf(out, "  %-10.*s %.*s\n", static_cast<int>(verb->name.size()), verb->name.data(),
                 static_cast<int>(verb->one_line.size()), verb->one_line.data());
  std::fputs(
      "\nto begin:\n"
      "  reprise record -o app.reprise -- mpirun -n 16 ./app\n"
      "  reprise replay app.reprise --platform infiniband-edr     (reprise platform list: others)\n"
      "\n  -V, --version  the version\n  -h, --help     this text\n\n`reprise VERB --help` lists a "
      "verb's options; `man reprise` documents everything.\n",
      out);
}

[[noreturn]] void reject_verb(const std::string& name) {
  std::vector<std::string> names;
  for (const Verb* verb : kVerbs) names.emplace_back(verb->name);
  const auto nearest = nearest_word(name, names);
  throw InputError("", "no verb \"" + name + "\"",
                   nearest ? "did you mean \"" + *nearest + "\"?" : "`reprise --help` lists them");
}

int dispatch(const Arguments& arguments) {
  if (arguments.empty()) {
    print_usage(stderr);
    return kBadUsage;
  }
  if (arguments[0] == "--help" || arguments[0] == "-h") {
    print_usage(stdout);
    return kDone;
  }
  if (arguments[0] == kPrintOptions) {
    for (const Verb* verb : kVerbs) {
      std::printf("verb\t%s\t%s\n", verb->name.data(), verb->one_line.data());
      verb->run({std::string(kPrintOptions)});
    }
    return kDone;
  }
  if (arguments[0] == "--version" || arguments[0] == "-V") {
    std::printf("reprise %s\n", kVersion);
    return kDone;
  }
  for (const Verb* verb : kVerbs) {
    if (verb->name != arguments[0]) continue;
    if (verb != &kRecordVerb && verb != &kPlatformVerb)  // which start programs
      memory_error = "reprise: error: " + out_of_memory(limit_memory()) + "\n";
    return verb->run({arguments.begin() + 1, arguments.end()});
  }
  reject_verb(arguments[0]);
}

int report(const CommandError& error, int status) {
  std::fflush(stdout);
  std::fprintf(stderr, "reprise: error: %s\n", printable(error.what()).c_str());
  return status;
}

bool memory_ran_out = false;

// std::filesystem allocates in functions that may not throw: what would end the process by a signal is an error as well.
void tell_of_memory() {
  std::set_new_handler([] {
    memory_ran_out = true;
    throw std::bad_alloc();
  });
  std::set_terminate([] {
    if (!memory_ran_out) std::abort();
    std::fputs(memory_error.c_str(), stderr);
    _exit(kFailed);
  });
}

}  // namespace
}  // namespace reprise::cli

int main(int argc, char** argv) {
  using namespace reprise;
  cli::tell_of_memory();
  try {
    const int status = cli::dispatch({argv + 1, argv + argc});
    if (std::fflush(stdout) != 0)
      throw RunError("stdout", std::string("could not be written: ") + std::strerror(errno), "");
    return status;
  } catch (const InputError& error) {
    return cli::report(error, cli::kBadUsage);
  } catch (const RunError& error) {
    return cli::report(error, cli::kFailed);
  } catch (const std::bad_alloc&) {
    std::fputs(cli::memory_error.c_str(), stderr);
    return cli::kFailed;
  } catch (const std::filesystem::filesystem_error& error) {
    std::error_code gone;
    const bool has_folder = !std::filesystem::current_path(gone).empty();
    const std::string place =
        !has_folder ? "the working directory" : printable(error.path1().string());
    std::fprintf(stderr, "reprise: error: %s: %s\n", place.c_str(), error.code().message().c_str());
    return cli::kFailed;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "reprise: error: %s\n", printable(error.what()).c_str());
    return cli::kFailed;
  }
}
