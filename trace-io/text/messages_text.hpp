// SPDX-License-Identifier: MIT
// Times of sampled messages in the text form (SYNTAX.md): the statements `messages`, `message` and `message_cost`.
#pragma once

#include <string>

#include "trace-io/model/message_times.hpp"
#include "trace-io/text/scanner.hpp"

namespace reprise::trace_io {

// One line for what was chosen, one for each row and each cost, with their ends.
std::string messages_text(const MessageTimes&);
// Behind the words "messages" (rows and costs are statements of their own), "message" and "message_cost". Throw InputError; what is
// no sense in their numbers is check_structure()'s affair.
MessageTimes read_messages(Scanner&);
MessageRow read_message_row(Scanner&);
MessageCost read_message_cost(Scanner&);

}  // namespace reprise::trace_io
