#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "molecules/judging/judge.h"
#include "molecules/pages/domain_page.h"
#include "molecules/verbs/score/held_out.h"
#include "molecules/verbs/score/ood_verdict.h"
#include "molgauge/evaluate.h"

namespace molgauge::verbs {

/// Molecules with the scores of a run, for the list of a page.
struct ScoredList {
  /// The texts and numbers of a molecule in the result file.
  struct Text {
    std::string name, smiles;
    std::string problem = {};  ///< why the molecule has no score. Empty if unknown
    /// As in molgauge::ScoredMolecule.
    double deviation = ScoredMolecule::kNone, disagreement = ScoredMolecule::kNone;
  };

  std::string run;            ///< folder
  std::string score_name;     ///< name of the score column
  std::vector<float> scores;  ///< NaN if a molecule has no score, -infinity for a training molecule
  /// Returns the text of the row with this index. Called only for the rows of the page.
  std::function<Text(std::size_t row)> text;
};

/// Call it before any computation. Throws UsageError if `page` is not an .html file, or if the verdict has no
/// threshold, because the page would be empty.
void require_page(const std::string& page, const std::string& run, const OodVerdict& verdict);

/// Compares the scores with the held-out molecules of the run, and returns the verdicts. Each verdict depends
/// only on its score. A score above the threshold is `borderline`, or `outside` if its p-value is at most
/// outside_level(). A score above a requested threshold is `outside`.
std::vector<domain::Judgement> judge_scores(const ScoredList& list, const HeldOutScores& held_out,
                                            const OodVerdict& verdict);

/// Makes the page of a list. It is the page of `molgauge domain` without the parts that need a saved domain.
/// `rows`: the rows of the page, in the order of page_order().
report::DomainPage score_page(const ScoredList& list, const HeldOutScores& held_out,
                              const OodVerdict& verdict, const std::vector<domain::Judgement>& judgements,
                              const std::vector<std::size_t>& rows);

/// Draws the molecules of the rows of a page from their SMILES.
void draw_from_smiles(report::DomainPage& page, std::size_t threads);

}  // namespace molgauge::verbs
