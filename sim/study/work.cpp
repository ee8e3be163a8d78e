// SPDX-License-Identifier: MIT
#include "sim/study/work.hpp"

#include <array>
#include <cstring>
#include <set>

#include "sim/process_cost.hpp"
#include "sim/processes/child_pool.hpp"
#include "sim/study/shard_file.hpp"
#include "sim/study/simulate.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

std::string pace_text(double a_second) {
  std::array<char, 48> text;
  if (a_second >= 10)
    std::snprintf(text.data(), text.size(), "%.0f a second", a_second);
  else if (a_second >= 0.1)
    std::snprintf(text.data(), text.size(), "%.1f a second", a_second);
  else
    std::snprintf(text.data(), text.size(), "%.1f a minute", a_second * 60);
  return text.data();
}

constexpr Seconds kSyncInterval{1};
constexpr int kLookAroundMs = 200;  // for a signal, the progress line, the next sync

std::set<std::string> finished_keys(const Work& work) {
  std::set<std::string> keys;
  for (const StoredRow& stored : read_rows(work.folder).rows)
    if (!work.again || stored.row["status"] != "crashed")
      keys.insert(stored.row["key"].get<std::string>());
  return keys;
}

// What a child sends: this, then the row.
struct RowHead {
  double cpu_s;  // of the replay
  bool is_done, is_deadlocked;
};

std::string message_of(const Simulated& simulated) {
  const auto& status = simulated.row["status"].get_ref<const std::string&>();
  const RowHead head{simulated.cpu_time.value, status == "done", status == "deadlocked"};
  std::string message(sizeof head, '\0');
  std::memcpy(message.data(), &head, sizeof head);
  return message +
         simulated.row.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

class Worker {
 public:
  Worker(const Study& study, const StudyInputs& inputs, const Plan& plan, const Work& work,
         ProgressLine& progress)
      : study_(study),
        inputs_(inputs),
        plan_(plan),
        work_(work),
        started_(steady_now()),
        progress_(progress) {}

  WorkDone run() {
    auto left = runs_left();
    if (work_.begin) work_.begin(done_.before, done_.share);
    if (left.empty()) return done_;
    LineFile rows(shard_path(work_.folder, "shard", work_.shard)),
        times(shard_path(work_.folder, "times", work_.shard));
    left = runs_left();  // the file is ours now, and nobody adds to it any more
    const Seconds cpu_before = cpu_time_with_children();
    const StopSignals signals;
    ChildPool children(work_.jobs, study_.limits,
                       [this](std::size_t run) { return simulated(run); });
    Seconds synced = steady_now();
    for (std::size_t next = 0; next < left.size() || !children.is_empty();) {
      const bool stops = StopSignals::count() > 0;
      if (stops && (children.is_empty() || StopSignals::count() > 1)) break;
      while (!stops && next < left.size() && !children.is_full()) start(children, left[next++]);
      if (const auto end = children.next(kLookAroundMs)) keep(*end, rows, times);
      if (steady_now() - synced > kSyncInterval) {
        rows.sync();
        synced = steady_now();
      }
      if (progress_.is_due())
        progress_.show(progress_text(done_.before + done_.now(), done_.share, done_.now(),
                                     steady_now() - started_));
    }
    rows.sync();
    progress_.clear();
    done_.is_interrupted = done_.now() < left.size();
    done_.wall = steady_now() - started_;
    children.kill_all();
    done_.cpu = cpu_time_with_children() - cpu_before;
    return done_;
  }

 private:
  // Of this share, as positions in the plan's runs.
  std::vector<std::size_t> runs_left() {
    std::vector<std::string_view> keys;
    for (const std::size_t run : plan_.distinct) keys.push_back(plan_.runs[run].key);
    const auto share = share_of(work_.shard, keys);
    const auto finished = finished_keys(work_);
    std::vector<std::size_t> left;
    for (const std::size_t i : share)
      if (!finished.contains(plan_.runs[plan_.distinct[i]].key)) left.push_back(plan_.distinct[i]);
    done_.share = share.size();
    done_.before = share.size() - left.size();
    return left;
  }

  std::string simulated(std::size_t run) const {
    return message_of(simulate(study_, inputs_, plan_, plan_.runs[run]));
  }

  void start(ChildPool& children, std::size_t run) {
    if (plan_.runs[run].needs_own_process)
      children.start(run, [this, run] { return simulated(run); });
    else
      children.start(run);
  }

  void keep(const ChildEnd& end, LineFile& rows, LineFile& times) {
    // Whoever stops the study may have killed the child for the same reason, which says nothing about the simulation.
    if (end.was_killed && StopSignals::count() > 0) return;
    const Run& run = plan_.runs[end.id];
    double simulation_s = 0;
    if (end.reason.empty()) {
      RowHead head{};
      std::memcpy(&head, end.result.data(), sizeof head);
      simulation_s = head.cpu_s;
      ++(head.is_done ? done_.done : head.is_deadlocked ? done_.deadlocked : done_.failed);
      rows.append(end.result.substr(sizeof head));
    } else {
      ++done_.crashed;
      rows.append(crashed_row(study_, plan_, run, end.reason).dump());
      simulation_s = end.cpu_time.value;
    }
    done_.simulation += Seconds{simulation_s};
    times.append(nlohmann::ordered_json{{"key", run.key},
                                        {"cpu_s", end.cpu_time.value},
                                        {"simulation_cpu_s", simulation_s},
                                        {"peak_rss_bytes", end.peak_memory.value}}
                     .dump());
    tell_of(end);
  }

  void tell_of(const ChildEnd& end) {
    if (!work_.tell) return;
    progress_.clear();
    work_.tell("simulation " + std::to_string(done_.before + done_.now()) + " of " +
               std::to_string(done_.share) + ": " +
               formatted("%.2f s of CPU time", end.cpu_time.value));
  }

  const Study& study_;
  const StudyInputs& inputs_;
  const Plan& plan_;
  const Work& work_;
  Seconds started_;
  ProgressLine& progress_;
  WorkDone done_;
};

}  // namespace

std::string progress_text(std::size_t done, std::size_t total, std::size_t now_done,
                          Seconds elapsed) {
  std::string text = std::to_string(done) + " of " + std::to_string(total) + " simulations";
  if (now_done == 0 || elapsed.value <= 0) return text;
  const double pace = static_cast<double>(now_done) / elapsed.value;
  return text + ", " + pace_text(pace) + ", " +
         time_left_text(Seconds{static_cast<double>(total - done) / pace}) + " left";
}

WorkDone work_on(const Study& study, const StudyInputs& inputs, const Plan& plan, const Work& work,
                 ProgressLine& progress) {
  return Worker(study, inputs, plan, work, progress).run();
}

}  // namespace reprise::sim
