// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <map>

#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/model/communicators.hpp"
#include "trace-io/model/time_pools.hpp"
#include "trace-io/text/apart_text.hpp"
#include "trace-io/text/completions_text.hpp"
#include "trace-io/text/compute_counters_text.hpp"
#include "trace-io/text/function_samples_text.hpp"
#include "trace-io/text/iterations_text.hpp"
#include "trace-io/text/messages_text.hpp"
#include "trace-io/text/program_text.hpp"
#include "trace-io/text/recording_ends_text.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::uint64_t kTextVersion = 1;
constexpr std::uint64_t kMaxCommunicatorIndex = 100'000;  // a gap of unused indices costs memory

class Assembler {
 public:
  Assembler(std::string_view text, const std::string& name) : in_(text, name), name_(name) {}

  Trace assemble() {
    read_version();
    in_.skip_lines();
    read_rank_count();
    while (!in_.at_end()) read_statement();
    if (!has_recorded_) trace_.header.recorded = RankList::all(trace_.header.ranks);
    make_sites(programs_, trace_, name_);
    std::stable_sort(trace_.losses.begin(), trace_.losses.end(),
                     [](const Loss& a, const Loss& b) { return a.name < b.name; });
    if (has_messages_) trace_.messages = std::make_shared<const MessageTimes>(std::move(messages_));
    check_communicators(trace_, name_);
    build_programs(programs_, trace_, in_);
    if (const std::string problem = pools_problem(trace_); !problem.empty())
      throw InputError(name_ + ": pools of times", problem);
    for (Distribution& pool : trace_.pools) pool.follow(trace_.header.bin_rule);
    spread_pools(trace_);
    for (const auto& finding : check_structure(trace_))
      throw InputError(name_ + ": " + finding.where, finding.problem);
    return std::move(trace_);
  }

 private:
  using Read = void (Assembler::*)();

  void read_version() {
    in_.skip_lines();
    const std::size_t start = in_.position();
    if (!in_.accept("reprise-text"))
      in_.refuse(start, "not a trace in text form",
                 "it starts with: reprise-text " + std::to_string(kTextVersion));
    const std::size_t at = in_.position();
    const std::uint64_t version = in_.unsigned_number("the text form's version");
    if (version != kTextVersion)
      in_.refuse(at, "version " + std::to_string(version) +
                         " of the text form is not known, this reprise reads version " +
                         std::to_string(kTextVersion));
    in_.end_line();
  }

  void read_rank_count() {
    in_.expect("ranks", "in the first statement");
    const std::size_t at = in_.position();
    const std::uint64_t ranks = in_.unsigned_number("the number of ranks");
    if (ranks < 1 || ranks > static_cast<std::uint64_t>(kMaxRanks))
      in_.refuse(at,
                 std::to_string(ranks) + " ranks, 1 to " + std::to_string(kMaxRanks) + " can be");
    trace_.header.ranks = static_cast<std::int32_t>(ranks);
    trace_.header.timing = Timing::stat;
    in_.end_line();
  }

