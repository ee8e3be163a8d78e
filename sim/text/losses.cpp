// SPDX-License-Identifier: MIT
#include "sim/text/losses.hpp"

#include "sim/text/numbers.hpp"
#include "trace-io/model/unseen_time.hpp"

namespace reprise {

using trace_io::Severity;

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::notice:
      return "notice";
    case Severity::partial:
      return "partial";
    case Severity::error:
      return "error";
  }
  return "";
}

std::string loss_count_text(std::string_view name, std::uint64_t count) {
  return trace_io::counts_mib(name) ? grouped(count) + " MiB" : counted(count, "time");
}

AllTime time_of_losses(const trace_io::Header& header, Seconds predicted) {
  if (header.elapsed.value <= 0) return {predicted, "predicted"};
  return {Seconds{header.elapsed.seconds().value * header.ranks}, "recorded"};
}

std::string share_text(const trace_io::Loss& loss, AllTime all) {
  // What came before MPI_Init is no part of the recorded time.
  if (loss.time.value <= 0 || all.time.value <= 0 || loss.name == trace_io::kBeforeInit) return "";
  return formatted(" (%.3g%% of their %s time)", 100 * loss.time.seconds().value / all.time.value,
                   std::string(all.what).c_str());
}

std::string losses_text(const std::vector<trace_io::Loss>& losses, AllTime all,
                        const std::string& missing) {
  if (losses.empty() && missing.empty()) return "";
  std::string text = "\nnot represented:\n";
  if (!missing.empty()) text += "  partial: " + missing + "\n";
  for (const auto& loss : losses) {
    text += "  " + std::string(severity_name(loss.severity)) + ": " + loss.name + ", " +
            loss_count_text(loss.name, loss.count);
    if (loss.time.value > 0)
      text += ", " + seconds_text(loss.time.seconds()) + " over all ranks" + share_text(loss, all);
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json losses_json(const std::vector<trace_io::Loss>& losses) {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& loss : losses)
    rows.push_back({{"name", loss.name},
                    {"count", loss.count},
                    {"time_s", loss.time.seconds().value},
                    {"severity", severity_name(loss.severity)}});
  return rows;
}

}  // namespace reprise
