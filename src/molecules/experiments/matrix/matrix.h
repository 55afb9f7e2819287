#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "molecules/experiments/matrix/cell.h"
#include "molecules/experiments/matrix/cell_result.h"

namespace molgauge::matrix {

/// Runs single cells. Several threads call identity() and run() at once.
class CellRunner {
 public:
  virtual ~CellRunner() = default;
  /// Called once with the unfinished cells, before the first cell runs. `jobs`: number of cells that run in
  /// parallel.
  virtual void prepare(const std::vector<Cell>& /*cells*/, std::size_t /*jobs*/) {}
  /// Returns a text with all settings and inputs that determine the result. A cell is computed again if the
  /// text has changed.
  virtual std::string identity(const Cell& cell) = 0;
  /// Runs a cell in its folder. The folder is empty or contains an interrupted run of the same identity.
  virtual CellResult run(const Cell& cell, const std::filesystem::path& folder) = 0;
};

struct MatrixOptions {
  std::filesystem::path folder;  ///< folder of the matrix
  std::size_t jobs = 1;          ///< cells in parallel
  bool quiet = false;
};

/// A cell and its result.
struct CellOutcome {
  Cell cell;
  EndedCell ended;
  bool found = false;  ///< finished by an earlier run
};

/// Returns the cells that no earlier run of the matrix in this folder has finished.
std::vector<Cell> unfinished_cells(const std::vector<Cell>& cells, CellRunner& runner,
                                   const std::filesystem::path& folder);

/// Writes plan.csv and runs every unfinished cell. The outcomes are in the order of the cells. If a cell
/// fails, its error is recorded and the other cells continue. The next run of the matrix repeats the failed
/// cell. After kill -9, a cell continues from its checkpoint.
///
/// The caller must hold a FolderLock, so that no other process uses the folder. Throws Interrupted if the
/// user asks to stop. Finished cells are kept.
std::vector<CellOutcome> run_matrix(const std::vector<Cell>& cells, CellRunner& runner,
                                    const MatrixOptions& options);

}  // namespace molgauge::matrix
