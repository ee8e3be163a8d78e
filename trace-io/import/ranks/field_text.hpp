// SPDX-License-Identifier: MIT
// A call's fields as a line of words: what an export attaches to calls that a format has no records for, and an import reads back.
//
// Form     the scalars in the order of fields(), then " |" and its elements for each vector, all separated by blanks. A number is
//          itself; a communicator is the file's number for it; r17 is the file's request 17, plain numbers of requests are slots
//          of persistent ones.
// Name     the attribute (OTF2) that carries it.
#pragma once

#include <optional>
#include <string_view>

#include "trace-io/import/ranks/imported_rank.hpp"
#include "trace-io/model/procedure.hpp"

namespace reprise::trace_io {

inline constexpr std::string_view kFieldAttribute = "reprise:fields";
// Likewise of an export of ours (OTF2): a call's path with its lines, a calling context; and the canonical name of the region that
// stands for the whole program and is in no call path.
inline constexpr std::string_view kCallPathAttribute = "reprise:call_path",
                                  kRunRegion = "reprise:run";

// Fills in the call; false where the text does not have the procedure's fields. Requests are started and completed at `rank`.
// Communicators are numbers of the job.
bool add_fields_of_text(ImportedRank& rank, const ImportedJob&, const Procedure&,
                        std::string_view text, ImportedCall&);

}  // namespace reprise::trace_io
