// SPDX-License-Identifier: MIT
// Files of call streams: written as ranks write them, joined, read; cut, altered and foreign ones.
#include "trace-io/calls/call_file.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>

#include "trace-io/base/error.hpp"
#include "trace-io/calls/call_join.hpp"
#include "trace-io/calls/call_reader.hpp"
#include "trace-io/calls/call_stream_coder.hpp"
#include "trace-io/calls/call_tables.hpp"

using namespace reprise;
using namespace reprise::trace_io;
namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("calls-" + std::to_string(getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_ / "parts");
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

void put(std::ofstream& out, CallBlockHead head, const std::vector<std::byte>& payload) {
  head.bytes = static_cast<std::uint32_t>(payload.size());
  head.checksum = call_checksum(head, payload);
  out.write(reinterpret_cast<const char*>(&head), sizeof head);
  out.write(reinterpret_cast<const char*>(payload.data()),
            static_cast<std::streamsize>(payload.size()));
}

// A rank whose functions have these names, in a module that all share, and whose thread 0 has these symbols, each 100 ns after the other.
void write_rank(const std::string& path, std::int32_t rank, const std::vector<std::string>& names,
                const std::vector<std::uint16_t>& symbols, std::size_t per_block = 100) {
  std::ofstream out(path, std::ios::binary);
  CallBlockHead head;
  head.rank = rank;
  head.kind = CallBlockKind::modules;
  head.count = 1;
  put(out, head, module_bytes({"/bin/program", "ab12"}));
  head.kind = CallBlockKind::functions;
  for (const auto& name : names) put(out, head, function_bytes({0, name.size() * 16, name}));
  const CallStreamForm form{LzForm::context, 8, true};
  std::vector<std::byte> memory(CallStreamCoder::memory_bytes(form));
  CallStreamCoder coder(form, memory);
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    coder.put(symbols[i], 1000 + 100 * i);
    if ((i + 1) % per_block != 0 && i + 1 != symbols.size()) continue;
    auto block = coder.finish_block();
    block.head.rank = rank;
    block.head.begin_ns = 1000 + 100 * (i + 1 - block.head.count);
    block.head.end_ns = 1000 + 100 * i;
    std::vector<std::byte> payload(block.words.begin(), block.words.end());
    payload.insert(payload.end(), block.times.begin(), block.times.end());
    put(out, block.head, payload);
    coder.begin_block();
  }
}

std::vector<std::uint16_t> loop(std::size_t times) {
  std::vector<std::uint16_t> symbols = {1};
  for (std::size_t i = 0; i < times; ++i)
    symbols.insert(symbols.end(), {2, 3, 0, static_cast<std::uint16_t>(3 + i % 5), 0, 0});
  symbols.push_back(0);
  return symbols;
}

std::vector<std::uint16_t> read_all(const CallFile& file, const CallStream& stream) {
  std::vector<std::uint16_t> symbols;
  CallReader reader(file, stream);
  while (const auto event = reader.next()) symbols.push_back(event->symbol);
  return symbols;
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const CommandError& error) {
    return error.what();
  }
  return "nothing was refused";
}

void change_byte(const std::string& path, std::uint64_t at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(at));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(at));
  file.put(static_cast<char>(byte ^ 0x40));
}

const std::vector<std::string> kNames = {"main", "step", "a", "b", "c", "d", "e"};

}  // namespace

