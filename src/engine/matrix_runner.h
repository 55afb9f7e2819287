#pragma once

#include <string>

#include "engine/baseline_cells.h"
#include "engine/matrix_benchmarks.h"
#include "engine/matrix_features.h"
#include "experiment/matrix.h"

namespace headroom::verbs {

/// Runs the cells of a matrix, each with one thread: energy methods and baselines.
class MatrixRunner : public experiment::CellRunner {
 public:
  MatrixRunner(const experiment::Spec& spec, const MatrixBenchmarks& benchmarks, MatrixFeatures& features)
      : spec_(spec), benchmarks_(benchmarks), features_(features) {}

  std::string identity(const experiment::Cell& cell) override;
  experiment::CellResult run(const experiment::Cell& cell, const std::filesystem::path& folder) override;

 private:
  std::string data_identity(const experiment::Cell& cell) const;

  const experiment::Spec& spec_;
  const MatrixBenchmarks& benchmarks_;
  MatrixFeatures& features_;
  BaselineCells baselines_;
};

}  // namespace headroom::verbs
