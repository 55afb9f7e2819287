#pragma once

#include <string>
#include <vector>

#include "molecules/experiments/matrix/matrix.h"

namespace molgauge::matrix {

inline CellOutcome outcome_of(const std::string& method, std::uint64_t seed, double auroc,
                              double validation_auroc = 0.5) {
  CellOutcome outcome;
  outcome.cell = {"nci", "ecfp", method, "energy-head", {}, {}, seed, 42};
  CellResult result;
  result.auroc = auroc;
  result.aupr = auroc / 2;
  result.fpr95 = 1 - auroc;
  result.validation_auroc = validation_auroc;
  outcome.ended.result = result;
  return outcome;
}

inline CellOutcome failed_outcome(const std::string& method, std::uint64_t seed, const std::string& error) {
  CellOutcome outcome;
  outcome.cell = {"nci", "ecfp", method, "energy-head", {}, {}, seed, 42};
  outcome.ended.error = error;
  return outcome;
}

inline CellOutcome grid_outcome(double beta, double auroc, double validation_auroc) {
  CellOutcome outcome = outcome_of("dpo", 1, auroc, validation_auroc);
  outcome.cell.options["dpo-beta"] = outcome.cell.grid["dpo-beta"] = beta;
  return outcome;
}

}  // namespace molgauge::matrix
