// SPDX-License-Identifier: MIT
// The seeds and recordings of one point as one answer.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace reprise::sim {

// ROWS: by seed or recording, nullptr where there is none yet. The status is "done" where all are; else that of the first that is not ("missing" where
// it has no row), with its reason ("2 of 5 simulations" are missing); times then are those of the seeds that are done, and absent where none is.
// Times: the median, the least and the greatest over seeds; of figures means over the seeds that tell them; band, losses and changes without
// effect of the first seed, remarks of all.
nlohmann::ordered_json point_answer(const std::vector<const nlohmann::ordered_json*>& rows);

// "speedup": the baseline's median time over the point's, of the seeds and recordings that both have; null where there are none.
void set_speedup(nlohmann::ordered_json& point,
                 const std::vector<const nlohmann::ordered_json*>& rows,
                 const std::vector<const nlohmann::ordered_json*>& baseline);

}  // namespace reprise::sim