  void read_statement() {
    static const std::map<std::string, Read, std::less<>> statements = {
        {"program", &Assembler::read_program_name},
        {"mpi_library", &Assembler::read_library},
        {"recorded", &Assembler::read_recorded},
        {"timing", &Assembler::read_timing},
        {"clock", &Assembler::read_clock},
        {"bins", &Assembler::read_bins},
        {"histogram", &Assembler::read_histogram},
        {"incomplete", &Assembler::read_incomplete},
        {"elapsed", &Assembler::read_elapsed},
        {"order", &Assembler::read_order_budget},
        {"apart", &Assembler::read_part<read_apart>},
        {"compensation", &Assembler::read_compensation_statement},
        {"preempted", &Assembler::read_preempted},
        {"completions", &Assembler::read_completions_statement},
        {"functions", &Assembler::read_part<read_functions>},
        {"sampled", &Assembler::read_part<read_sampled>},
        {"counters", &Assembler::read_part<read_counters>},
        {"counted", &Assembler::read_part<read_counted>},
        {"ended", &Assembler::read_part<read_ended>},
        {"messages", &Assembler::read_messages_statement},
        {"message", &Assembler::read_message_row},
        {"message_cost", &Assembler::read_message_cost},
        {"merged", &Assembler::read_merged},
        {"host", &Assembler::read_host},
        {"procedure", &Assembler::read_procedure},
        {"module", &Assembler::read_module},
        {"path", &Assembler::read_path},
        {"frame", &Assembler::read_frame_name},
        {"site", &Assembler::read_site},
        {"members", &Assembler::read_members},
        {"communicator", &Assembler::read_communicator},
        {"pool", &Assembler::read_pool_statement},
        {"loss", &Assembler::read_loss},
        {"iterations", &Assembler::read_marked_iterations},
        {"thread", &Assembler::read_thread},
    };
    const std::size_t at = in_.position();
    const std::string word(in_.word("a statement"));
    const auto found = statements.find(word);
    if (found == statements.end()) {
      std::vector<std::string> words;
      for (const auto& [known, read] : statements) words.push_back(known);
      const auto nearest = nearest_word(word, words);
      in_.refuse(at, "no statement \"" + word + "\"",
                 nearest ? "did you mean \"" + *nearest + "\"?" : "");
    }
    if (!programs_.empty() && word != "thread")
      in_.refuse(at, "\"" + word + "\" stands before the first thread");
    (this->*found->second)();
    in_.end_line();
  }

  // ------------------------------------------------------------------ header
  void read_program_name() { trace_.header.program = in_.quoted("the program"); }
  void read_library() { trace_.header.mpi_library = in_.quoted("the MPI library"); }
  void read_incomplete() { trace_.header.complete = false; }
  void read_merged() {
    trace_.header.merge_elapsed = Nanoseconds{in_.nanoseconds("the time of merging")};
    in_.expect("cpu", "after the time of merging");
    trace_.header.merge_cpu = Nanoseconds{in_.nanoseconds("the CPU time of merging")};
  }
  void read_order_budget() {
    trace_.header.order_budget = Bytes{static_cast<std::uint64_t>(in_.amount("a number of bytes"))};
  }
  void read_compensation_statement() { trace_.compensation = read_compensation(in_); }
  void read_preempted() { trace_.preemptions = read_preemptions(in_); }
  void read_completions_statement() { trace_.completions = read_completions(in_); }
  template <void (*kRead)(Scanner&, Trace&)>
  void read_part() {
    kRead(in_, trace_);
  }
  void read_messages_statement() {
    if (has_messages_) in_.refuse("\"messages\" is given twice");
    has_messages_ = true;
    messages_ = read_messages(in_);
  }
  void read_message_row() {
    refuse_without_messages("message");
    messages_.rows.push_back(trace_io::read_message_row(in_));
  }
  void read_message_cost() {
    refuse_without_messages("message_cost");
    messages_.costs.push_back(trace_io::read_message_cost(in_));
  }
  void refuse_without_messages(const char* statement) {
    if (!has_messages_)
      in_.refuse(std::string("\"") + statement + "\" follows the statement \"messages\"");
  }
  void read_elapsed() { trace_.header.elapsed = Nanoseconds{in_.nanoseconds("the elapsed time")}; }
  void read_bins() { trace_.header.bins = read_u32("the number of bins"); }
  void read_histogram() {
    const std::size_t at = in_.position();
    const auto rule = bin_rule_named(in_.word("a rule of histograms"));
    if (!rule) in_.refuse(at, "expected \"ward\", \"balanced\" or \"balanced_exact\"");
    trace_.header.bin_rule = *rule;
  }
  void read_recorded() {
    has_recorded_ = true;
    if (!in_.accept("none")) trace_.header.recorded = read_ranks(in_, trace_.header.ranks);
  }
  void read_timing() {
    if (in_.accept("stat"))
      trace_.header.timing = Timing::stat;
    else if (in_.accept("histogram"))
      trace_.header.timing = Timing::histogram;
    else if (in_.accept("path"))
      trace_.header.timing = Timing::path;
    else
      in_.refuse("expected \"stat\", \"histogram\" or \"path\"");
  }
  void read_clock() {
    if (in_.accept("wall"))
      trace_.header.clock = Clock::wall;
    else if (in_.accept("cpu"))
      trace_.header.clock = Clock::cpu;
    else
      in_.refuse("expected \"wall\" or \"cpu\"");
  }
  void read_host() {
    Host host;
    host.name = in_.quoted("the host's name");
    in_.expect("cores", "after the host's name");
    host.cores = read_u32("the number of cores");
    in_.expect("ranks", "after the number of cores");
    if (!in_.accept("none")) host.ranks = read_ranks(in_, trace_.header.ranks);
    trace_.header.hosts.push_back(std::move(host));
  }
  void read_marked_iterations() {
    trace_.marked_iterations.push_back(read_iterations(in_, trace_));
  }
  void read_loss() {
    Loss loss;
    loss.name = in_.quoted("what was lost");
    if (in_.accept("notice"))
      loss.severity = Severity::notice;
    else if (in_.accept("partial"))
      loss.severity = Severity::partial;
    else if (in_.accept("error"))
      loss.severity = Severity::error;
    else
      in_.refuse("expected \"notice\", \"partial\" or \"error\"");
    in_.expect("count", "after the severity");
    loss.count = in_.unsigned_number("a count");
    in_.expect("time", "after the count");
    loss.time = read_signed_time();
    trace_.losses.push_back(std::move(loss));
  }
  Nanoseconds read_signed_time() {
    const std::int64_t sign = in_.accept("-") ? -1 : 1;
    return Nanoseconds{sign * in_.nanoseconds("a time")};
  }

