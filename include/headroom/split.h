#pragma once

#include <map>
#include <optional>

#include "headroom/choices.h"
#include "headroom/types.h"

namespace headroom {

struct SplitReport;

/// Further columns of a table of measurements. An empty name: the table has no such column.
struct MeasurementTable {
  std::string assay_column;     ///< column with integers, which the domain `assay` needs
  std::string relation_column;  ///< ~ < <= > >= between the value and the measured quantity => column with =
                                ///< ~ < <= > or >=, the relation of the measured quantity to the value
  /// DrugOOD filter of assays. None: all rows are used. The filter uses the fields below. If a field has no
  /// column name, the filter assumes that the table has been filtered already.
  std::optional<AssaySubset> subset;
  std::string type_column, measurement_type;  ///< keep rows of this type, for example EC50
  std::string units_column;                   ///< column of the units; keep rows with nM and uM
  std::string confidence_column;              ///< keep scores >= 9 (core), >= 3 (refined)
};

/// `headroom split`: makes a benchmark with a distribution shift (DrugOOD JSON) from labelled molecules.
struct SplitRequest {
  using Report = SplitReport;

  std::string molecules;  ///< input as in EncodeRequest::molecules, or a folder of processed files of GOOD
  std::string smiles_column = "smiles";
  /// Columns with classes 0/1 or real values. Several columns are tasks as in GOOD. An empty field is an
  /// unknown label, and a molecule counts with the mean of its known labels. None: every label is 0.
  std::vector<std::string> label_columns;
  MeasurementTable table;
  DomainKind domain = DomainKind::scaffold;  ///< the domain assay is only for drugood
  Shift shift = Shift::covariate;
  std::optional<SplitAlgorithm> algorithm;  ///< none: drugood if the domain is assay, else good
  std::optional<GoodStyle> style;           ///< none: determined from the labels
  /// For the domain scaffold: leave out molecules without rings. Otherwise these molecules form one domain,
  /// because they have no scaffold. A large domain of this kind can fill whole parts.
  bool drop_acyclic = false;
  /// Keep different spellings of a molecule separate, as the Python programs do. The spellings may then be in
  /// two parts, and a loader refuses such a benchmark.
  bool keep_spellings = false;
  std::uint64_t seed = 42;
  std::string out;  ///< .json
  bool strict = false;
  std::size_t threads = 0;  ///< threads for reading molecules; 0: one for each processor that this process
                            ///< may use
  bool quiet = false;
};

struct SplitReport {
  std::size_t rows = 0;        ///< records of the input
  std::size_t domains = 0;     ///< number of scaffolds, sizes or assays
  std::size_t duplicates = 0;  ///< records merged with an earlier record of the same text
  std::size_t respelled = 0;   ///< records merged with another spelling of the same molecule
  std::size_t unlabelled = 0;  ///< records left out because the label field is empty
  std::size_t filtered = 0;    ///< records left out by the assay filter, or because a field is empty
  std::size_t bondless = 0;    ///< records left out by drugood, because the molecule has no bonds
  std::size_t acyclic = 0;     ///< records left out because of drop_acyclic
  std::map<std::string, std::size_t> part_sizes;  ///< train, iid_val, iid_test, ood_val, ood_test
  std::vector<FailedMolecule> failed;             ///< records left out because they failed
};

}  // namespace headroom
