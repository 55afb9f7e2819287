#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "baselines/classifier/classifier_plan.h"
#include "experiment/spec.h"
#include "headroom/baseline.h"
#include "headroom/memory_plan.h"
#include "matrix/cell.h"
#include "memory/plan/memory_shares.h"
#include "memory/plan/step_model.h"
#include "ood/run/training_options.h"
#include "session/matrix/matrix_benchmarks.h"
#include "session/matrix/matrix_features.h"

namespace headroom::session {

/// What a run of a matrix is projected to take in tensors, and how its steps are run to that end.
struct CellPlan {
  memory::ShareSize size;  ///< features are shared by the runs on the same molecules
  MemoryPlan report;
  std::optional<memory::StepSettings> way;  ///< of an energy head whose training fits

  std::uint64_t bytes() const { return size.own + size.shared; }
};

/// Plans runs of a matrix before any of them begins. A run gets its part of the room where it then fits, all
/// of it else. Runs that take the same memory are planned once.
class MatrixPlan {
 public:
  /// `room`: bytes for the tensors of `jobs` runs at once. All arguments outlive the object.
  MatrixPlan(const experiment::Spec& spec, const MatrixBenchmarks& benchmarks, const MatrixFeatures& features,
             std::uint64_t room, std::size_t jobs);

  /// No other thread makes tensors meanwhile, and the planner alone keeps to the room.
  void add(const matrix::Cell& cell);
  /// Of a cell that was added. Safe from several threads.
  const CellPlan& of(const matrix::Cell& cell) const { return cells_.at(cell.folder()); }

  /// Of the run that takes least, and of the one that takes most; each in the way that takes least where it
  /// does not fit.
  std::uint64_t smallest_bytes() const;
  std::uint64_t largest_bytes() const;
  /// What the runs at once take together, at most.
  std::uint64_t bytes_at_once() const;

 private:
  CellPlan plan(const matrix::Cell& cell);
  CellPlan plan_head(const ood::TrainingOptions& options, const MatrixSizes& sizes);
  CellPlan plan_baseline(const baselines::ClassifierOptions& options,
                         const baselines::ClassifierSizes& classifier, const MatrixSizes& sizes,
                         const BaselineRequest& request);

  const experiment::Spec& spec_;
  const MatrixBenchmarks& benchmarks_;
  const MatrixFeatures& features_;
  std::uint64_t room_;
  std::size_t jobs_;
  std::map<std::string, CellPlan> planned_;  ///< by what the memory of a run depends on
  std::map<std::string, CellPlan> cells_;    ///< by folder
};

}  // namespace headroom::session
