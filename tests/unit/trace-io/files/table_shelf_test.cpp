// SPDX-License-Identifier: MIT
#include "trace-io/file/table_shelf.hpp"

#include <catch2/catch.hpp>
#include <functional>

#include "trace-io/base/error.hpp"
#include "trace-io/file/shared_reader.hpp"
#include "trace-io/file/shared_writer.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

constexpr std::int32_t kRanks = 16;
constexpr std::size_t kAgain = 5;  // bytes of a reference; the length of a column may take one more than before
using ValueOf = std::function<std::int64_t(int rank, int call)>;

// One entry for each rank, `passes` times over `width` values.
FieldValues field_of(const ValueOf& value, int width = 1, int passes = 1) {
  FieldValues field;
  for (int rank = 0; rank < kRanks; ++rank) {
    FieldEntry& entry = field.emplace_back();
    entry.ranks = RankList::single(Rank{rank});
    for (int i = 0; i < width * passes; ++i) entry.values.append(value(rank, i % width));
  }
  return field;
}

FieldValues same_on_all(std::int64_t value, PeerForm form = PeerForm::absolute) {
  FieldEntry entry;
  entry.ranks = RankList::all(kRanks);
  entry.form = form;
  entry.values.append(value);
  return {entry};
}

// "to the right": rank 0's view.
FieldValues neighbour(std::int64_t distance) {
  return same_on_all(kFirstPeer + (distance + kRanks) % kRanks, PeerForm::relative);
}

std::int64_t irregular(int rank, int call) { return (rank * 7919 + call * 104'729) % 1009 * 8; }

const CommunicatorTable& world() {
  static const CommunicatorTable table = [] {
    Trace trace;
    trace.header.ranks = kRanks;
    trace.header.recorded = RankList::all(kRanks);
    return CommunicatorTable(trace);
  }();
  return table;
}

// The fields of a send: communicator, peer, tag, bytes.
class Sends {
 public:
  std::size_t put(const FieldValues& peer, const FieldValues& bytes) {
    const std::vector<FieldValues> fields{same_on_all(kWorldIndex), peer, same_on_all(0), bytes};
    calls_.push_back(fields);
    const auto specs = trace_io::fields(procedure_named("MPI_Send"));
    REQUIRE(specs.size() == fields.size());
    std::size_t before = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      before = out_.payload().size();
      const std::span<const FieldValues> all(fields);
      const LeafPeers peers(all.first(i), specs, world);
      writer_.field(fields[i], false, RankList::all(kRanks), &peers);
    }
    return out_.payload().size() - before;  // of the last field
  }
  void check() const {
    const auto payload = out_.payload();
    ColumnReader in(payload, name_);
    SharedReader reader(in, kFormatVersion);
    reader.set_rank_count(kRanks);
    const auto specs = trace_io::fields(procedure_named("MPI_Send"));
    for (const auto& call : calls_) {
      std::vector<FieldValues> fields;
      for (const FieldValues& written : call) {
        const LeafPeers peers(fields, specs, world);
        fields.push_back(reader.field(false, RankList::all(kRanks), &peers));
        const FieldValues& read = fields.back();
        REQUIRE(read.size() == written.size());
        for (std::size_t i = 0; i < read.size(); ++i) {
          CHECK(read[i].ranks == written[i].ranks);
          CHECK(read[i].form == written[i].form);
          CHECK(read[i].values.terms() == written[i].values.terms());
        }
      }
    }
    in.expect_end();
  }

 private:
  ColumnWriter out_;
  SharedWriter writer_{out_};
  std::vector<std::vector<FieldValues>> calls_;
  std::string name_ = "f";
};

}  // namespace

TEST_CASE("table shelf: sizes of every rank that come again take a few bytes", "[trace-io]") {
  Sends sends;
  CHECK(sends.put(neighbour(1), field_of(irregular)) > kRanks);
  CHECK(sends.put(neighbour(2), field_of(irregular)) <= kAgain);
  CHECK(sends.put(neighbour(3), field_of(irregular, 1, 100)) <= kAgain);
  sends.check();
}

TEST_CASE("table shelf: what a partner had takes a few bytes", "[trace-io]") {
  Sends sends;
  const ValueOf of_left = [](int rank, int call) { return irregular((rank + kRanks - 1) % kRanks, call); };
  CHECK(sends.put(neighbour(1), field_of(irregular, 7)) > 7 * kRanks);
  CHECK(sends.put(neighbour(-1), field_of(of_left, 7)) <= kAgain);
  CHECK(sends.put(neighbour(-1), field_of(of_left, 7, 10)) <= kAgain);  // what came again can come again
  CHECK(sends.put(neighbour(1), field_of(of_left, 7, 10)) <= kAgain);
  sends.check();
}

