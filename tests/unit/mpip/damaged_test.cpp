// SPDX-License-Identifier: MIT
// Reports that are none, or are no longer whole: the message says where and what.
#include <catch2/catch.hpp>

#include "sim/mpip/read.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/text_file.hpp"

namespace reprise::sim::mpip {
namespace {

const std::string kRule(75, '-');

std::string report_of(const std::string& title, const std::string& rows) {
  return "@ mpiP\n\n" + kRule + "\n@--- " + title + " ---\n" + kRule + "\n" + rows + kRule +
         "\n@--- End of Report ---\n" + kRule + "\n";
}

std::string refusal(const std::string& text) {
  try {
    read_report(text, "job.mpiP");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

const std::string kDamaged = "\n  the report is damaged, or not from mpiP 3.1 to 3.5";

TEST_CASE("damaged: what is no report is refused", "[mpip]") {
  const std::string message =
      "job.mpiP: this is not an mpiP report: its first line is not \"@ mpiP\"\n  mpiP writes "
      "NAME.RANKS.PID.1.mpiP when the program ends";
  CHECK(refusal("") == message);
  CHECK(refusal("hello\n") == message);
}

TEST_CASE("damaged: a report that was cut off is refused wherever it was cut", "[mpip]") {
  const auto text = read_text_file(REPORTS "/is.W.4.mpiP");
  const auto end = text.find("@--- End of Report");
  REQUIRE(end != std::string::npos);
  for (std::size_t cut = 7; cut <= end; cut += 97) {
    const auto message = refusal(text.substr(0, cut));
    CAPTURE(cut);
    CHECK(message != "accepted");
  }
  CHECK(refusal(text.substr(0, end)) ==
        "job.mpiP:358: the report ends before its \"End of Report\"\n"
        "  it was cut off while it was written or copied: take the whole file");
}

TEST_CASE("damaged: an unknown section is named", "[mpip]") {
  CHECK(refusal(report_of("Callsite Energy statistics", "")) ==
        "job.mpiP:4: an unknown section \"Callsite Energy statistics\"\n  supported are reports of "
        "mpiP 3.1 to 3.5");
}

TEST_CASE("damaged: a row that is too short, too long or no number is named with its column",
          "[mpip]") {
  const std::string heading = "Task    AppTime    MPITime     MPI%\n";
  CHECK(refusal(report_of("MPI Time (seconds)", heading + "   0   1.25\n")) ==
        "job.mpiP:7: the row ends before its column MPITime" + kDamaged);
  CHECK(refusal(report_of("MPI Time (seconds)", heading + "   0   1.25  0.5  40.0  9\n")) ==
        "job.mpiP:7: \"9\" follows the row's last column" + kDamaged);
  CHECK(refusal(report_of("MPI Time (seconds)", heading + "   0   1.2S  0.5  40.0\n")) ==
        "job.mpiP:7: column AppTime holds \"1.2S\", which is not a number" + kDamaged);
  CHECK(refusal(report_of("MPI Time (seconds)", heading + "   -2   1.25  0.5  40.0\n")) ==
        "job.mpiP:7: column Task holds \"-2\", which is not a rank" + kDamaged);
  CHECK(
      refusal(report_of("Callsite Time statistics (all, milliseconds): 1",
                        "Name Site Rank Count Max Mean Min App% MPI%\nSend 1 0 -3 1 1 1 1 1\n")) ==
      "job.mpiP:7: column Count holds \"-3\", which is not a count" + kDamaged);
}

const std::string kSites = " ID Lev File/Address        Line Parent_Funct             MPI_Call\n";

TEST_CASE("damaged: call sites that do not follow their heading are named", "[mpip]") {
  CHECK(refusal(report_of("Callsites: 1", "ID File Line\n")) ==
        "job.mpiP:6: the call sites' heading is \"ID File Line\"\n"
        "  expected the columns ID, Lev, File/Address, Line, Parent_Funct, MPI_Call");
  CHECK(refusal(report_of(
            "Callsites: 1",
            kSites + "  x   0 is.c                 587 full_verify              Send\n")) ==
        "job.mpiP:7: a call site without its ID and Lev" + kDamaged);
  CHECK(refusal(report_of("Callsites: 1", kSites + "  1   0 is.c\n")) ==
        "job.mpiP:7: the call site's row ends within its file name" + kDamaged);
  CHECK(refusal(report_of(
            "Callsites: 1",
            kSites + "  1   1 is.c                 587 full_verify              Send\n")) ==
        "job.mpiP:7: call site 1 has a level 1 after 0 levels" + kDamaged);
  CHECK(
      refusal(report_of("Callsites: 1",
                        kSites + "  1   0 is.c                 587 full_verify              \n")) ==
      "job.mpiP:7: call site 1 names no MPI call" + kDamaged);
}

TEST_CASE("damaged: rows of call sites that are not listed, or are others, are refused", "[mpip]") {
  const auto with_rows = [&](const std::string& row) {
    return "@ mpiP\n\n" + kRule + "\n@--- Callsites: 1 ---\n" + kRule + "\n" + kSites +
           "  1   0 is.c                 587 full_verify              Send\n" + kRule +
           "\n@--- Callsite Time statistics (all, milliseconds): 1 ---\n" + kRule +
           "\nName Site Rank Count Max Mean Min App% MPI%\n" + row + kRule +
           "\n@--- End of Report ---\n" + kRule + "\n";
  };
  CHECK(refusal(with_rows("Send 2 0 1 1 1 1 1 1\n")) ==
        "job.mpiP: Callsite Time statistics names call site 2, which is not listed\n  the report "
        "is damaged");
  CHECK(refusal(with_rows("Recv 1 0 1 1 1 1 1 1\n")) ==
        "job.mpiP: Callsite Time statistics has Recv at call site 1, which is listed as Send\n  "
        "the report is damaged");
  CHECK(refusal(with_rows("Send 1 0 1 1 1 1 1 1\n")) == "accepted");
}

TEST_CASE("damaged: a missing file is named", "[mpip]") {
  CHECK_THROWS_WITH(load_report("/nowhere/a.mpiP"),
                    "/nowhere/a.mpiP: cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace reprise::sim::mpip
