// SPDX-License-Identifier: MIT
#include "trace-io/import/paraver/paraver_import.hpp"

#include <algorithm>
#include <charconv>
#include <memory>

#include "trace-io/base/error.hpp"
#include "trace-io/import/paraver/field_events.hpp"
#include "trace-io/import/paraver/prv_header.hpp"
#include "trace-io/import/paraver/prv_rank.hpp"
#include "trace-io/import/ranks/import_format.hpp"
#include "trace-io/import/ranks/pairwise_merge.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::size_t kMostHeldOfAll = std::size_t{1} << 20;
constexpr std::int64_t kMostTime = std::int64_t{1} << 61;

class Import {
 public:
  Import(const std::string& path, const ImportSettings& settings)
      : path_(path), in_(path), header_(read_prv_header(in_)), labels_(read_prv_labels(path)) {
    job_.program = path;
    job_.mpi_library = "Paraver trace";
    job_.settings = settings;
    job_.ranks = static_cast<std::int32_t>(header_.applications.front().size());
    add_hosts();
    roots_.answer = [this](const RootBoard::Asker& asker, std::int32_t root) {
      ranks_[static_cast<std::size_t>(asker.rank)]->root_is(asker.call, root);
    };
    for (std::int32_t r = 0; r < job_.ranks; ++r)
      ranks_.push_back(std::make_unique<PrvRank>(job_, communicators_, roots_, Rank{r}));
  }

  Trace run() {
    std::uint64_t lines = 0;
    while (in_.next()) {
      if (in_.line().empty()) continue;
      read_line();
      if (++lines % kPortion == 0) {
        for (auto& rank : ranks_) rank->advance(now_);
        limit_memory();
        if (job_.settings.progress) job_.settings.progress(in_.part());
      }
    }
    for (auto& rank : ranks_) rank->build_all();
    PairwiseMerge merged;
    for (std::int32_t r = 0; r < job_.ranks; ++r) {
      auto& rank = ranks_[static_cast<std::size_t>(r)];
      Trace trace = rank->finish(roots_.unanswered(r));
      if (r == 0) add_losses(trace);
      merged.add(std::move(trace));
      rank.reset();
    }
    return merged.finish();
  }

 private:
  static constexpr std::uint64_t kPortion = 4096;  // lines

  void add_hosts() {
    std::map<std::int32_t, std::vector<Rank>> members;
    const auto& tasks = header_.applications.front();
    for (std::size_t r = 0; r < tasks.size(); ++r)
      members[tasks[r].node].push_back(Rank{static_cast<std::int32_t>(r)});
    for (const auto& [node, ranks] : members) {
      const auto index = static_cast<std::size_t>(node);
      const bool is_named = node >= 1 && index <= labels_.nodes.size();
      job_.hosts.push_back({is_named ? labels_.nodes[index - 1] : "node " + std::to_string(node), 0,
                            RankList::from_ranks(ranks)});
    }
  }

  void read_line() {
    switch (in_.line().front()) {
      case '#':
        return;
      case 'c':
      case 'i':
        return read_prv_communicator(in_, job_, communicators_,
                                     lost_["communicators of tasks that do not exist"]);
      case '1':
        return;  // states say what the events say
      case '2':
        return read_events();
      case '3':
        return read_message();
      default:
        in_.refuse("an unknown kind of line for a Paraver trace",
                   "lines begin with 1 (states), 2 (events), 3 (communications), c or #");
    }
  }

  std::int64_t time(std::int64_t ticks) {
    if (ticks < 0 || ticks > kMostTime / header_.tick)
      in_.refuse("a time of " + std::to_string(ticks));
    return ticks * header_.tick;
  }

  // The rank of a task, none where it is of another application or thread.
  PrvRank* rank_of(std::int64_t application, std::int64_t task, std::int64_t thread,
                   std::int32_t* number = nullptr) {
    if (application < 1 || application > static_cast<std::int64_t>(header_.applications.size()))
      in_.refuse("application " + std::to_string(application) + " does not exist");
    const auto tasks = static_cast<std::int64_t>(
        header_.applications[static_cast<std::size_t>(application - 1)].size());
    if (task < 1 || task > tasks)
      in_.refuse("task " + std::to_string(task) + " does not exist",
                 "application " + std::to_string(application) + " has tasks 1 to " +
                     std::to_string(tasks));
    if (application != 1 || thread != 1) return nullptr;
    if (number != nullptr) *number = static_cast<std::int32_t>(task - 1);
    return ranks_[static_cast<std::size_t>(task - 1)].get();
  }

