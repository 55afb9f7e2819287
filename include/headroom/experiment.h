#pragma once

#include <string>
#include <vector>

#include "headroom/conformers.h"
#include "headroom/types.h"

namespace headroom {

struct ExperimentReport;

/// `headroom experiment`: a matrix of benchmarks, encoders, methods and seeds.
struct ExperimentRequest {
  using Report = ExperimentReport;

  std::string spec;  ///< TOML (docs/reference/formats.md)
  std::string out;   ///< folder of the matrix; finished runs are reused
  std::string
      data_path;         ///< folder of the files in the specification; empty: the folder of the specification
  std::size_t jobs = 0;  ///< runs at once; 0: as many as threads
  bool plan_only = false;      ///< check and count everything, but compute nothing
  std::string store, weights;  ///< folders, as in EncodeRequest
  PlacementOptions placement;  ///< options for 3D encoders
  /// Write an apostrophe in CSV files before a text that a spreadsheet would evaluate as a formula
  /// (docs/reference/formats.md).
  bool spreadsheet_safe = false;
  ComputeOptions compute;
};

struct MeanAndDeviation {
  double mean = 0, standard_deviation = 0;  ///< mean and deviation of the sample; deviation 0 for one run
};

/// A method, or a point of its grid, over all seeds.
struct ExperimentRow {
  std::string benchmark, encoder, variant;
  std::size_t runs = 0, failed = 0;
  MeanAndDeviation auroc, aupr, fpr95;  ///< figures on the test molecules
  MeanAndDeviation validation_auroc;    ///< AUROC on the validation molecules, which chose the epoch and come
                                        ///< from the domains of the training
};

struct ExperimentReport {
  std::size_t runs = 0;         ///< runs of the matrix
  std::size_t computed = 0;     ///< runs computed by this call
  std::size_t failed = 0;       ///< failed runs, which are in cells.csv with their error
  std::size_t over_budget = 0;  ///< failed runs that do not fit the memory budget
  std::vector<ExperimentRow> rows;
  std::size_t failed_records = 0;                ///< molecules that were left out of every run
  std::vector<FailedMolecule> failed_molecules;  ///< the first 1,000 failed molecules, at most
  std::vector<PhaseReport> phases;
};

}  // namespace headroom
