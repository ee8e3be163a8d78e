// SPDX-License-Identifier: MIT
// Which blocks count as files of the program's own, with numbers that the tests make up.
#include "recorder/capture/own_files.hpp"

#include <catch2/catch.hpp>

using namespace reprise::recorder;

TEST_CASE("blocks since a call ended are the program's own") {
  OwnFiles files;
  files.after_call(1000);  // what was there before the program's own time
  files.after_computing(3048);
  CHECK(files.bytes() == 1 << 20);
  files.after_computing(3048);
  CHECK(files.bytes() == 1 << 20);
  files.after_computing(5096);
  CHECK(files.bytes() == 2 << 20);
}

TEST_CASE("blocks of a call are not") {
  OwnFiles files;
  files.after_call(4096);
  files.after_call(9000);
  files.after_computing(9002);
  CHECK(files.bytes() == 1024);
}

TEST_CASE("a count that the kernel cannot tell is nothing") {
  OwnFiles files;
  files.after_call(4096);
  files.after_computing(0);
  CHECK(files.bytes() == 0);
  files.after_computing(4098);
  CHECK(files.bytes() == 1024);
}
