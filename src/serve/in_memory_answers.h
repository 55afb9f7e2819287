#pragma once

#include "serve/job_work.h"

/// Answers to short lists, which need neither a job nor a file.
namespace headroom::serve {

/// A list that is answered at once.
inline constexpr std::size_t kMaxAtHand = 256;

/// {"model", "kind", "rows", "counts", ...}. `fields`: names of the predictions in the list, or empty. Throws
/// the errors of the engine.
Json judge_at_hand(const Model& model, const std::vector<ListedMolecule>& list,
                   const PredictionFields& fields, const Tools& tools);
/// {"encoder", "columns", "rows"}, as text, for it is long.
std::string encode_at_hand(const std::string& encoder, const std::vector<ListedMolecule>& list, bool as_lines,
                           const Tools& tools);

/// The result as a page of its own, for readers without JavaScript.
std::string result_page(const Json& result, const Tools& tools);

}  // namespace headroom::serve