  void read_events() {
    const auto& line = in_.numbers("line of events");
    if (line.size() < 6 || line.size() % 2 != 0)
      in_.refuse("a line of events with " + std::to_string(line.size()) + " words",
                 "2:CPU:APPLICATION:TASK:THREAD:TIME, then pairs of type and value");
    const std::int64_t at = time(line[5]);
    if (at < now_) ++lost_["lines before the time of the line above"];
    now_ = std::max(now_, at);
    PrvRank* rank = rank_of(line[2], line[3], line[4]);
    if (rank == nullptr) {
      for (std::size_t i = 6; i + 1 < line.size(); i += 2)
        if (labels_.procedures.contains(line[i]) && line[i + 1] != 0)
          ++lost_["MPI calls of further threads or applications, not imported"];
      return;
    }
    callers_.clear();
    for (std::size_t i = 6; i + 1 < line.size(); i += 2)
      read_event(*rank, at, line[i], line[i + 1]);
    PrvCall* call = rank->open_call();
    if (call != nullptr && !callers_.empty()) call->path = path_of_callers(*rank);
    rank->advance(now_);
  }

  void read_event(PrvRank& rank, std::int64_t at, std::int64_t type, std::int64_t value) {
    const auto known = labels_.types.find(type);
    if (known == labels_.types.end()) {
      ++lost_["events of types that the .pcf does not name"];
      return;
    }
    PrvCall* call = rank.open_call();
    using What = PrvType::What;
    switch (known->second.what) {
      case What::mpi:
        return read_call(rank, at, type, value);
      case What::caller:
      case What::caller_line: {
        auto& caller = callers_[known->second.level];
        (known->second.what == What::caller ? caller.first : caller.second) = value;
        return;
      }
      case What::function:
        if (value == 0)
          rank.leave_function();
        else
          rank.enter_function(job_.frame(label(known->second, value), "", 0));
        return;
      case What::send_size:
        if (call != nullptr) call->sent = std::max<std::int64_t>(0, value);
        return;
      case What::receive_size:
        if (call != nullptr) call->received = std::max<std::int64_t>(0, value);
        return;
      case What::is_root:
        if (call != nullptr) call->is_root = value != 0;
        return;
      case What::communicator:
        if (call != nullptr) call->communicator = value;
        return;
      case What::field:
        if (call == nullptr) return;
        add_word(call->fields, static_cast<FieldEvent>(known->second.level), value);
        return rank.tells_fields();
      case What::counter:
        ++lost_["values of hardware counters"];
        return;
      case What::other:
        return;
    }
  }

  static void add_word(std::string& fields, FieldEvent kind, std::int64_t value) {
    if (kind == FieldEvent::none)
      fields = " ";
    else if (kind == FieldEvent::vector)
      fields += " |";
    else
      fields += (kind == FieldEvent::request ? " r" : " ") + std::to_string(value);
  }

  void read_call(PrvRank& rank, std::int64_t at, std::int64_t type, std::int64_t value) {
    PrvCall* call = rank.open_call();
    if (value == 0) {
      if (call == nullptr)
        ++lost_["exits of MPI calls that were not entered"];
      else if (call->type == type)
        rank.end_call(at);
      return;
    }
    if (call != nullptr) {
      ++lost_["MPI calls within MPI calls"];
      return;
    }
    const auto& procedures = labels_.procedures[type];
    const auto procedure = procedures.find(value);
    if (procedure == procedures.end()) {
      ++lost_["MPI calls whose value the .pcf does not name"];
      return;
    }
    rank.begin_call(procedure->second, type, at);
  }

  static std::string label(const PrvType& type, std::int64_t value) {
    const auto found = type.values.find(value);
    return found == type.values.end() ? "" : found->second;
  }

