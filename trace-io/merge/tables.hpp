// SPDX-License-Identifier: MIT
// Unites what two traces hold beside their programs: header, procedures, modules, call paths, sites, communicators, losses.
//
// Equal contents become one row, whatever their numbers were; rows that only b has are appended in b's order.
// Cost  O(n log n) in the rows of both.
#pragma once

#include <vector>

#include "trace-io/merge/rank_unions.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Throws InputError where the traces are not of one job or hold the same rank.
void check_one_job(const Trace& a, const Trace& b);

// Unites b's tables and header into a's; says which number each of b's sites has there. The programs are left alone.
std::vector<SiteId> unite_tables(Trace& a, const Trace& b, RankUnions&);

// Gives the sites of a program other numbers.

// In every leaf and every predecessor, site s becomes sites[s]; kNoSite stays. Cost: O(nodes), nothing where the numbers
// are the same already. REQUIRES: every site of the nodes is below sites.size().
void renumber_sites(std::vector<Node>& nodes, const std::vector<SiteId>& sites);

}  // namespace reprise::trace_io
