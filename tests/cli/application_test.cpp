// SPDX-License-Identifier: MIT
#include "sim/cli/application.hpp"

#include <catch2/catch.hpp>

#include "tests/cli/scratch.hpp"

using namespace reprise::cli;

TEST_CASE("application: a name is looked up in PATH, a path is not", "[cli]") {
  const Scratch scratch;
  const auto program = scratch.script("bin/program", "exit 0");
  scratch.file("bin/data", "no program");
  const Variable path("PATH", scratch.path("nowhere") + ":" + scratch.path("bin"));
  CHECK(executable_named("program") == program);
  CHECK(executable_named(program) == program);
  CHECK_FALSE(executable_named("./program"));
  CHECK_FALSE(executable_named("data"));
  CHECK_FALSE(executable_named(scratch.path("bin")));
  CHECK_FALSE(executable_named(""));
}

TEST_CASE("application: a script is no ELF program", "[cli]") {
  const Scratch scratch;
  const auto application = inspect(scratch.script("script", "exit 0"));
  CHECK_FALSE(application.is_elf);
  CHECK_FALSE(application.is_static);
  CHECK(application.mpi == MpiLibrary::none);
}

TEST_CASE("application: a program is known by the MPI library that it loads", "[cli]") {
  const Scratch scratch;
  const auto open_mpi = inspect(scratch.program_loading("a", "libmpi.so.40"));
  CHECK(open_mpi.is_elf);
  CHECK_FALSE(open_mpi.is_static);
  CHECK(open_mpi.mpi == MpiLibrary::open_mpi);
  CHECK(inspect(scratch.program_loading("b", "libmpich.so.12")).mpi == MpiLibrary::mpich);
  CHECK(inspect(scratch.program_loading("c", "libother.so.1")).mpi == MpiLibrary::none);
}

TEST_CASE("application: a shared runtime of the address sanitizer is seen", "[cli]") {
  const Scratch scratch;
  CHECK(inspect(scratch.program_loading("a", "libasan.so.8")).has_address_sanitizer);
  CHECK(inspect(scratch.program_loading("b", "libclang_rt.asan-x86_64.so")).has_address_sanitizer);
  CHECK_FALSE(inspect(scratch.program_loading("c", "libmpi.so.40")).has_address_sanitizer);
}

TEST_CASE("application: a program without a dynamic linker is static", "[cli]") {
  const Scratch scratch;
  auto program = scratch.compiled("program", "int main(void) { return 0; }\n", {"-static"});
  if (!program) program = scratch.static_elf("program");  // no static C library here
  const auto application = inspect(*program);
  CHECK(application.is_elf);
  CHECK(application.is_static);
  CHECK(application.mpi == MpiLibrary::none);
}

TEST_CASE("application: a file that ends in its ELF header is none or static, and is not run",
          "[cli]") {
  const Scratch scratch;
  CHECK(inspect(scratch.static_elf("header")).is_static);
  CHECK_FALSE(inspect(scratch.file("cut", "\177ELF\2")).is_elf);
  CHECK_FALSE(inspect(scratch.file("empty", "")).is_elf);
}
