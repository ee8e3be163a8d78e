// SPDX-License-Identifier: MIT
// Requests: starting persistent ones, waiting, testing, cancelling.
//
// A call that completes some of several requests may complete others here than it did when recorded. What the trace says of
// later calls stays true if the numbers are exchanged: the slot that was recorded as complete gets the request that did complete,
// and the one still under way goes on under that one's number. Waitsome and Testsome are called once at least as many as recorded
// could complete; where more do, their slots are empty when the trace waits for them, and MPI returns at once.
#include <sched.h>

#include <algorithm>

#include "recorder/live/player.hpp"

namespace reprise::live {

using trace_io::Field;

void Player::start() { MPI_Start(&made_request()); }

void Player::start_all() {
  const HandedIn requests(list(Field::requests),
                          [this](std::int64_t number) -> Slots& { return slots_of(number); });
  MPI_Startall(requests.count(), requests.data());
}

void Player::wait() {
  MPI_Request none = MPI_REQUEST_NULL;
  MPI_Request* which = field(Field::request) >= 0 ? &made_request() : &none;
  int done = 0;
  if (cursor_.procedure().is_test)
    while (MPI_Test(which, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0) sched_yield();
  else
    MPI_Wait(which, MPI_STATUS_IGNORE);
}

void Player::wait_all() {
  const HandedIn requests(list(Field::requests),
                          [this](std::int64_t number) -> Slots& { return slots_of(number); });
  int done = 0;
  if (cursor_.procedure().is_test)
    while (MPI_Testall(requests.count(), requests.data(), &done, MPI_STATUSES_IGNORE) ==
               MPI_SUCCESS &&
           done == 0)
      sched_yield();
  else
    MPI_Waitall(requests.count(), requests.data(), MPI_STATUSES_IGNORE);
}

// `done`: which of the requests handed in have completed.
void Player::exchange_completed(std::span<const std::int64_t> handed_in,
                                std::span<const std::int64_t> recorded,
                                const std::vector<bool>& done) {
  const auto was_recorded = [&](std::int64_t number) {
    return std::find(recorded.begin(), recorded.end(), number) != recorded.end();
  };
  std::vector<std::int64_t> unexpected, missing;
  for (std::size_t i = 0; i < handed_in.size(); ++i) {
    if (done[i] && !was_recorded(handed_in[i])) unexpected.push_back(handed_in[i]);
    if (!done[i] && was_recorded(handed_in[i])) missing.push_back(handed_in[i]);
  }
  for (std::size_t i = 0; i < std::min(missing.size(), unexpected.size()); ++i)
    slots_of(missing[i]).exchange(missing[i], unexpected[i]);
}

void Player::wait_any() {
  const auto numbers = list(Field::requests);
  std::vector<bool> completed(numbers.size(), false);
  {
    const HandedIn requests(numbers,
                            [this](std::int64_t number) -> Slots& { return slots_of(number); });
    int which = MPI_UNDEFINED, done = 0;
    if (cursor_.procedure().is_test)
      while (MPI_Testany(requests.count(), requests.data(), &which, &done, MPI_STATUS_IGNORE) ==
                 MPI_SUCCESS &&
             done == 0)
        sched_yield();
    else
      MPI_Waitany(requests.count(), requests.data(), &which, MPI_STATUS_IGNORE);
    if (which != MPI_UNDEFINED) completed[static_cast<std::size_t>(which)] = true;
  }
  exchange_completed(numbers, list(Field::completed), completed);
}

// Asks without completing anything, unseen by who watches MPI.
void Player::until_complete(std::span<const std::int64_t> numbers, std::size_t how_many) {
  for (std::size_t complete = 0; complete < how_many; sched_yield()) {
    complete = 0;
    for (const auto number : numbers) {
      int done = 0;
      PMPI_Request_get_status(slots_of(number).handle(number), &done, MPI_STATUS_IGNORE);
      complete += done != 0 ? 1 : 0;
    }
  }
}

void Player::wait_some() {
  const auto numbers = list(Field::requests), recorded = list(Field::completed);
  std::vector<bool> completed(numbers.size(), false);
  until_complete(numbers, std::min(numbers.size(), recorded.size()));
  {
    const HandedIn requests(numbers,
                            [this](std::int64_t number) -> Slots& { return slots_of(number); });
    std::vector<int> which(numbers.size());
    int done = 0;
    if (cursor_.procedure().is_test)
      MPI_Testsome(requests.count(), requests.data(), &done, which.data(), MPI_STATUSES_IGNORE);
    else
      MPI_Waitsome(requests.count(), requests.data(), &done, which.data(), MPI_STATUSES_IGNORE);
    for (int i = 0; i < (done == MPI_UNDEFINED ? 0 : done); ++i)
      completed[static_cast<std::size_t>(which[static_cast<std::size_t>(i)])] = true;
  }
  exchange_completed(numbers, recorded, completed);
}

void Player::cancel() { MPI_Cancel(&made_request()); }

void Player::release() { MPI_Request_free(&made_request()); }

}  // namespace reprise::live
