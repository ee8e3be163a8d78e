// SPDX-License-Identifier: MIT
#include "trace-io/merge/merge.hpp"

#include <algorithm>
#include <utility>

#include "trace-io/merge/finalize.hpp"
#include "trace-io/merge/node_merge.hpp"
#include "trace-io/merge/renumbering.hpp"
#include "trace-io/merge/tables.hpp"

namespace reprise::trace_io {
namespace {

std::vector<std::span<const FieldSpec>> fields_of_sites(const Trace& trace) {
  std::vector<std::span<const FieldSpec>> of_procedure, of_site;
  for (const std::string& name : trace.procedures)
    of_procedure.push_back(fields(procedure_named(name)));
  for (const Site& site : trace.sites) of_site.push_back(of_procedure.at(site.procedure));
  return of_site;
}

// All but one-sided communication, files and what is not modelled: those may be played at their recorded times.
std::vector<bool> simulated_sites(const Trace& trace) {
  std::vector<bool> of_procedure, of_site;
  for (const std::string& name : trace.procedures)
    of_procedure.push_back(procedure_named(name).kind < Kind::window_create);
  for (const Site& site : trace.sites) of_site.push_back(of_procedure.at(site.procedure));
  return of_site;
}

bool holds_lower_rank(const Header& a, const Header& b) {
  return !a.recorded.empty() && (b.recorded.empty() || a.recorded.front() < b.recorded.front());
}

}  // namespace

Trace merge(Trace a, Trace b) {
  check_one_job(a.header, b.header);
  // The side with the lowest rank gives the numbers and comes first, so that the order of the arguments makes no difference.
  if (holds_lower_rank(b.header, a.header)) std::swap(a, b);

  RankUnions unions;
  const std::vector<SiteId> site_numbers = unite_tables(a, b, unions);
  for (std::vector<Node>& program : b.threads) renumber_sites(program, site_numbers);

  const CommunicatorTable communicators(a);
  const MergeSetting setting{fields_of_sites(a), simulated_sites(a), communicators,
                             a.header.elapsed, unions};
  a.threads.resize(std::max(a.threads.size(), b.threads.size()));
  for (std::size_t thread = 0; thread < b.threads.size(); ++thread)
    a.threads[thread] =
        merged_programs(std::move(a.threads[thread]), std::move(b.threads[thread]), setting);
  if (a.header.recorded.size() == a.header.ranks) finalize(a);
  return a;
}

}  // namespace reprise::trace_io
