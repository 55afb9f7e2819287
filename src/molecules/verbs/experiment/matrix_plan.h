#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "molecules/verbs/experiment/cell_kind.h"

namespace molgauge::verbs {

/// Plans the runs of a matrix before any of them begins. If several runs need the same memory, only one of
/// them is planned.
class MatrixPlan {
 public:
  /// All arguments must outlive the object.
  MatrixPlan(const experiment::Spec& spec, const MatrixBenchmarks& benchmarks, const MatrixFeatures& features,
             const MatrixTuning& tuning, const CellKinds& kinds, const CellRoom& room)
      : spec_(spec),
        benchmarks_(benchmarks),
        features_(features),
        tuning_(tuning),
        kinds_(kinds),
        room_(room) {}

  /// Plans a cell. No other thread may create tensors at the same time. The planner itself stays within the
  /// budget.
  void add(const matrix::Cell& cell);
  /// The plan of a cell that was added. Thread safe.
  const CellPlan& of(const matrix::Cell& cell) const { return cells_.at(cell.folder()); }

  /// Planned bytes of the smallest and of the largest run. If no settings of a run fit, these are the bytes
  /// of its smallest settings.
  std::uint64_t smallest_bytes() const;
  std::uint64_t largest_bytes() const;
  /// Upper bound of the bytes of all parallel runs.
  std::uint64_t bytes_at_once() const;

 private:
  const experiment::Spec& spec_;
  const MatrixBenchmarks& benchmarks_;
  const MatrixFeatures& features_;
  const MatrixTuning& tuning_;
  const CellKinds& kinds_;
  CellRoom room_;
  std::map<std::string, CellPlan> planned_;  ///< plans by CellKind::memory_identity()
  std::map<std::string, CellPlan> cells_;    ///< plans by folder
};

}  // namespace molgauge::verbs