TEST_CASE("table shelf: values that differ in one place are written anew", "[trace-io]") {
  Sends sends;
  sends.put(neighbour(1), field_of(irregular));
  CHECK(sends.put(neighbour(1), field_of([](int rank, int call) { return irregular(rank, call) + (rank == 9 ? 8 : 0); })) > kRanks);
  sends.check();
}

TEST_CASE("table shelf: ranks without a partner have none to copy from", "[trace-io]") {
  Sends sends;
  sends.put(neighbour(1), field_of(irregular));
  const ValueOf of_left = [](int rank, int call) { return irregular((rank + kRanks - 1) % kRanks, call); };
  CHECK(sends.put(same_on_all(kProcNull), field_of(of_left)) > kRanks);
  const ValueOf of_right = [](int rank, int call) { return irregular((rank + 1) % kRanks, call); };
  CHECK(sends.put(same_on_all(kFirstPeer + 3), field_of(of_right)) > kRanks);  // one partner for all
  sends.check();
}

TEST_CASE("table shelf: copies end where they would outgrow what was written", "[trace-io]") {
  Sends sends;
  constexpr int kWidth = 40;
  sends.put(neighbour(1), field_of(irregular, kWidth));
  constexpr std::uint64_t kValues = kRanks * kWidth;
  const std::uint64_t copies = (TableShelf::kFreeCopies + TableShelf::kCopies * kValues) / kValues;
  for (std::uint64_t i = 0; i < copies; ++i) REQUIRE(sends.put(neighbour(1), field_of(irregular, kWidth)) < kRanks);
  CHECK(sends.put(neighbour(1), field_of(irregular, kWidth)) > kRanks);
  sends.check();
}

namespace {

// What reading says to a reference behind one table of all ranks.
std::string refusal(std::uint64_t table, std::uint64_t partners, std::uint64_t times, bool is_vector = false,
                    const RankList& ranks = RankList::all(kRanks), std::uint64_t again = 0, int width = 40) {
  ColumnWriter out;
  SharedWriter writer(out);
  writer.field(field_of(irregular, width), false, RankList::all(kRanks));
  for (std::uint64_t i = 0; i <= again; ++i)
    for (const std::uint64_t number : {std::uint64_t{0}, kTableAgain, table, partners, times}) out.put(Column::fields, number);
  const auto payload = out.payload();
  const std::string name = "f";
  ColumnReader in(payload, name);
  SharedReader reader(in, kFormatVersion);
  reader.set_rank_count(kRanks);
  reader.field(false, RankList::all(kRanks));
  const LeafPeers peers({}, trace_io::fields(procedure_named("MPI_Send")), world);
  try {
    for (std::uint64_t i = 0; i <= again; ++i) reader.field(is_vector, ranks, &peers);
  } catch (const InputError& error) {
    REQUIRE(error.where().starts_with("f at payload byte "));
    REQUIRE(error.hint() == kDamagedHint);
    return error.problem();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("table shelf: a table without rows of one width has a number and is not referred to", "[trace-io]") {
  Sends sends;
  sends.put(neighbour(1), field_of(irregular, 50));
  CHECK(sends.put(neighbour(1), field_of(irregular, 50)) > 5);
  sends.put(neighbour(1), field_of(irregular));
  CHECK(sends.put(neighbour(1), field_of(irregular)) <= kAgain);
  sends.check();
}

TEST_CASE("table shelf: references that give nothing are refused", "[trace-io]") {
  CHECK(refusal(0, 0, 3) == "accepted");
  CHECK(refusal(1, 0, 3) == "table 1 does not exist, there are 1 tables so far");
  CHECK(refusal(0, 0, 0) == "a table of values counts more than 63 bits hold, or nothing");
  CHECK(refusal(0, 0, std::uint64_t{1} << 60U) == "a table of values counts more than 63 bits hold, or nothing");
  CHECK(refusal(0, 2, 1) == "a table of partners' values for ranks that have no partners in it");
  CHECK(refusal(0, 0, 1, true) == "a table of one number a call, lists are needed");
  CHECK(refusal(0, 0, 1, false, RankList::single(Rank{3})) == "table 0 is of other ranks");
  CHECK(refusal(0, 0, 1, false, RankList::all(kRanks), 0, 50) == "table 0 has no rows of one width");
  CHECK(refusal(0, 0, 1, false, RankList::all(kRanks), 200) == "more is copied from tables than was written to them");
}
