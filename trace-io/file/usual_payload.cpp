// SPDX-License-Identifier: MIT
#include "trace-io/file/usual_payload.hpp"

#include <array>
#include <string_view>

namespace reprise::trace_io {
namespace {

// A text a line; code that has no source file has an empty one.
constexpr std::string_view kTexts =
    R"(ranks that slept outside MPI (waiting for other threads, files or timers) and then waited for a core, which --clock wall counts as computing: record again with a core for every thread
ranks that used CPU time in threads that call no MPI: compute times are those of the threads that call it
ranks that computed before MPI_Init: that time is in no prediction
ranks that touched memory first inside MPI calls (as in receiving into a new array): the kernel's time for these pages counts as computing before the call, not as communicating
buffers whose derived datatype leaves gaps in memory: the time that MPI takes to pack and unpack them is in no replay
files that ranks wrote or read outside MPI-IO (write, fsync, read): the time counts as computing, which --compute scales and /storage does not change
/usr/bin/python3.11
MPICH 4.0.2
node1
MPI_Comm_create
MPI_Comm_dup
MPI_Comm_split
MPI_Cart_create
MPI_Cart_sub
MPI_Comm_free
MPI_Init_thread
MPI_Barrier
MPI_Bcast
MPI_Reduce
MPI_Allreduce
MPI_Gather
MPI_Gatherv
MPI_Scatter
MPI_Scatterv
MPI_Allgather
MPI_Allgatherv
MPI_Alltoall
MPI_Alltoallv
MPI_Reduce_scatter
MPI_Scan
MPI_Iallreduce
MPI_Ibcast
MPI_Ibarrier
MPI_Ialltoall
MPI_Send
MPI_Recv
MPI_Sendrecv
MPI_Rsend
MPI_Ssend
MPI_Iprobe
MPI_Probe
MPI_Get_count
MPI_Test
MPI_Testall
MPI_Testsome
MPI_Waitany
MPI_Waitsome
MPI_Send_init
MPI_Recv_init
MPI_Start
MPI_Startall
MPI_Request_free
MPI_Win_create
MPI_Win_fence
MPI_Put
MPI_Get
MPI_Accumulate
MPI_Win_free
MPI_File_open
MPI_File_write_at_all
MPI_File_read_at_all
MPI_File_close
MPI_Init
MPI_Irecv
MPI_Isend
MPI_Wait
MPI_Waitall
MPI_Finalize
/lib/x86_64-linux-gnu/libgomp.so.1
/usr/lib/x86_64-linux-gnu/libstdc++.so.6
MAIN__
main.f90
MAIN__
main.f90
/home/user/build/bin/program
Open MPI 4.1.4
MPI_Init
MPI_Finalize
/home/user/build/bin/program
main
/home/user/src/main.cpp
main
/home/user/src/main.cpp
main
/home/user/src/main.cpp
main

main

main

main

)";

// Hexadecimal, two digits a byte.
struct Numbers {
  Column column;
  std::string_view digits;
};
constexpr auto kNumbers = std::to_array<Numbers>({
    {Column::header,
     "0402000501d0dc8301eaf64482d34900000102000c0113000302d403c8e72a98880d0104d40390f902be6301"
     "560005ca022c02702404b8033c06860b6a0ae431860112048a035c0870520680035e04ea0b4c06050000"},
    {Column::call_paths,
     "1300010094490101009002020100560301005604010056050100b40206010024070100810208010010090100"
     "140a0100140b010094020c0100140d0100140e0100140f01006610010010110100201201003a00bf09080090"
     "020d00560e00560f00561000561500101500141500141500a60117002419004a1c00141c00141c00141c0066"
     "1d00101e00201f003a1a"},
    {Column::sites,
     "13000001000100020003000400050006000600060006000700070007000700080009000a000b00"},
    {Column::communicators, "0000"},
    {Column::sequences,
     "010001000100011601000102010001080100010401000112010001060100011e02020f010104000201000f08"
     "01003c0601003c0101000f0001000f0201000f0401000f06010001c6010100010301000101"},
    {Column::structure,
     "010e00010001000100010001000007000100010001000100010001000a000900010001000100010001000100"
     "01"},
    {Column::fields,
     "0003000000030100000300000003000001010200030000040301000301000304050106050400030000000300"
     "0001000300000009000300000a000300000a00030000000300000003000000030000090a0b01030507010200"
     "030000040003000011110700030000"},
    {Column::deltas,
     "0001000100000001000000000102010000020001791960002300010000000001020100000200017a00560d34"
     "000100000000010201000002000164da01a70100220001000000000102010000020001649d01b701000e0001"
     "000000000202010000050003010000040001000002000194011511000a000001020100000400010000020001"
     "64ed028003a0010000000102010000040001000002000164368f0100e4010000010201000004000100000200"
     "01648304bf07008e02000001020100000001000000000102010000000100000200016400b50902bf05000001"
     "090100000400010000020001647900445f0000010a0100000400010000000001020100000400010000000001"
     "0201000000010000000001020100000001000000000102010000040001000000000102010000040001000000"
     "0001020100000400010000000001020100000200016500a3013c0d0001000000"},
    {Column::bin_counts,
     "4508010101450001010145000101014500010101450001010145000101014500010101450001010145000101"
     "01450001010145000101010a031614070447080201010247000f01020147000d0701020a1b1d0102010a1b17"
     "0801010a2a0c03020147000e0101010a27090704010a2b030706010a270e0501014700060701010a130c1903"
     "01530007080605456f0101014500010101450001010145000101014500010101450001010145000101014500"
     "01010145000101014500010101450001010145000101014500010101450001010145000101014500010101"},
    {Column::bin_times,
     "0000000000fb88a4a501acabcb0a00d5049204dc6a858b0100af04c901d604e308008a01478001c701006311"
     "3be10200268d0187048411008702b205ce04e50b00fc020ec503c00c0075870598039303005e699004c30c00"
     "9d0498031a011e0c19122a015f01d001d89505b9019d03a802ec0311b23500b804e3029105de0382f974d801"
     "d00b871eb50324142e19f701dc0301930438184404850101b104b406020d160b0e001c014f25c45400b702f8"
     "05b108000d0b050e0009001c59232b012902520287050008090a0c0310333295b70100d80bf3394b10052709"
     "30175800cf01bc04c3d82ccc01ac02c40cc3069505981100c2048e017ea7050017a4024cdb01004b1b276c00"
     "22072cd20100a8011268c802002d082579002b1e3264003602980394060006fe028804d20500fd0243ee02cd"
     "0b001d7dc901af09009f02248603ae0d00c401c603a801d10500ab01d101a807a01100bc07b8039eca02be8b"
     "0800ff089102"},
    {Column::extremes,
     "008f9dff05a355ea038a01be01ec08f905bb06e80187080a268c90018a0dc5f422240012000200dc19000013"
     "000000f0671000da90038e09d30284013dbc018e014f468a038504ac04db04d406a803f00b9da605"},
    {Column::extreme_ranks,
     "0000030002010201020103010200020102010300020001030201020101010300020300030001000101010001"
     "0201000301030002030100010301000300030003020303020001000100020001030200010003"},
    {Column::squares,
     "0000000000000000000000cd3e56406cd79c0284ee04e50752b401ba56d8019e0183db051e00000000000000"
     "000000000000000000"},
    {Column::order, "000000000000000000000000000000000000000000"},
});
constexpr std::string_view kLengths = "56ab0a168e01270200512d67d402db01e6025452351500";

std::vector<std::uint8_t> bytes_of(std::string_view digits) {
  const auto value = [&](std::size_t digit) {
    const char c = digits[digit];
    return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
  };
  std::vector<std::uint8_t> bytes;
  for (std::size_t digit = 0; digit + 1 < digits.size(); digit += 2)
    bytes.push_back(static_cast<std::uint8_t>(value(digit) << 4U | value(digit + 1)));
  return bytes;
}

// As in the column: the length, then the bytes.
std::vector<std::uint8_t> bytes_of_texts() {
  constexpr std::size_t kSevenBits = 128;
  std::vector<std::uint8_t> bytes;
  for (std::size_t start = 0, end = 0; start < kTexts.size(); start = end + 1) {
    end = kTexts.find('\n', start);
    const std::string_view text = kTexts.substr(start, end - start);
    if (text.size() >= kSevenBits)
      bytes.push_back(static_cast<std::uint8_t>(text.size() % kSevenBits + kSevenBits));
    bytes.push_back(static_cast<std::uint8_t>(text.size() < kSevenBits ? text.size()
                                                                       : text.size() / kSevenBits));
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
  return bytes;
}

}  // namespace

std::vector<std::uint8_t> usual_bytes(Column column) {
  if (column == Column::text) return bytes_of_texts();
  for (const Numbers& numbers : kNumbers)
    if (numbers.column == column) return bytes_of(numbers.digits);
  return {};
}

std::vector<std::uint8_t> usual_lengths() { return bytes_of(kLengths); }

}  // namespace reprise::trace_io
