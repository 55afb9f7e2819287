#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/memory/plan/memory_shares.h"
#include "base/memory/plan/step_model.h"
#include "molecules/experiments/matrix/cell.h"
#include "molecules/experiments/matrix/cell_result.h"
#include "molecules/experiments/specification/spec.h"
#include "molecules/verbs/experiment/matrix_benchmarks.h"
#include "molecules/verbs/experiment/matrix_features.h"
#include "molecules/verbs/experiment/matrix_tuning.h"
#include "molgauge/memory_plan.h"

namespace molgauge::verbs {

/// The projected memory of the tensors of a run, and the settings of its steps.
struct CellPlan {
  /// All runs that use the same molecules share their features in memory. A run that trains its encoder has
  /// its own features.
  memory::ShareSize size;
  MemoryPlan report;
  std::optional<memory::StepSettings> strategy;  ///< settings, if any settings fit

  std::uint64_t bytes() const { return size.own + size.shared; }
};

/// Bytes for the tensors of `jobs` concurrent runs.
struct CellRoom {
  std::uint64_t bytes = 0;
  std::size_t jobs = 1;
  bool is_on_gpu = false;
};

/// A cell with its specification, its benchmarks and the outputs of its frozen layers.
struct CellOfMatrix {
  const matrix::Cell& cell;
  const experiment::Spec& spec;
  const MatrixBenchmarks& benchmarks;
  const MatrixTuning* tuning = nullptr;  ///< set for cells that train their encoder

  const datasets::OodBenchmark& drawn() const { return benchmarks.drawn(cell.benchmark, cell.data_seed); }
};

/// The inputs of a run that is about to begin.
struct CellRun {
  const MatrixSides& sides;  ///< data of the benchmark, without features if the encoder is trained
  const CellPlan& plan;
  const session::EncodingSettings& encoding;  ///< settings for encoding the molecules of the matrix
  std::string features_identity;              ///< identity of the encoder's features
  std::string data_identity;                  ///< differs between benchmarks, draws and encoders
  std::filesystem::path folder;
  bool spreadsheet_safe = false;  ///< texts of the CSV files are safe for spreadsheets
};

/// Runs the cells of one kind of methods (molecules/experiments/specification/method_kinds.h). One object
/// serves a matrix. All methods may be called from several threads.
class CellKind {
 public:
  virtual ~CellKind() = default;

  /// Throws InputError with the line of the specification if the options of the cell contradict each other.
  virtual void require_valid(const experiment::Spec& spec, const matrix::Cell& cell) const = 0;
  /// Throws InputError if there are too few drawn molecules, before anything is computed.
  virtual void require_sufficient(const CellOfMatrix& /*cell*/) const {}
  /// Whether the cell also trains the last layers of its encoder. Such a cell does not share its features.
  virtual bool trains_encoder(const experiment::Spec& /*spec*/, const matrix::Cell& /*cell*/) const {
    return false;
  }
  /// A text with all settings that determine the result, except benchmark and features.
  virtual std::string identity(const experiment::Spec& spec, const matrix::Cell& cell) const = 0;
  /// The beta of the loss of a run, if this loss weights pairs of molecules
  /// (molecules/ood/losses/hard_pairs.h). Not set for other losses.
  virtual std::optional<double> pair_beta(const experiment::Spec& /*spec*/,
                                          const matrix::Cell& /*cell*/) const {
    return std::nullopt;
  }

  /// A text with all settings that determine the memory of a run. Cells with the same text are planned once.
  virtual std::string memory_identity(const CellOfMatrix& cell, const MatrixSizes& sizes) const = 0;
  /// Plans a run, without the memory that runs share. No other thread may create tensors during this time.
  virtual CellPlan plan(const CellOfMatrix& cell, const MatrixSizes& sizes, const CellRoom& room) const = 0;

  /// Computes a cell with one thread, according to its plan, and writes its folder.
  virtual matrix::CellResult run(const CellOfMatrix& cell, const CellRun& run) = 0;
};

/// The kinds of the methods of molecules/experiments/specification/method_kinds.h.
std::unique_ptr<CellKind> energy_cells();
std::unique_ptr<CellKind> baseline_cells();

/// The CellKinds of a matrix, one object for each kind.
class CellKinds {
 public:
  CellKinds() : energy_(energy_cells()), baselines_(baseline_cells()) {}
  CellKind& of(const matrix::Cell& cell) const;

 private:
  std::unique_ptr<CellKind> energy_, baselines_;
};

}  // namespace molgauge::verbs
