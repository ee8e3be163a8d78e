// SPDX-License-Identifier: MIT
#include "trace-io/file/back_references.hpp"

#include <catch2/catch.hpp>
#include <functional>

#include "trace-io/base/error.hpp"
#include "trace-io/file/shared_reader.hpp"
#include "trace-io/file/shared_writer.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

constexpr std::int32_t kRanks = 16;
constexpr std::size_t kAgain =
    5;  // bytes of a reference; the length of a column may take one more than before
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

// Calls of one procedure, written field by field.
class Calls {
 public:
  explicit Calls(const char* procedure) : specs_(trace_io::fields(procedure_named(procedure))) {}

  // Bytes of the last field.
  std::size_t put(const std::vector<FieldValues>& fields) {
    calls_.push_back(fields);
    REQUIRE(specs_.size() == fields.size());
    std::size_t before = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      before = out_.payload().size();
      const std::span<const FieldValues> all(fields);
      const LeafPeers peers(all.first(i), specs_, world);
      writer_.field(fields[i], specs_[i].is_vector, RankList::all(kRanks), &peers);
    }
    return out_.payload().size() - before;
  }
  void check() const {
    const auto payload = out_.payload();
    ColumnReader in(payload, kFormatVersion, name_);
    SharedReader reader(in, kFormatVersion);
    reader.set_rank_count(kRanks);
    for (const auto& call : calls_) {
      std::vector<FieldValues> fields;
      for (const FieldValues& written : call) {
        const LeafPeers peers(fields, specs_, world);
        fields.push_back(
            reader.field(specs_[fields.size()].is_vector, RankList::all(kRanks), &peers));
        const FieldValues& read = fields.back();
        REQUIRE(read.size() == written.size());
        for (std::size_t i = 0; i < read.size(); ++i) {
          CHECK(read[i].ranks == written[i].ranks);
          CHECK(read[i].form == written[i].form);
          CHECK(read[i].values.terms() == written[i].values.terms());
          CHECK(read[i].lengths.terms() == written[i].lengths.terms());
        }
      }
    }
    in.expect_end();
  }

 private:
  std::span<const FieldSpec> specs_;
  ColumnWriter out_;
  SharedWriter writer_{out_};
  std::vector<std::vector<FieldValues>> calls_;
  std::string name_ = "f";
};

class Sends : public Calls {
 public:
  Sends() : Calls("MPI_Send") {}
  std::size_t put(const FieldValues& peer, const FieldValues& bytes) {
    return Calls::put({same_on_all(kWorldIndex), peer, same_on_all(0), bytes});
  }
};

// From each rank to each other one, in `calls` calls.
std::int64_t exchanged(int from, int to, int call) {
  return (from * 7919 + to * 104'729 + call * 31) % 509;
}

FieldValues lists_of(const std::function<std::int64_t(int rank, int other, int call)>& value,
                     int calls) {
  FieldValues field;
  for (int rank = 0; rank < kRanks; ++rank) {
    FieldEntry& entry = field.emplace_back();
    entry.ranks = RankList::single(Rank{rank});
    for (int call = 0; call < calls; ++call)
      for (int other = 0; other < kRanks; ++other) entry.values.append(value(rank, other, call));
    entry.lengths.append_run(kRanks, 0, static_cast<std::uint64_t>(calls));
  }
  return field;
}

}  // namespace

TEST_CASE("table back_references: sizes of every rank that come again take a few bytes",
          "[trace-io]") {
  Sends sends;
  CHECK(sends.put(neighbour(1), field_of(irregular)) > kRanks);
  CHECK(sends.put(neighbour(2), field_of(irregular)) <= kAgain);
  CHECK(sends.put(neighbour(3), field_of(irregular, 1, 100)) <= kAgain);
  sends.check();
}