  // A caller's function and "LINE (FILE, MODULE)" as a frame.
  std::optional<ImportedJob::FrameId> frame_of(std::uint32_t level, std::int64_t function,
                                               std::int64_t line) {
    const auto [known, is_new] = frames_.try_emplace({function, line});
    if (!is_new) return known->second;
    const auto labels_of = [&](std::int64_t type, std::int64_t value) {
      const auto found = labels_.types.find(type + level);
      return found == labels_.types.end() ? "" : label(found->second, value);
    };
    const std::string name = labels_of(70000000, function), place = labels_of(80000000, line);
    if (name.empty() || name == "End" || name == "Unresolved" || name == "_NOT_Found") return {};
    std::uint32_t number = 0;
    std::from_chars(place.data(), place.data() + place.size(), number);
    const auto open = place.find('('), comma = place.find_first_of(",)", open);
    const std::string file = open == std::string::npos || comma == std::string::npos
                                 ? ""
                                 : place.substr(open + 1, comma - open - 1);
    // "short.. [whole name]": the whole one.
    const auto bracket = name.find(" [");
    return known->second = job_.frame(bracket == std::string::npos || !name.ends_with(']')
                                          ? name
                                          : name.substr(bracket + 2, name.size() - bracket - 3),
                                      file, number);
  }

  CallPaths::Path path_of_callers(PrvRank& rank) {
    CallPaths::Path path = CallPaths::kEmpty;
    for (auto caller = callers_.rbegin(); caller != callers_.rend(); ++caller)
      if (const auto frame = frame_of(caller->first, caller->second.first, caller->second.second))
        path = rank.paths().entered(path, *frame);
    return path;
  }

  void read_message() {
    const auto& line = in_.numbers("line of communication");
    if (line.size() != 15)
      in_.refuse(
          "a line of communication with " + std::to_string(line.size()) + " words",
          "it has 15: twice CPU, application, task, thread and two times, then size and tag");
    std::int32_t from = 0, to = 0;
    PrvRank* sender = rank_of(line[2], line[3], line[4], &from);
    PrvRank* receiver = rank_of(line[8], line[9], line[10], &to);
    const std::int64_t sent = time(line[5]), posted = time(line[11]), received = time(line[12]);
    if (line[13] < 0) in_.refuse("a message of " + std::to_string(line[13]) + " B");
    now_ = std::max(now_, sent);
    if (sender == nullptr || receiver == nullptr) {
      ++lost_["messages of further threads or applications, not imported"];
      return;
    }
    sender->message_sent({sent, posted, received, to, line[13], line[14]});
    receiver->message_posted({sent, posted, received, from, line[13], line[14]});
  }

  void limit_memory() {
    std::size_t held = 0;
    for (const auto& rank : ranks_) held += rank->held();
    while (held > kMostHeldOfAll) {
      auto most = std::max_element(ranks_.begin(), ranks_.end(), [](const auto& a, const auto& b) {
        return a->held() < b->held();
      });
      const std::size_t before = (*most)->held();
      (*most)->give_up_oldest();
      held -= before - (*most)->held();
    }
  }

  void add_losses(Trace& trace) {
    for (const auto& [name, count] : lost_)
      if (count > 0) trace.losses.push_back({name, Severity::notice, count, {}});
    std::sort(trace.losses.begin(), trace.losses.end(),
              [](const Loss& a, const Loss& b) { return a.name < b.name; });
  }

  std::string path_;
  PrvReader in_;
  PrvHeader header_;
  PrvLabels labels_;
  ImportedJob job_;
  std::unordered_map<std::int64_t, std::uint32_t> communicators_;
  RootBoard roots_;
  std::vector<std::unique_ptr<PrvRank>> ranks_;
  std::int64_t now_ = 0;
  std::map<std::uint32_t, std::pair<std::int64_t, std::int64_t>> callers_;  // by level
  std::map<std::pair<std::int64_t, std::int64_t>, std::optional<ImportedJob::FrameId>> frames_;
  std::map<std::string, std::uint64_t> lost_;
};

bool is_paraver(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  char begin[8] = {};
  const int count = gzread(file, begin, sizeof begin);
  gzclose(file);
  return std::string_view(begin, static_cast<std::size_t>(std::max(0, count))) == "#Paraver";
}

}  // namespace

Trace import_paraver(const std::string& path, const ImportSettings& settings) {
  return Import(path, settings).run();
}

extern const ImportFormat kParaverFormat;
const ImportFormat kParaverFormat = {
    "paraver", "Paraver traces: NAME.prv or NAME.prv.gz, with NAME.pcf beside it", false,
    &is_paraver, [](const std::vector<std::string>& files, const ImportSettings& settings) {
      return import_paraver(files.front(), settings);
    }};

}  // namespace reprise::trace_io
