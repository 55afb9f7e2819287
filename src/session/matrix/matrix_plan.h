#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "session/matrix/cell_kind.h"

namespace headroom::session {

/// Plans runs of a matrix before any of them begins. Runs that take the same memory are planned once.
class MatrixPlan {
 public:
  /// All arguments outlive the object.
  MatrixPlan(const experiment::Spec& spec, const MatrixBenchmarks& benchmarks, const MatrixFeatures& features,
             const CellKinds& kinds, const CellRoom& room)
      : spec_(spec), benchmarks_(benchmarks), features_(features), kinds_(kinds), room_(room) {}

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
  const experiment::Spec& spec_;
  const MatrixBenchmarks& benchmarks_;
  const MatrixFeatures& features_;
  const CellKinds& kinds_;
  CellRoom room_;
  std::map<std::string, CellPlan> planned_;  ///< by what the memory of a run depends on
  std::map<std::string, CellPlan> cells_;    ///< by folder
};

}  // namespace headroom::session
