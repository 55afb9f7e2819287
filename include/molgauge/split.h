#pragma once

#include <map>
#include <optional>

#include "molgauge/choices.h"
#include "molgauge/types.h"

namespace molgauge {

struct SplitReport;

/// Further columns of a table of measurements. If a name is empty, the table has no such column.
struct MeasurementTable {
  std::string assay_column;  ///< column with integers that identify assays, for the domain `assay`
  /// Column with the relation of the quantity to its measured value: = ~ < <= > or >=.
  std::string relation_column;
  /// The filter of DrugOOD that selects assays by the columns below. If a column has no name, the filter does
  /// not check it. If `subset` is not set, all rows are used.
  std::optional<AssaySubset> subset;
  std::string type_column, measurement_type;  ///< keep rows of this measurement type, for example EC50
  std::string units_column;                   ///< column with units; rows in nM and uM are kept
  std::string confidence_column;  ///< column with confidence scores; `core` keeps >= 9, `refined` >= 3
};

/// `molgauge split`: creates a benchmark with a distribution shift (DrugOOD JSON) from labelled molecules.
struct SplitRequest {
  using Report = SplitReport;

  std::string molecules;  ///< input as in EncodeRequest::molecules, or a folder of processed files of GOOD
  std::string smiles_column = "smiles";
  /// Columns with classes (0 or 1) or real values. Several columns are several tasks, as in GOOD. An empty
  /// field is an unknown label. For several tasks, the label of a molecule is the mean of its known labels.
  /// If the list is empty, every label is 0.
  std::vector<std::string> label_columns;
  MeasurementTable table;
  DomainKind domain = DomainKind::scaffold;  ///< `assay` works only with the algorithm drugood
  Shift shift = Shift::covariate;
  std::optional<SplitAlgorithm>
      algorithm;                   ///< if not set, drugood for the domain assay, and good for other domains
  std::optional<GoodStyle> style;  ///< if not set, the labels determine the style
  /// For the domain `scaffold`: leave out molecules without rings. Otherwise all these molecules form one
  /// domain, because they have no scaffold. Such a large domain can fill whole parts.
  bool drop_acyclic = false;
  /// As in the Python programs, do not merge different SMILES of one molecule. One molecule can then be in
  /// two parts. `molgauge train` rejects such a benchmark.
  bool keep_spellings = false;
  std::uint64_t seed = 42;
  std::string out;  ///< .json
  bool strict = false;
  /// Threads for reading molecules. 0 starts one for each processor that this process may use.
  std::size_t threads = 0;
  bool quiet = false;
};

struct SplitReport {
  std::size_t rows = 0;        ///< records of the input
  std::size_t domains = 0;     ///< number of scaffolds, sizes or assays
  std::size_t duplicates = 0;  ///< records merged with an earlier record that has the same SMILES
  /// Records merged with an earlier record of the same molecule in another SMILES.
  std::size_t respelled = 0;
  std::size_t unlabelled = 0;  ///< records left out because the label field is empty
  std::size_t filtered = 0;    ///< records left out by the assay filter or because of an empty field
  std::size_t bondless = 0;    ///< records left out by drugood, because the molecule has no bonds
  std::size_t acyclic = 0;     ///< records left out because of drop_acyclic
  std::map<std::string, std::size_t> part_sizes;  ///< train, iid_val, iid_test, ood_val, ood_test
  std::vector<FailedMolecule> failed;             ///< the records that could not be read
};

}  // namespace molgauge
