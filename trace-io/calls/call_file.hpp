// SPDX-License-Identifier: MIT
// A file of call streams, or a folder of those that ranks left: where the blocks are, and which functions the numbers mean.
//
// Memory  a place for each block (one for a million events) and the table of functions; never the streams.
// Cut     a file that ends in the middle of a block, as a crash or a full disk leaves it, is read up to there: is_cut.
// Errors  InputError: no such file, a file of something else, a head that makes no sense, tables that are damaged or disagree.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "trace-io/calls/call_block.hpp"

namespace reprise::trace_io {

// Beside the trace NAME.reprise: NAME.calls, and while it is recorded the folder NAME.calls.parts of the ranks' files.
std::string calls_beside(const std::string& trace);
inline constexpr const char* kCallPartsEnding = ".parts";
inline constexpr const char* kCallPartEnding = ".calls";  // what the files in it end in

struct CallModule {
  std::string path, build_id;  // hexadecimal, empty where there is none
  friend auto operator<=>(const CallModule&, const CallModule&) = default;
};

// A function as the streams know it: code of a module, or, of MPI, a name alone.
struct CallFunction {
  static constexpr std::uint32_t kNoModule = ~std::uint32_t{0};
  std::uint32_t module = kNoModule;  // index into CallFile::modules
  std::uint64_t offset = 0;          // of its first byte, from the module's load address
  std::string name;                  // empty where nobody looked it up
  friend auto operator<=>(const CallFunction&, const CallFunction&) = default;
};

struct CallBlockPlace {
  std::uint32_t file = 0;    // index into CallFile::paths
  std::uint64_t offset = 0;  // of the payload
  CallBlockHead head;
};

struct CallStream {
  std::int32_t rank = 0;
  std::uint32_t thread = 0;
  std::vector<CallBlockPlace> blocks;  // of events, in order
  std::uint64_t symbols() const;
  std::uint64_t lost() const;
  std::uint64_t bytes() const;  // of the blocks with their heads
};

struct CallLoss {
  std::int32_t rank = 0;
  std::string what;
  std::uint64_t count = 0;
};

struct CallFile {
  std::vector<std::string> paths;
  std::vector<CallModule> modules;
  std::vector<CallFunction> functions;
  std::map<std::int32_t, std::vector<std::uint32_t>> numbers;  // by rank: function of number - 1
  std::vector<CallStream> streams;                             // by rank and thread
  std::vector<CallLoss> losses;                                // by rank
  std::vector<std::string> cut;  // paths that end in the middle of a block

  static constexpr std::uint32_t kUnknownFunction = ~std::uint32_t{0};
  // Index into `functions`; kUnknownFunction for those beyond the table. REQUIRES: no leave.
  std::uint32_t function_of(std::int32_t rank, std::uint16_t symbol) const;
};

// PATH: a file, or a folder with files of ranks (rank-N.calls).
CallFile open_calls(const std::string& path);

// The payload of a block, its checksum right. Throws InputError, RunError.
std::vector<std::byte> read_payload(const CallFile&, const CallBlockPlace&);

}  // namespace reprise::trace_io