TEST_CASE(
    "what ranks leave is joined: functions once, each stream as it was, byte for byte the same "
    "each time") {
  const Folder folder;
  write_rank(folder / "parts/rank-0.calls", 0, kNames, loop(100));
  write_rank(folder / "parts/rank-1.calls", 1, {"main", "step", "e", "d", "c", "b", "a"}, loop(37));
  const auto joined = join_calls(folder / "parts", folder / "run.calls", [](CallFile& file) {
    for (auto& function : file.functions) function.name += "()";
  });
  CHECK(joined.functions.size() == 7);
  const auto file = open_calls(folder / "run.calls");
  REQUIRE(file.streams.size() == 2);
  REQUIRE(file.functions.size() == 7);
  CHECK(file.modules == std::vector<CallModule>{{"/bin/program", "ab12"}});
  CHECK(file.functions[file.function_of(0, 3)].name == "a()");
  CHECK(file.functions[file.function_of(1, 3)].name == "e()");
  CHECK(file.function_of(1, 8) == CallFile::kUnknownFunction);
  CHECK(file.function_of(1, kOtherFunctions) == CallFile::kUnknownFunction);
  CHECK(read_all(file, file.streams[0]) == loop(100));
  CHECK(read_all(file, file.streams[1]) == loop(37));
  CHECK(file.streams[0].symbols() == 602);
  CHECK(file.cut.empty());
  join_calls(folder / "parts", folder / "again.calls", [](CallFile& file_again) {
    for (auto& function : file_again.functions) function.name += "()";
  });
  const auto content = [](const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  CHECK(content(folder / "run.calls") == content(folder / "again.calls"));
}

TEST_CASE("times of a stream are an eighth of an interval behind at most") {
  const Folder folder;
  write_rank(folder / "r.calls", 0, kNames, loop(100));
  const auto file = open_calls(folder / "r.calls");
  CallReader reader(file, file.streams[0]);
  for (std::uint64_t i = 0; const auto event = reader.next(); ++i) {
    REQUIRE(event->ns.value() <= 1000 + 100 * i);
    REQUIRE(event->ns.value() + 13 >= 1000 + 100 * i);
    REQUIRE(reader.number() == i);
  }
}

TEST_CASE("a file that is cut anywhere is read up to its last whole block, or is refused") {
  const Folder folder;
  const std::string path = folder / "r.calls";
  write_rank(path, 0, kNames, loop(60), 50);
  const auto size = fs::file_size(path);
  const auto whole = loop(60);
  std::size_t most = 0;
  for (auto length = size - 1; length > 0; length -= std::min<std::uintmax_t>(length, 7)) {
    fs::resize_file(path, length);
    try {
      const auto file = open_calls(path);
      std::vector<std::uint16_t> symbols;
      if (!file.streams.empty()) symbols = read_all(file, file.streams[0]);
      REQUIRE(symbols ==
              std::vector(whole.begin(), whole.begin() + static_cast<long>(symbols.size())));
      most = std::max(most, symbols.size());
    } catch (const InputError& error) {
      REQUIRE(error.problem() == "is not a file of call streams");
    }
  }
  CHECK(most == 350);
}

TEST_CASE("an altered byte anywhere is refused or read as a cut, never as other calls") {
  const Folder folder;
  const auto whole = loop(20);
  const std::string path = folder / "r.calls";
  write_rank(path, 0, kNames, whole, 50);
  const auto size = fs::file_size(path);
  for (std::uint64_t at = 0; at < size; at += 3) {
    change_byte(path, at);
    try {
      const auto file = open_calls(path);
      std::size_t symbols = 0;
      for (const auto& stream : file.streams) symbols += read_all(file, stream).size();
      REQUIRE(symbols < whole.size());
      REQUIRE(file.cut.size() == 1);
    } catch (const InputError&) {
    }
    change_byte(path, at);
  }
}

TEST_CASE("what is wrong with a file is told with place, problem and remedy") {
  const Folder folder;
  const std::string path = folder / "r.calls";
  std::ofstream(path)
      << "something else, of more than the 64 bytes that a block's head has at least";
  CHECK(refusal([&] { open_calls(path); }) ==
        path +
            ": is not a file of call streams\n  record one with --functions trace: it is "
            "NAME.calls beside the trace");
  CHECK(refusal([&] { open_calls(folder / "none.calls"); }) ==
        (folder / "none.calls") +
            ": cannot be read\n  give a file that `reprise record` has written");
  CHECK(refusal([&] { open_calls(folder / "parts"); }) ==
        (folder / "parts") +
            ": there are no call streams in this folder\n  record with --functions "
            "trace: ranks leave them in NAME.calls.parts");
  write_rank(path, 0, kNames, loop(20));
  change_byte(path, fs::file_size(path) - 1);
  const auto file = open_calls(path);
  const auto& block = file.streams[0].blocks.back();
  CHECK(refusal([&] { read_all(file, file.streams[0]); }) ==
        path + ", byte " + std::to_string(block.offset) +
            ": a block has been altered: its checksum does not match\n  record again; --count "
            "reads what comes before it");
}
