#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "domain/judge.h"
#include "headroom/evaluate.h"
#include "report/domain_page.h"
#include "session/scoring/held_out.h"
#include "session/scoring/ood_verdict.h"

namespace headroom::session {

/// Molecules with the scores of a run, for the list of a page.
struct ScoredList {
  /// The text of the file on a molecule.
  struct Text {
    std::string name, smiles;
    std::string problem = {};  ///< the reason why it has no score; empty where unknown
    /// As in headroom::ScoredMolecule; NaN where the run has none.
    double deviation = ScoredMolecule::kNone, disagreement = ScoredMolecule::kNone,
           ood_probability = ScoredMolecule::kNone;
  };

  std::string run;            ///< folder
  std::string score_name;     ///< name of the score column
  std::vector<float> scores;  ///< NaN: the molecule has none; -infinity: a training molecule
  /// The text of the row with this index; called only for the rows of the page.
  std::function<Text(std::size_t row)> text;
};

/// To be called before any computation: throws UsageError where `page` is not an .html file, or the verdict
/// has no threshold, so that the page would have no content.
void require_page(const std::string& page, const std::string& run, const OodVerdict& verdict);

/// The verdicts on the whole list, by comparison with the run's held-out molecules. A score above the
/// verdict's threshold is `borderline`, or `outside` if it remains so after correction for the length of the
/// list (Benjamini and Hochberg); above a requested threshold it is `outside`.
std::vector<domain::Judgement> judge_scores(const ScoredList& list, const HeldOutScores& held_out,
                                            const OodVerdict& verdict);

/// The page of such a list: like that of `headroom domain`, but without facts that a run does not have.
/// `rows`: the rows of the page, in the order of page_order().
report::DomainPage score_page(const ScoredList& list, const HeldOutScores& held_out,
                              const OodVerdict& verdict, const std::vector<domain::Judgement>& judgements,
                              const std::vector<std::size_t>& rows);

/// Draws the molecules of its rows from their SMILES.
void draw_from_smiles(report::DomainPage& page, std::size_t threads);

}  // namespace headroom::session