  // ------------------------------------------------------------------ tables
  std::uint32_t read_u32(const char* what) {
    const std::size_t at = in_.position();
    const std::uint64_t number = in_.unsigned_number(what);
    if (number > UINT32_MAX) in_.refuse(at, std::string(what) + " does not fit 32 bits");
    return static_cast<std::uint32_t>(number);
  }
  // The statement's own number, which says that nothing is missing in front of it.
  void read_own_number(const char* what, std::size_t expected) {
    const std::size_t at = in_.position();
    const std::uint64_t number = in_.unsigned_number(what);
    if (number != expected)
      in_.refuse(at, std::string(what) + " " + std::to_string(expected) + " is next, found " +
                         std::to_string(number));
  }
  std::uint32_t read_index(const char* what, std::size_t limit) {
    const std::size_t at = in_.position();
    const std::uint64_t number = in_.unsigned_number(what);
    if (number >= limit)
      in_.refuse(at, std::string(what) + " " + std::to_string(number) + " is not declared, " +
                         std::to_string(limit) + " are");
    return static_cast<std::uint32_t>(number);
  }
  void read_procedure() {
    read_own_number("procedure", trace_.procedures.size());
    trace_.procedures.push_back(in_.quoted("the procedure's name"));
  }
  void read_module() {
    read_own_number("module", trace_.modules.size());
    Module module;
    module.path = in_.quoted("the module's path");
    if (in_.accept("build_id")) module.build_id = in_.quoted("the build id");
    trace_.modules.push_back(std::move(module));
  }
  Frame read_frame() {
    Frame frame;
    frame.module = read_index("module", trace_.modules.size());
    in_.expect("+", "between a frame's module and its offset");
    frame.offset = in_.unsigned_number("an offset");
    return frame;
  }
  void read_path() {
    read_own_number("path", trace_.call_paths.size());
    CallPath path;
    while (!in_.at_line_end()) {
      if (path.frames.size() == kMaxFrames)
        in_.refuse("a call path of more than " + std::to_string(kMaxFrames) + " frames");
      path.frames.push_back(read_frame());
    }
    trace_.call_paths.push_back(std::move(path));
  }
  void read_frame_name() {
    FrameName name;
    name.frame = read_frame();
    name.function = in_.quoted("the function's name");
    name.file = in_.quoted("the file's name");
    name.line = read_u32("the line");
    trace_.frame_names.push_back(std::move(name));
  }
  void read_site() {
    read_own_number("site", trace_.sites.size());
    Site site;
    in_.expect("procedure", "after the site's number");
    site.procedure = read_index("procedure", trace_.procedures.size());
    in_.expect("path", "after the site's procedure");
    site.call_path = read_index("path", trace_.call_paths.size());
    trace_.sites.push_back(site);
  }