TEST_CASE("table back_references: what a partner had takes a few bytes", "[trace-io]") {
  Sends sends;
  const ValueOf of_left = [](int rank, int call) {
    return irregular((rank + kRanks - 1) % kRanks, call);
  };
  CHECK(sends.put(neighbour(1), field_of(irregular, 7)) > 7 * kRanks);
  CHECK(sends.put(neighbour(-1), field_of(of_left, 7)) <= kAgain);
  CHECK(sends.put(neighbour(-1), field_of(of_left, 7, 10)) <=
        kAgain);  // what came again can come again
  CHECK(sends.put(neighbour(1), field_of(of_left, 7, 10)) <= kAgain);
  sends.check();
}

TEST_CASE("table back_references: values that differ in one place are written anew", "[trace-io]") {
  Sends sends;
  sends.put(neighbour(1), field_of(irregular));
  CHECK(sends.put(neighbour(1), field_of([](int rank, int call) {
                    return irregular(rank, call) + (rank == 9 ? 8 : 0);
                  })) > kRanks);
  sends.check();
}

TEST_CASE("table back_references: ranks without a partner have none to copy from", "[trace-io]") {
  Sends sends;
  sends.put(neighbour(1), field_of(irregular));
  const ValueOf of_left = [](int rank, int call) {
    return irregular((rank + kRanks - 1) % kRanks, call);
  };
  CHECK(sends.put(same_on_all(kProcNull), field_of(of_left)) > kRanks);
  const ValueOf of_right = [](int rank, int call) { return irregular((rank + 1) % kRanks, call); };
  CHECK(sends.put(same_on_all(kFirstPeer + 3), field_of(of_right)) >
        kRanks);  // one partner for all
  sends.check();
}

TEST_CASE("table back_references: what all ranks receive follows from what they send",
          "[trace-io]") {
  const auto received = [](int rank, int other, int call) { return exchanged(other, rank, call); };
  Calls calls("MPI_Alltoallv");
  CHECK(calls.put({same_on_all(kWorldIndex), same_on_all(0), lists_of(exchanged, 5),
                   lists_of(received, 5)}) < kRanks);
  const auto off_by_one = [](int rank, int other, int call) {
    return exchanged(other, rank, call) + (rank == 3 && call == 4 ? 1 : 0);
  };
  CHECK(calls.put({same_on_all(kWorldIndex), same_on_all(0), lists_of(exchanged, 5),
                   lists_of(off_by_one, 5)}) > kRanks);
  CHECK(calls.put({same_on_all(kSelfIndex), same_on_all(0), lists_of(exchanged, 2),
                   lists_of(received, 2)}) > kRanks);
  calls.check();
}

TEST_CASE("table back_references: copies end where they would outgrow what was written",
          "[trace-io]") {
  Sends sends;
  constexpr int kWidth = 40;
  constexpr std::uint64_t kValues = kRanks * kWidth, kMostBytes = 3 * kValues;
  sends.put(neighbour(1), field_of(irregular, kWidth));
  std::uint64_t copied = 0;
  while (sends.put(neighbour(1), field_of(irregular, kWidth)) < kRanks) {
    copied += kValues;
    REQUIRE(copied <= BackReferences::kFreeCopies + BackReferences::kCopies * kMostBytes);
  }
  CHECK(copied > BackReferences::kFreeCopies);
  sends.check();
}

