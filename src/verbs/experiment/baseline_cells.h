#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "headroom/baseline.h"
#include "models/baselines/run/baseline_run.h"
#include "verbs/experiment/cell_kind.h"

namespace headroom::session {

/// The baselines of a matrix. Methods that read the same classifier share it. The first cell trains it, and
/// the other cells wait. The folder of a cell becomes a folder of `headroom baseline` with this one method.
/// `headroom score` accepts it. It also contains detailed_predictions.csv.
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
    std::shared_ptr<baselines::Classifier> classifier;  ///< none: not trained yet
    ClassifierReport report;
  };
  std::shared_ptr<Trained> entry(const std::string& identity);

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Trained>> trained_;  ///< small: 200 KB each
};

}  // namespace headroom::session
