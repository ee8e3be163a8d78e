// SPDX-License-Identifier: MIT
// The tables of the OSU micro-benchmarks and of NetPIPE as measurements.
#include <catch2/catch.hpp>
#include <string>

#include "platforms/calibration/measurements.hpp"
#include "tests/unit/platforms/corpus.hpp"

using namespace reprise;
using namespace reprise::platforms;

namespace {

const std::string kOsuLatency =
    "# OSU MPI Latency Test v5.6.2\n"
    "# Size          Latency (us)\n"
    "0                       1.06\n"
    "1                       1.16\n"
    "2                       1.16\n"
    "1048576               567.60\n";

const std::string kOsuBibw =
    "# OSU MPI-CUDA Bi-Directional Bandwidth Test v7.2\n"
    "# Send Buffer on HOST (H) and Receive Buffer on HOST (H)\n"
    "# Size      Bandwidth (MB/s)\n"
    "# Datatype: MPI_CHAR.\n"
    "524288              20000.00\n"
    "1048576             20000.00\n";

const std::string kOsuAllreduce =
    "\n# OSU MPI Allreduce Latency Test v5.6.2\n"
    "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
    "4                       2.50              2.40              2.60        1000\n";

const std::string kNetpipe =
    "       1 5.951274   0.00000128\n"
    "       2 11.700183   0.00000130\n"
    "      35 180.296201   0.00000148\n"
    "     192 991.767554   0.00000148\n";

template <class Call>
std::string message_of(Call call) {
  return corpus::message_of(call);
}

}  // namespace

TEST_CASE("osu: sizes, times and rates are read", "[platforms]") {
  const Measurements latency = parse_osu(kOsuLatency, "dir/lat.txt", MeasuredPath::kInterNode);
  REQUIRE(latency.series.size() == 1);
  CHECK(latency.series[0].what == Series::What::kOneWay);
  CHECK(latency.series[0].path == MeasuredPath::kInterNode);
  CHECK(latency.series[0].source == "lat.txt, osu_latency");
  REQUIRE(latency.series[0].samples.size() == 4);
  CHECK(latency.series[0].samples[3].bytes == Bytes{1048576});
  CHECK(latency.series[0].samples[3].time.value == Approx(567.6e-6));
  const Measurements both = parse_osu(kOsuBibw, "b.txt", MeasuredPath::kIntraNode);
  CHECK(both.series[0].what == Series::What::kBothWays);
  CHECK(both.series[0].samples[1].time.value == Approx(2 * 1048576 / 20e9));
  const Measurements all =
      parse_osu(kOsuLatency + kOsuAllreduce, "c.txt", MeasuredPath::kIntraNode);
  REQUIRE(all.series.size() == 2);
  CHECK(all.series[1].name == "osu_allreduce");
  CHECK(all.series[1].samples[0].time.value == Approx(2.5e-6));
}

TEST_CASE("osu: what is no such table is refused by line", "[platforms]") {
  const auto refusal = [](const std::string& text) {
    return message_of([&] { parse_osu(text, "o.txt", MeasuredPath::kIntraNode); });
  };
  CHECK(refusal("") ==
        "o.txt: no line \"# OSU MPI … Test\" in it\n  is it the output of an OSU micro-benchmark?");
  CHECK(
      refusal("0 1.0\n") ==
      "o.txt:1: numbers before any line \"# OSU MPI … Test\"\n  keep the benchmark's own heading");
  CHECK(refusal("# OSU MPI Init Test v5.6.2\n") ==
        "o.txt:1: \"Init Test\" is not a supported OSU benchmark\n  supported are osu_latency, "
        "osu_multi_lat, osu_bw, osu_bibw, osu_mbw_mr and blocking collectives");
  CHECK(refusal("# OSU MPI Latency Test\n# Size\n") ==
        "o.txt: no rows under the heading of osu_latency");
  CHECK(refusal("# OSU MPI Latency Test\n8 1.0\n4 1.0\n") ==
        "o.txt:3: the size is not above the one before it");
  CHECK(refusal("# OSU MPI Latency Test\n1.5 1.0\n") == "o.txt:2: the size is not a whole number");
  CHECK(refusal("# OSU MPI Latency Test\n8 0.00\n") ==
        "o.txt:2: the value is not above zero\n  the run was too short for the benchmark's clock");
  CHECK(refusal("# OSU MPI Latency Test\n8 abc\n") ==
        "o.txt:2: expected a size and a value, found \"8 abc\"");
  CHECK(refusal("# OSU MPI Latency Test\n8 nan\n") ==
        "o.txt:2: expected a size and a value, found \"8 nan\"");
}

TEST_CASE("netpipe: rows are read, the least time of a size counts", "[platforms]") {
  const Measurements measured = parse_netpipe(kNetpipe + "     192 982.000000   0.0000015\n",
                                              "np.out", MeasuredPath::kIntraNode);
  REQUIRE(measured.series.size() == 1);
  CHECK(measured.series[0].what == Series::What::kOneWay);
  REQUIRE(measured.series[0].samples.size() == 4);
  CHECK(measured.series[0].samples[0].time == Seconds{1.28e-6});
  CHECK(measured.series[0].samples[3].time == Seconds{1.48e-6});
}

TEST_CASE("netpipe: what is no such table is refused by line", "[platforms]") {
  const auto refusal = [](const std::string& text) {
    return message_of([&] { parse_netpipe(text, "np.out", MeasuredPath::kIntraNode); });
  };
  CHECK(refusal("") == "np.out: no rows in it\n  is it NetPIPE's np.out?");
  CHECK(refusal("1 2\n") ==
        "np.out:1: expected size, Mbit/s and seconds, found \"1 2\"\n  is it NetPIPE's np.out?");
  CHECK(refusal("0 2 1e-6\n") == "np.out:1: the size is not a whole number above zero");
  CHECK(refusal("8 2 0\n") == "np.out:1: the time and the throughput are not both above zero");
  CHECK(refusal("1024 1e-6 2.5\n") ==
        "np.out:1: the throughput does not follow from size and time\n  is it NetPIPE's np.out?");
}
