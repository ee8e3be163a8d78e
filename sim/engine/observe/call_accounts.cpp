// SPDX-License-Identifier: MIT
#include "sim/engine/observe/call_accounts.hpp"

#include <algorithm>

namespace reprise::sim {
namespace {

const CallAccount& at(const SiteAccounts& accounts, std::size_t site) {
  static const CallAccount kNone;
  return site < accounts.size() ? accounts[site] : kNone;
}

// Each site's part of TOTAL, in proportion to its weight.
void share_out(double total, const std::vector<double>& weights, std::vector<double>& parts) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  for (std::size_t site = 0; site < weights.size(); ++site)
    parts[site] = sum > 0 ? total * (weights[site] / sum) : 0;
}

}  // namespace

CallAccount& CallAccount::operator+=(const CallAccount& other) {
  calls += other.calls;
  bytes += other.bytes;
  least_bytes = std::min(least_bytes, other.least_bytes);
  most_bytes = std::max(most_bytes, other.most_bytes);
  compute += other.compute;
  expected += other.expected;
  in_mpi += other.in_mpi;
  wait += other.wait;
  shortest = std::min(shortest, other.shortest);
  longest = std::max(longest, other.longest);
  return *this;
}

SiteAccounts difference(const SiteAccounts& now, const SiteAccounts& before) {
  SiteAccounts added = now;
  for (std::size_t site = 0; site < std::min(now.size(), before.size()); ++site) {
    CallAccount& one = added[site];
    const CallAccount& old = before[site];
    one.calls -= old.calls;
    one.bytes -= old.bytes;
    one.compute -= old.compute;
    one.expected -= old.expected;
    one.in_mpi -= old.in_mpi;
    one.wait -= old.wait;
  }
  return added;
}

void jump(SiteAccounts& accounts, const SiteAccounts& entered, const SiteAccounts& period,
          const JumpedTimes& jumped) {
  const auto periods = static_cast<std::uint64_t>(jumped.periods);
  std::vector<double> computed(accounts.size()), in_mpi(accounts.size()), wait(accounts.size());
  for (std::size_t site = 0; site < accounts.size(); ++site) {
    CallAccount& account = accounts[site];
    const CallAccount& added = at(period, site);
    account.calls += periods * added.calls;
    account.bytes += periods * added.bytes;
    if (jumped.is_exact) {
      account.compute += jumped.periods * added.compute;
      account.expected += jumped.periods * added.expected;
      account.in_mpi += jumped.periods * added.in_mpi;
      account.wait += jumped.periods * added.wait;
      continue;
    }
    // Computing is brought to its mean, as the rank's is; time in MPI is shared out as it was before the jump.
    computed[site] =
        std::max(0.0, account.expected + jumped.periods * added.expected - account.compute);
    in_mpi[site] = std::max(0.0, account.in_mpi - at(entered, site).in_mpi);
    wait[site] = std::max(0.0, account.wait - at(entered, site).wait);
  }
  if (jumped.is_exact) return;
  share_out(jumped.compute, computed, computed);
  share_out(jumped.in_mpi, in_mpi, in_mpi);
  share_out(jumped.wait, wait, wait);
  for (std::size_t site = 0; site < accounts.size(); ++site) {
    accounts[site].compute += computed[site];
    accounts[site].expected = accounts[site].compute;
    accounts[site].in_mpi += in_mpi[site];
    accounts[site].wait += wait[site];
  }
}

}  // namespace reprise::sim