namespace {

// What reading says to a reference behind one table of all ranks.
std::string refusal(std::uint64_t table, std::uint64_t partners, std::uint64_t times,
                    bool is_vector = false, const RankList& ranks = RankList::all(kRanks),
                    std::uint64_t again = 0, int width = 40) {
  ColumnWriter out;
  SharedWriter writer(out);
  writer.field(field_of(irregular, width), false, RankList::all(kRanks));
  for (std::uint64_t i = 0; i <= again; ++i)
    for (const std::uint64_t number : {std::uint64_t{0}, kTableAgain, table, partners, times})
      out.put(Column::fields, number);
  const auto payload = out.payload();
  const std::string name = "f";
  ColumnReader in(payload, kFormatVersion, name);
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

TEST_CASE(
    "table back_references: a table without rows of one width has a number and is not referred to",
    "[trace-io]") {
  Sends sends;
  sends.put(neighbour(1), field_of(irregular, 50));
  CHECK(sends.put(neighbour(1), field_of(irregular, 50)) > 5);
  sends.put(neighbour(1), field_of(irregular));
  CHECK(sends.put(neighbour(1), field_of(irregular)) <= kAgain);
  sends.check();
}

TEST_CASE("table back_references: references that give nothing are refused", "[trace-io]") {
  CHECK(refusal(0, 0, 3) == "accepted");
  CHECK(refusal(1, 0, 3) == "table 1 does not exist, there are 1 tables so far");
  CHECK(refusal(0, 0, 0) == "a table of values counts more than 63 bits hold, or nothing");
  CHECK(refusal(0, 0, std::uint64_t{1} << 60U) ==
        "a table of values counts more than 63 bits hold, or nothing");
  CHECK(refusal(0, 2, 1) == "a table of partners' values for ranks that have no partners in it");
  CHECK(refusal(0, 0, 1, true) == "a table of one number a call, lists are needed");
  CHECK(refusal(0, 0, 1, false, RankList::single(Rank{3})) == "table 0 is of other ranks");
  CHECK(refusal(0, 0, 1, false, RankList::all(kRanks), 0, 50) ==
        "table 0 has no rows of one width");
  CHECK(refusal(0, 0, 1, false, RankList::all(kRanks), 200) ==
        "more values are copied than the file has room for");
}

namespace {

// What reading says to "the other side of field N" behind the first three fields of an all-to-all.
std::string refused_lists(std::uint64_t of, const FieldValues& communicator,
                          const FieldValues& sent, bool is_vector = true) {
  ColumnWriter out;
  SharedWriter writer(out);
  writer.field(communicator, false, RankList::all(kRanks));
  writer.field(same_on_all(0), false, RankList::all(kRanks));  // not in place
  writer.field(sent, true, RankList::all(kRanks));
  for (const std::uint64_t number : {std::uint64_t{0}, kListsReceived, of})
    out.put(Column::fields, number);
  const auto payload = out.payload();
  const std::string name = "f";
  ColumnReader in(payload, kFormatVersion, name);
  SharedReader reader(in, kFormatVersion);
  reader.set_rank_count(kRanks);
  const auto specs = trace_io::fields(procedure_named("MPI_Alltoallv"));
  std::vector<FieldValues> fields;
  for (const bool lists : {false, false, true})
    fields.push_back(reader.field(lists, RankList::all(kRanks)));
  const LeafPeers peers(fields, specs, world);
  try {
    reader.field(is_vector, RankList::all(kRanks), &peers);
  } catch (const InputError& error) {
    return error.problem();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("table back_references: lists of another side that is not there are refused",
          "[trace-io]") {
  const FieldValues sent = lists_of(exchanged, 3);
  CHECK(refused_lists(2, same_on_all(kWorldIndex), sent) == "accepted");
  CHECK(refused_lists(0, same_on_all(kWorldIndex), sent) ==
        "lists of the other side of a field that has none");
  CHECK(refused_lists(3, same_on_all(kWorldIndex), sent) ==
        "lists of the other side of a field that has none");
  CHECK(refused_lists(2, same_on_all(kSelfIndex), sent) ==
        "lists of the other side for ranks that are not all there");
  CHECK(refused_lists(2, same_on_all(kWorldIndex), sent, false) ==
        "lists of the other side, a number per call is needed");
  FieldValues endless = same_on_all(8);
  endless.front().values.append_run(8, 0, std::uint64_t{1} << 40U);
  endless.front().lengths.append_run(16, 0, std::uint64_t{1} << 36U);
  CHECK(refused_lists(2, same_on_all(kWorldIndex), endless) ==
        "more values are copied than the file has room for");
}
