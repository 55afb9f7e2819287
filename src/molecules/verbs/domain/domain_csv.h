#pragma once

#include <string>
#include <vector>

#include "molecules/judging/judge.h"
#include "molecules/judging/predictions/decision.h"
#include "molecules/verbs/describe/property_columns.h"
#include "molecules/verbs/describe/result_table.h"
#include "molecules/verbs/domain/domain_inputs.h"
#include "molecules/verbs/predictions/prediction_words.h"
#include "molgauge/domain.h"

namespace molgauge::verbs {

/// The name of the column that domain.csv has if the request has a label column.
inline constexpr const char* kExpectedError = "domain_expected_error";

/// The columns that domain.csv adds to the columns of the input, in order.
std::vector<std::string> domain_columns(const domain::SavedDomain& saved, bool judges_predictions = false,
                                        bool describes = false);

/// domain.csv and its copies: the columns and rows of the input, with the results.
class DomainCsv {
 public:
  /// Construct it after all `candidates` were read. Throws InputError if a column of the input has the name
  /// of an added column.
  DomainCsv(const DomainRequest& request, const domain::SavedDomain& saved, const CandidateList& candidates,
            std::size_t threads);

  /// `outcome`: the result for the prediction of the candidate. It is null if predictions are not judged or
  /// the record is unreadable. `advice`: the decision of `rules`. `properties`: with `describe`, the
  /// properties of the candidate.
  void append(const CandidateRow& row, const domain::Candidate& candidate, const domain::Judgement& judgement,
              const domain::PredictionOutcome* outcome, const domain::DecisionRules& rules,
              const domain::Advice& advice, const verbs::OptionalProperties& properties);
  void finish() { file_.finish(); }

 private:
  const domain::SavedDomain& saved_;
  std::vector<std::string> columns_;
  bool adds_smiles_, judges_predictions_, describes_;
  ResultTable file_;
};

}  // namespace molgauge::verbs
