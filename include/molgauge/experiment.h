#pragma once

#include <string>
#include <vector>

#include "molgauge/conformers.h"
#include "molgauge/types.h"

namespace molgauge {

struct ExperimentReport;

/// `molgauge experiment`: runs or resumes a matrix of benchmarks, encoders, methods and seeds.
struct ExperimentRequest {
  using Report = ExperimentReport;

  std::string spec;  ///< TOML (docs/reference/formats.md)
  std::string out;   ///< folder of the matrix. Finished runs in it are reused
  /// Folder of the files that the specification names. If empty, the folder of the specification is used.
  std::string data_path;
  std::size_t jobs = 0;        ///< number of runs at the same time. If 0, the number of threads is used
  bool plan_only = false;      ///< check and count everything, but compute nothing
  std::string store, weights;  ///< folders, as in EncodeRequest
  PlacementOptions placement;  ///< options for 3D encoders
  /// In CSV files, write an apostrophe before a text that a spreadsheet would evaluate as a formula
  /// (docs/reference/formats.md).
  bool spreadsheet_safe = false;
  ComputeOptions compute;
};

struct MeanAndDeviation {
  double mean = 0, standard_deviation = 0;  ///< mean and sample deviation; the deviation of one run is 0
};

/// The results of a method, or of one point of its parameter grid, over all seeds.
struct ExperimentRow {
  std::string benchmark, encoder, variant;
  std::size_t runs = 0, failed = 0;
  MeanAndDeviation auroc, aupr, fpr95;  ///< on the test molecules
  /// AUROC on the validation molecules. The epoch was chosen with these molecules, and the OOD molecules
  /// among them come from the training domains.
  MeanAndDeviation validation_auroc;
};

struct ExperimentReport {
  std::size_t runs = 0;         ///< runs of the matrix
  std::size_t computed = 0;     ///< runs computed by this call
  std::size_t failed = 0;       ///< failed runs. cells.csv contains their errors
  std::size_t over_budget = 0;  ///< failed runs that do not fit the memory budget
  std::vector<ExperimentRow> rows;
  std::size_t failed_records = 0;                ///< failed molecules, which no run uses
  std::vector<FailedMolecule> failed_molecules;  ///< at most the first 1,000 failed molecules
  std::vector<PhaseReport> phases;
};

}  // namespace molgauge