  // ------------------------------------------------------------------ communicators
  // "copy 1: 0 1 2 | 3 4": everything behind the communicator's number.
  Communicator read_groups() {
    Communicator communicator;
    if (in_.accept("copy")) communicator.copy = read_u32("a copy's number");
    in_.expect(":", "in front of the members");
    do communicator.groups.push_back(ValueSequence::from_terms(read_row(in_)));
    while (in_.accept("|"));
    return communicator;
  }
  void read_members() {
    read_own_number("members", trace_.communicators.size());
    trace_.communicators.push_back(read_groups());
  }
  void read_communicator() {
    const std::size_t at = in_.position();
    const std::uint64_t index = in_.unsigned_number("a communicator's index");
    if (index < 2 || index > kMaxCommunicatorIndex)
      in_.refuse(at, "communicator indices are 2 to " + std::to_string(kMaxCommunicatorIndex) +
                         ": 0 is MPI_COMM_WORLD, 1 is MPI_COMM_SELF");
    if (index - 2 >= trace_.communicator_indices.size())
      trace_.communicator_indices.resize(index - 1);
    if (in_.accept("unused")) return;
    CommunicatorUse use;
    const bool has_ranks = in_.accept("ranks");
    if (has_ranks && !in_.accept("none")) use.ranks = read_ranks(in_, trace_.header.ranks);
    if (in_.accept("members")) {
      use.communicator = read_index("members", trace_.communicators.size());
    } else {
      const Communicator communicator = read_groups();
      if (!has_ranks) use.ranks = members_of(communicator, at);
      use.communicator = number_of(communicator);
    }
    trace_.communicator_indices[index - 2].push_back(std::move(use));
  }
  RankList members_of(const Communicator& communicator, std::size_t at) {
    std::vector<Rank> members;
    for (const auto& group : communicator.groups) {
      if (group.size() > static_cast<std::uint64_t>(trace_.header.ranks))
        in_.refuse(at, "more members than ranks");
      for (ValueSequence::Cursor cursor(group); !cursor.at_end();) {
        const std::int64_t member = cursor.next();
        if (member < 0 || member >= trace_.header.ranks)
          in_.refuse(at, "there is no rank " + std::to_string(member) + ", the ranks are 0 to " +
                             std::to_string(trace_.header.ranks - 1));
        members.push_back(Rank{static_cast<std::int32_t>(member)});
      }
    }
    return RankList::from_ranks(std::move(members));
  }
  std::uint32_t number_of(const Communicator& wanted) {
    const auto found = std::ranges::find_if(trace_.communicators, [&](const Communicator& known) {
      return known.copy == wanted.copy && known.groups == wanted.groups;
    });
    const auto number = static_cast<std::uint32_t>(found - trace_.communicators.begin());
    if (found == trace_.communicators.end()) trace_.communicators.push_back(wanted);
    return number;
  }

  void read_pool_statement() {
    read_own_number("pool", trace_.pools.size());
    const std::size_t at = in_.position();
    const bool is_compute = in_.accept("compute");
    if (!is_compute && !in_.accept("communicate"))
      in_.refuse(at, "expected \"compute\" or \"communicate\" after the pool's number");
    if (is_compute && trace_.compute_pools < trace_.pools.size())
      in_.refuse(at, "pools of compute times come first");
    trace_.pools.push_back(read_pool(in_, trace_.header.ranks));
    if (is_compute) ++trace_.compute_pools;
  }

  void read_thread() {
    read_own_number("thread", programs_.size());
    in_.expect("{", "in front of the thread's program");
    programs_.push_back(read_program(in_, trace_));
  }

  Scanner in_;
  const std::string& name_;
  Trace trace_;
  bool has_recorded_ = false, has_messages_ = false;
  MessageTimes messages_;
  std::vector<std::vector<ParsedNode>> programs_;
};

}  // namespace

Trace assemble(std::string_view text, const std::string& name) {
  return Assembler(text, name).assemble();
}

}  // namespace reprise::trace_io
