#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "molecules/baselines/run/baseline_run.h"
#include "molecules/verbs/experiment/cell_kind.h"
#include "molgauge/baseline.h"

namespace molgauge::verbs {

/// Runs the baselines of a matrix. Methods with the same classifier share it. The first cell trains the
/// classifier, and other cells with this classifier wait. The folder of a cell is a folder of `molgauge
/// baseline` with this method only, and `molgauge score` accepts it. The folder also contains
/// detailed_predictions.csv.
class BaselineCells final : public CellKind {
 public:
  void require_valid(const experiment::Spec& spec, const matrix::Cell& cell) const override;
  void require_sufficient(const CellOfMatrix& cell) const override;
  std::string identity(const experiment::Spec& spec, const matrix::Cell& cell) const override;
  std::string memory_identity(const CellOfMatrix& cell, const MatrixSizes& sizes) const override;
  CellPlan plan(const CellOfMatrix& cell, const MatrixSizes& sizes, const CellRoom& room) const override;
  matrix::CellResult run(const CellOfMatrix& cell, const CellRun& run) override;

 private:
  struct Trained {
    std::mutex mutex;
    std::shared_ptr<baselines::Classifier> classifier;  ///< null until it is trained
    ClassifierReport report;
  };
  std::shared_ptr<Trained> entry(const std::string& identity);

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Trained>> trained_;  ///< all classifiers stay in memory, because each
                                                             ///< has only 200 KB
};

}  // namespace molgauge::verbs
