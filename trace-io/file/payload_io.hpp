// SPDX-License-Identifier: MIT
// The two directions of the payload behind one interface, so that payload.cpp describes each part of a trace once: what a
// PayloadWriter puts, a PayloadReader takes into the same place and checks.
#pragma once

#include <string>
#include <vector>

#include "trace-io/file/distribution_code.hpp"
#include "trace-io/file/shared_reader.hpp"
#include "trace-io/file/shared_writer.hpp"

namespace reprise::trace_io {

class PayloadWriter {
 public:
  static constexpr bool kReads = false;
  explicit PayloadWriter(bool is_coded = false) {
    if (is_coded) out_.begin_coding();
  }
  static constexpr std::uint32_t version() { return kFormatVersion; }
  ContextEncoder* coder() const { return out_.coder(); }

  void text(const std::string& text, Column column = Column::text) { out_.put_text(column, text); }
  std::uint64_t number(Column column, std::uint64_t number) {
    out_.put(column, number);
    return number;
  }
  void u32(Column column, std::uint32_t number, const char*) { out_.put(column, number); }
  void time(Column column, Nanoseconds time) { out_.put_signed(column, time.value); }
  template <class Enum>
  void choice(Column column, Enum value, std::uint64_t, const char*) {
    out_.put(column, static_cast<std::uint64_t>(value));
  }
  void index(Column column, std::uint32_t index, std::size_t, const char*, const char*) {
    out_.put(column, index);
  }
  // `base`: the number that is most often meant. Modulo 2⁶⁴.
  std::uint64_t near(Column column, std::uint64_t number, std::uint64_t base) {
    out_.put_signed(column, static_cast<std::int64_t>(number - base));
    return number;
  }
  template <class Item, class Describe>
  void each(Column from, Column, const std::vector<Item>& all, const char*,
            const Describe& describe) {
    out_.put(from, all.size());
    for (const Item& item : all) describe(item);
  }
  void ranks(Column column, const RankList& ranks, const RankList& context) {
    shared_.ranks(column, ranks, context);
  }
  void sequence(Column column, const ValueSequence& values) { shared_.sequence(column, values); }
  void field(const FieldValues& field, bool is_vector, const RankList& context,
             const LeafPeers* peers = nullptr) {
    shared_.field(field, is_vector, context, peers);
  }
  void distribution(const Distribution& durations, bool is_scaled, DistributionContext& setting) {
    put_distribution(out_, durations, is_scaled, setting);
  }
  void bytes(Column column, std::span<const std::uint8_t> bytes) { out_.put_bytes(column, bytes); }
  // The iterations of the loop around what follows, or none.
  void set_around(const ValueSequence* iterations) { shared_.set_around(iterations); }
  SharedWriter& shared() { return shared_; }
  // Coded by place where there is a coder, else as it is, in the column. Not checked.
  std::uint64_t reference(Referred referred, const CallPlace& place, std::uint64_t detail,
                          std::initializer_list<std::uint64_t> guesses, Column column,
                          std::uint64_t number) {
    if (out_.coder() == nullptr) return this->number(column, number);
    return shared_.references().reference(*out_.coder(), referred, place, detail, guesses, number);
  }
  std::vector<std::byte> payload() {
    out_.end_coding();
    return out_.payload();
  }
  std::uint32_t needed_version() const {
    return shared_.has_columns() ? kColumnsVersion : kFormatVersion;
  }

 private:
  ColumnWriter out_;
  SharedWriter shared_{out_};
};

class PayloadReader {
 public:
  static constexpr bool kReads = true;
  PayloadReader(std::span<const std::byte> payload, std::uint32_t version, const std::string& name)
      : in_(payload, version, name), version_(version) {}
  std::uint32_t version() const { return version_; }
  ContextDecoder* coder() const { return in_.coder(); }
  void set_around(const ValueSequence* iterations) { shared_.set_around(iterations); }
  std::uint64_t reference(Referred referred, const CallPlace& place, std::uint64_t detail,
                          std::initializer_list<std::uint64_t> guesses, Column column,
                          std::uint64_t) {
    if (in_.coder() == nullptr) return in_.take(column);
    return shared_.references().reference(*in_.coder(), referred, place, detail, guesses, 0);
  }
  ColumnReader& in() { return in_; }
  SharedReader& shared() { return shared_; }
  [[noreturn]] void refuse(Column column, const std::string& problem) const {
    in_.refuse(column, problem);
  }

  void text(std::string& text, Column column = Column::text) { text = in_.take_text(column); }
  std::uint64_t number(Column column, std::uint64_t = 0) { return in_.take(column); }
  void u32(Column column, std::uint32_t& number, const char* what) {
    number = in_.take_u32(column, what);
  }
  void time(Column column, Nanoseconds& time) { time = Nanoseconds{in_.take_signed(column)}; }
  template <class Enum>
  void choice(Column column, Enum& value, std::uint64_t choices, const char* what) {
    value = in_.take_enum<Enum>(column, choices, what);
  }
  void index(Column column, std::uint32_t& index, std::size_t limit, const char* what,
             const char* whole) {
    index = static_cast<std::uint32_t>(in_.take_index(column, limit, what, whole));
  }
  std::uint64_t near(Column column, std::uint64_t, std::uint64_t base) {
    return base + static_cast<std::uint64_t>(in_.take_signed(column));
  }
  // `column` takes at least one byte an item; their number is in `from`.
  template <class Item, class Describe>
  void each(Column from, Column column, std::vector<Item>& all, const char* what,
            const Describe& describe) {
    const std::uint64_t count = in_.count(from, column, what);
    for (std::uint64_t i = 0; i < count; ++i) describe(all.emplace_back());
  }
  void ranks(Column column, RankList& ranks, const RankList& context) {
    ranks = shared_.ranks(column, context);
  }
  void sequence(Column column, ValueSequence& values) {
    bool is_shared = true;
    values = shared_.sequence(column, is_shared);
  }
  void field(FieldValues& field, bool is_vector, const RankList& context,
             const LeafPeers* peers = nullptr) {
    field = shared_.field(is_vector, context, peers);
  }
  void distribution(Distribution& durations, bool, DistributionContext& setting) {
    durations = take_distribution(in_, setting);
  }

 private:
  ColumnReader in_;
  const std::uint32_t version_;
  SharedReader shared_{in_, version_};
};

}  // namespace reprise::trace_io
