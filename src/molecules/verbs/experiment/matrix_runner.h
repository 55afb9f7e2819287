#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <string>

#include "base/memory/plan/memory_shares.h"
#include "base/runtime/budget_scope.h"
#include "molecules/experiments/matrix/matrix.h"
#include "molecules/verbs/experiment/cell_kind.h"
#include "molecules/verbs/experiment/matrix_benchmarks.h"
#include "molecules/verbs/experiment/matrix_features.h"

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

/// Runs the cells of a matrix. Each cell uses one thread. As many cells run at once as fit in memory
/// according to their plans. A cell fails if it does not fit even alone, or if it cannot be planned.
class MatrixRunner : public matrix::CellRunner {
 public:
  /// All arguments must outlive the object. `spreadsheet_safe`: whether the texts in the CSV files of the
  /// runs are made safe for spreadsheets.
  MatrixRunner(const experiment::Spec& spec, const MatrixBenchmarks& benchmarks, MatrixFeatures& features,
               const MatrixTuning& tuning, const CellKinds& kinds, runtime::BudgetScope& memory,
               bool spreadsheet_safe)
      : spec_(spec),
        benchmarks_(benchmarks),
        features_(features),
        tuning_(tuning),
        kinds_(kinds),
        memory_(memory),
        spreadsheet_safe_(spreadsheet_safe) {}

  /// Declares the memory that these runs need after their molecules are encoded.
  void declare_requirement(const std::vector<matrix::Cell>& cells);

  /// Throws Error with exit code 4 if the smallest run does not fit.
  void prepare(const std::vector<matrix::Cell>& cells, std::size_t jobs) override;
  /// The projected peak of the process or the device, in bytes. 0 if all runs were already finished.
  std::uint64_t projected_peak() const { return projected_peak_; }

  std::string identity(const matrix::Cell& cell) override;
  matrix::CellResult run(const matrix::Cell& cell, const std::filesystem::path& folder) override;

 private:
  std::string data_identity(const matrix::Cell& cell) const;
  void plan(const std::vector<matrix::Cell>& cells, std::size_t jobs, std::uint64_t bytes);

  const experiment::Spec& spec_;
  const MatrixBenchmarks& benchmarks_;
  MatrixFeatures& features_;
  const MatrixTuning& tuning_;
  const CellKinds& kinds_;
  runtime::BudgetScope& memory_;
  bool spreadsheet_safe_;
  std::optional<MatrixPlan> plan_;
  std::map<std::string, std::exception_ptr> refused_;  ///< the reason why a run cannot be planned, by folder
  std::optional<memory::MemoryShares> shares_;
  std::uint64_t projected_peak_ = 0;
};

}  // namespace molgauge::verbs
