#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "baselines/run/baseline_run.h"
#include "matrix/cell_result.h"
#include "session/baselines/baseline_method.h"
#include "session/matrix/matrix_features.h"

namespace headroom::session {

/// Everything but benchmark and features that the result of a baseline depends on.
std::string baseline_identity(const BaselineRequest& request);

/// Runs the baselines of a matrix. Methods that read the same classifier share one: the cell that comes first
/// trains it, others wait. Safe from several threads.
class BaselineCells {
 public:
  /// `identity.data` tells benchmarks, draws and encoders apart. Writes config.json, METHOD_scores.npz and
  /// METHOD_results.json into the folder, as `headroom baseline` does, and detailed_predictions.csv.
  matrix::CellResult run(const BaselineRequest& request, const MatrixSides& sides,
                         const baselines::BaselineIdentity& identity, const std::filesystem::path& folder);

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
