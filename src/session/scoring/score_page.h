#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "domain/judge.h"
#include "report/domain_page.h"
#include "session/scoring/held_out.h"
#include "session/scoring/ood_verdict.h"

namespace headroom::session {

/// Molecules that a run has scored, as a page lists them.
struct ScoredList {
  /// What the file says of a molecule.
  struct Text {
    std::string name, smiles;
    std::string problem;  ///< why it has no score; empty where that is not known
  };

  std::string run;            ///< folder
  std::string score_name;     ///< of the column
  std::vector<float> scores;  ///< NaN: the molecule has none; -infinity: the run was trained on it
  /// Of the row with this number; asked for the rows of the page alone.
  std::function<Text(std::size_t row)> text;
};

/// Before anything is computed: throws UsageError where `page` is no .html file, or the verdict has no
/// threshold, so that a page could not say anything.
void require_page(const std::string& page, const std::string& run, const OodVerdict& verdict);

/// The verdicts on the list as a whole, by the run's held-out molecules. A score above the verdict's
/// threshold is `borderline`, or `outside` where that holds after correction for the length of the list
/// (Benjamini and Hochberg); above a threshold that was asked for it is `outside`.
std::vector<domain::Judgement> judge_scores(const ScoredList& list, const HeldOutScores& held_out,
                                            const OodVerdict& verdict);

/// The page of such a list: as that of `headroom domain`, but without what a run does not know. `rows`: those
/// of the page, in their order, as page_order() gives them.
report::DomainPage score_page(const ScoredList& list, const HeldOutScores& held_out,
                              const OodVerdict& verdict, const std::vector<domain::Judgement>& judgements,
                              const std::vector<std::size_t>& rows);

/// Draws the molecules of its rows from their SMILES.
void draw_from_smiles(report::DomainPage& page, std::size_t threads);

}  // namespace headroom::session
