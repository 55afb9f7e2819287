#pragma once

#include <map>
#include <optional>

#include "headroom/choices.h"
#include "headroom/types.h"

namespace headroom {

struct SplitReport;

/// Further columns of a table of measurements. An empty name: the table has no such column.
struct MeasurementTable {
  std::string assay_column;     ///< integer; domain assay needs it
  std::string relation_column;  ///< = ~ < <= > >= between the value and what was measured
  /// DrugOOD's filter of assays. None: every row is taken. The fields below belong to the filter. A field
  /// without a column name means that the table has already been filtered by it.
  std::optional<AssaySubset> subset;
  std::string type_column, measurement_type;  ///< keep rows of this type (EC50, say)
  std::string units_column;                   ///< keep nM and uM
  std::string confidence_column;              ///< keep scores >= 9 (core), >= 3 (refined)
};

/// `headroom split`: a benchmark file (DrugOOD JSON) with a distribution shift, made from labelled molecules.
struct SplitRequest {
  using Report = SplitReport;

  std::string molecules;  ///< as EncodeRequest::molecules; or a folder of GOOD's processed files
  std::string smiles_column = "smiles";
  /// Classes 0/1 or real values. Several are GOOD's tasks: an empty field is an unknown label, and a molecule
  /// stands for the mean of its known ones. None: every label is 0.
  std::vector<std::string> label_columns;
  MeasurementTable table;
  DomainKind domain = DomainKind::scaffold;  ///< assay: drugood only
  Shift shift = Shift::covariate;
  std::optional<SplitAlgorithm> algorithm;  ///< none: drugood if the domain is assay, else good
  std::optional<GoodStyle> style;           ///< none: by the labels
  /// Domain scaffold: leave out molecules without rings. They have no scaffold and form one domain, which
  /// fills whole parts where there are many of them.
  bool drop_acyclic = false;
  /// Leave different spellings of one molecule apart, as the Python programs do. Then they may stand in two
  /// parts, which a loader refuses.
  bool keep_spellings = false;
  std::uint64_t seed = 42;
  std::string out;  ///< .json
  bool strict = false;
  std::size_t threads = 0;  ///< for reading molecules; 0: every processor this process may use
  bool quiet = false;
};

struct SplitReport {
  std::size_t rows = 0;                           ///< records of the input
  std::size_t domains = 0;                        ///< number of scaffolds, sizes or assays
  std::size_t duplicates = 0;                     ///< records merged with an earlier one of the same text
  std::size_t respelled = 0;                      ///< records merged with another spelling of one molecule
  std::size_t unlabelled = 0;                     ///< records left out because their label field is empty
  std::size_t filtered = 0;                       ///< left out by the assay filter, or for an empty field
  std::size_t bondless = 0;                       ///< left out by drugood: no bond between its atoms
  std::size_t acyclic = 0;                        ///< left out by drop_acyclic
  std::map<std::string, std::size_t> part_sizes;  ///< train, iid_val, iid_test, ood_val, ood_test
  std::vector<FailedMolecule> failed;             ///< left out
};

}  // namespace headroom
