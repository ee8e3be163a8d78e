// SPDX-License-Identifier: MIT
// What one rank keeps while it walks its program; sized when it is made, only the room for vectors grows.
//
// Memory  the state and its arrays stand in one block that begins at a cache line: with thousands of ranks each event finds another rank's,
//         and what it waits for is the number of lines that it asks for. fetch_state() and what follows it ask for them ahead of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <vector>

#include "trace-io/model/communicators.hpp"
#include "trace-io/model/tag_steps.hpp"
#include "trace-io/walk/programs.hpp"
#include "trace-io/walk/request_numbers.hpp"

namespace reprise::trace_io {

// Turns a stored peer code, which is as the lowest rank of its entry sees it, into the reading rank's own code.

struct PeerView {
  PeerForm form = PeerForm::absolute;
  Position stored, own;  // in the frame, of the entry's lowest rank and of the reading rank

  std::int64_t operator()(std::int64_t code) const { return recast(code, form, stored, own); }
};

struct alignas(64) Cursor::State {  // a cache line's
  static std::unique_ptr<State> make(const Programs::State&, Rank, std::size_t thread);
  std::unique_ptr<State> copy() const;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();
  static void operator delete(void* block) {
    ::operator delete (block, std::align_val_t{alignof(State)});
  }

  bool advance();
  // Ask the processor for the state; once that is there, for its place in the program; then for what the next two events read. Change nothing.
  void fetch_state() const;
  void fetch_place() const;
  void fetch_events() const;
  const DeltaClass* class_of(const ClassPlan&) const;

  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
  struct Reader {
    ValueSequence::Cursor values;
    PeerView view;
    SizeOf size_of = SizeOf::none;
  };
  // What happened before, for request numbers and tags that are stored relative to it.
  struct History {
    std::optional<RequestNumbers> requests;  // where they have ages
    LastTags tags;
  };
  struct LoopUnderWay {
    std::uint64_t passes;  // full ones that are left, with the one under way; 0 in the partial pass
    std::uint32_t
        exit;  // operation before which the partial pass ends; kNowhere without a partial pass
    std::uint32_t end;     // operation behind the loop
    std::uint64_t passed;  // full ones that are over
  };

  // The first cache line: what every event reads.
  std::uint32_t position = 0, stop = kNowhere, depth = 0;
  std::uint32_t begun =
      kNowhere;  // the outermost loop of which the last advance() began an iteration, as a depth
  const Operation* const operations;  // the program's
  const std::uint32_t operation_count;
  SiteId predecessor = kNoSite;
  const Operation* current = nullptr;
  const LeafPlan* leaf = nullptr;
  std::int64_t* numbers = nullptr;  // the rank's; these arrays stand behind the state, in its block
  std::int64_t* scalars = nullptr;  // room for those of an event, behind the numbers
  // The second.
  const CompiledThread& thread;
  std::vector<std::int64_t> elements;
  std::uint32_t* vector_ends = nullptr;
  Reader* readers = nullptr;
  LoopUnderWay* loops = nullptr;
  std::unique_ptr<History> history;  // null where no number needs it
  const CompiledProgram& program;
  const Programs::State& programs;
  Rank rank;

  // Of the loop at a depth: which it is of the program's, and the readers of its body.
  const LoopPart& part_of(std::uint32_t its_depth) const {
    return program.loops[operations[loops[its_depth].end - 1].plan];
  }
  std::span<Reader> body_readers(std::uint32_t its_depth) const {
    const LoopPart& loop = part_of(its_depth);
    return {&readers[loop.body_reader], &readers[loop.end_reader]};
  }

 private:
  struct Room;                                              // where in the block the arrays are
  State(const Programs::State&, Rank, std::size_t thread);  // without a place for its arrays
  static std::unique_ptr<State> make(const Room&, const Programs::State&, Rank, std::size_t thread);
  void furnish(const Room&);
  void read_entries();
  void read_fields(const Operation&, const LeafPlan&);
  enum class Part : std::uint8_t { values, lengths };
  // Of these entries the values, or their lengths. Null: of a loop.
  void prepare(const FieldPlan&, const FieldValues&, const Operation&, const LeafPlan*,
               Part part = Part::values);
  void prepare(const ClassPlan&, const Operation&);
  void prepare_view(Reader&, const FieldPlan&, const FieldEntry&, const LeafPlan&);
  // Of the rank in a communicator of its; {0, 1} where it has none of that index (MPI_COMM_NULL: no peers then).
  Position position_in(std::int64_t communicator, Rank whose) const;
  void enter(const Operation&, const LoopPart&);
  void leave();
  void fetch_coming() const;
  void fetch_plan(std::uint32_t) const;
  void read_event();
  void number_requests();
  void number_tag();
  std::int64_t next(const FieldPlan&);
};

}  // namespace reprise::trace_io
