#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/core/hash.h"
#include "molecules/judging/judge.h"
#include "molecules/pages/domain_page.h"
#include "molecules/verbs/predictions/candidate_predictions.h"
#include "molecules/verbs/score/run_scorer.h"

namespace molgauge::verbs {

/// Uses a saved domain (`molgauge domain --save`) as a run. The score is the distance to the training
/// molecules, calibrated by leaving out training molecules.
class DomainRun final : public RunScorer {
 public:
  /// Throws InputError if the folder is damaged, or if its encoder differs from the requested one.
  DomainRun(const ScoreRequest& request, runtime::BudgetScope& memory, session::EncoderCache* kept);

  session::EncodingSession& session() override { return session_; }
  std::string score_name() const override;
  const HeldOutScores& held_out() const override { return held_out_; }
  std::size_t batch_size() const override;
  bool reads_records() const override { return true; }
  runtime::MemoryRequirement need(std::size_t rows, std::size_t rows_at_once,
                                  std::uint64_t bytes_a_row) const override;
  BlockScores score(const ScoredBlock& block) const override;
  std::optional<chem::Standardization> standardize() const override;
  const domain::SavedDomain& saved() const { return saved_; }

  /// The rows of a page. `numbers` are their indices in the list. `keys` and `judgements` have one entry for
  /// each molecule of the list.
  struct ListedRows {
    const std::vector<std::size_t>& numbers;
    const std::vector<Hash128>& keys;
    const std::vector<domain::Judgement>& judgements;
  };
  /// The user's predictions for the molecules of the list.
  struct ListedPredictions {
    const domain::PredictionCalibration& calibration;
    std::function<CandidatePredictions::Judged(std::size_t number)> of;  ///< result by index in the list
  };
  /// Adds the nearest training molecules and the unfamiliar parts of each row, and the map. Draws all
  /// molecules. `predictions` is null unless predictions are shown.
  void show_training(const ListedRows& rows, const ListedPredictions* predictions, std::size_t threads,
                     report::DomainPage& page);

 private:
  std::vector<domain::Candidate> candidates(const ScoredBlock& block) const;

  domain::SavedDomain saved_;
  session::EncodingSession session_;
  std::unique_ptr<const domain::Judge> judge_;
  HeldOutScores held_out_;
};

}  // namespace molgauge::verbs
