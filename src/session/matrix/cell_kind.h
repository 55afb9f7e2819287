#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "experiment/spec.h"
#include "headroom/memory_plan.h"
#include "matrix/cell.h"
#include "matrix/cell_result.h"
#include "memory/plan/memory_shares.h"
#include "memory/plan/step_model.h"
#include "session/matrix/matrix_benchmarks.h"
#include "session/matrix/matrix_features.h"

namespace headroom::session {

/// What a run of a matrix is projected to take in tensors, and how its steps are run to that end.
struct CellPlan {
  memory::ShareSize size;  ///< features are shared by the runs on the same molecules
  MemoryPlan report;
  std::optional<memory::StepSettings> way;  ///< where there is a choice, and one that fits

  std::uint64_t bytes() const { return size.own + size.shared; }
};

/// Bytes for the tensors of `jobs` runs at once.
struct CellRoom {
  std::uint64_t bytes = 0;
  std::size_t jobs = 1;
};

/// A cell, and what it is a cell of.
struct CellOfMatrix {
  const matrix::Cell& cell;
  const experiment::Spec& spec;
  const MatrixBenchmarks& benchmarks;

  const datasets::OodBenchmark& drawn() const { return benchmarks.drawn(cell.benchmark, cell.data_seed); }
};

/// A run that begins now.
struct CellRun {
  const MatrixSides& sides;
  const CellPlan& plan;
  std::string features_identity;  ///< of the encoder
  std::string data_identity;      ///< tells benchmarks, draws and encoders apart
  std::filesystem::path folder;
  bool spreadsheet_safe = false;  ///< of the CSV files
};

/// What runs the cells of one kind of methods (experiment/method_kinds.h). One object serves a matrix; all
/// methods may be called from several threads.
class CellKind {
 public:
  virtual ~CellKind() = default;

  /// Throws InputError naming the specification's line when the cell's options do not go together.
  virtual void require_valid(const experiment::Spec& spec, const matrix::Cell& cell) const = 0;
  /// Throws InputError when the molecules that were drawn do not suffice, before anything is computed.
  virtual void require_sufficient(const CellOfMatrix& /*cell*/) const {}
  /// Everything but benchmark and features that the result depends on.
  virtual std::string identity(const experiment::Spec& spec, const matrix::Cell& cell) const = 0;
  /// Of the loss of a run whose pairs of molecules have weights (ood/losses/hard_pairs.h), beta; else
  /// nothing.
  virtual std::optional<double> pair_beta(const experiment::Spec& /*spec*/,
                                          const matrix::Cell& /*cell*/) const {
    return std::nullopt;
  }

  /// Everything that the memory of a run depends on: cells with the same text are planned once.
  virtual std::string memory_identity(const CellOfMatrix& cell, const MatrixSizes& sizes) const = 0;
  /// Without what runs share. No other thread makes tensors meanwhile.
  virtual CellPlan plan(const CellOfMatrix& cell, const MatrixSizes& sizes, const CellRoom& room) const = 0;

  /// Computes a cell with one thread, as planned, and writes its folder.
  virtual matrix::CellResult run(const CellOfMatrix& cell, const CellRun& run) = 0;
};

/// One of each kind, for a matrix.
class CellKinds {
 public:
  CellKinds();
  CellKind& of(const matrix::Cell& cell) const;

 private:
  std::map<std::string, std::unique_ptr<CellKind>> kinds_;  ///< by the name of the MethodKind
};

/// Adds the kind of cells that runs the methods of a MethodKind, for all matrices that begin after it.
void add_cell_kind(const std::string& method_kind, std::unique_ptr<CellKind> (*make)());

}  // namespace headroom::session
