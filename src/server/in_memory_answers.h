#pragma once

#include "server/job_work.h"

/// Answers to short lists, which need no job and no file.
namespace molgauge::serve {

/// Maximum number of molecules in a list that is answered without a job.
inline constexpr std::size_t kMaxAtHand = 256;

/// Returns {"model", "kind", "rows", "counts", ...}. `fields`: names of the predictions in the list, or
/// empty. `describe`: whether the rows of a domain have properties. Throws the errors of the engine.
Json judge_at_hand(const Model& model, const std::vector<ListedMolecule>& list,
                   const PredictionFields& fields, bool describe, const Tools& tools);
/// Returns {"encoder", "columns", "rows"} as text, because it is long.
std::string encode_at_hand(const std::string& encoder, const std::vector<ListedMolecule>& list, bool as_lines,
                           const Tools& tools);

/// Returns the result as a separate page, for users without JavaScript.
std::string result_page(const Json& result, const Tools& tools);

}  // namespace molgauge::serve
