#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/matrix/cell.h"
#include "experiments/matrix/cell_result.h"

namespace headroom::matrix {

/// Runs single cells. identity() and run() are called from several threads at once.
class CellRunner {
 public:
  virtual ~CellRunner() = default;
  /// Called once, before anything runs, with the cells that are not finished; `jobs` of them run at once.
  virtual void prepare(const std::vector<Cell>& /*cells*/, std::size_t /*jobs*/) {}
  /// Everything that the result depends on, as text: a cell whose identity changed is computed again.
  virtual std::string identity(const Cell& cell) = 0;
  /// Runs a cell in its folder, which is empty or has the files of an interrupted run of the same identity.
  virtual CellResult run(const Cell& cell, const std::filesystem::path& folder) = 0;
};

struct MatrixOptions {
  std::filesystem::path folder;  ///< folder of the matrix
  std::size_t jobs = 1;          ///< cells at once
  bool quiet = false;
};

/// A cell and how it ended.
struct CellOutcome {
  Cell cell;
  EndedCell ended;
  bool found = false;  ///< finished by an earlier run
};

/// The cells that no earlier run of the matrix in this folder has finished.
std::vector<Cell> unfinished_cells(const std::vector<Cell>& cells, CellRunner& runner,
                                   const std::filesystem::path& folder);

/// Writes plan.csv and runs every cell that is not finished yet; the outcomes are in the order of the cells.
/// A cell that fails is recorded with its error, does not stop the others, and is tried again by the next run
/// of the matrix. After kill -9, a cell continues from its checkpoint.
///
/// No other process works on the folder meanwhile: the caller holds a FolderLock. Throws Interrupted once the
/// user has asked to stop (finished cells are kept).
std::vector<CellOutcome> run_matrix(const std::vector<Cell>& cells, CellRunner& runner,
                                    const MatrixOptions& options);

}  // namespace headroom::matrix
