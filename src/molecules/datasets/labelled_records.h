#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "molecules/chem/record.h"
#include "molgauge/split.h"

namespace molgauge::datasets {

/// A row of a table of labelled molecules, before the molecule is parsed.
struct LabelledRecord {
  chem::MoleculeRecord record;                ///< SMILES
  std::vector<std::optional<double>> labels;  ///< one for each label column; not set if unknown
  std::int64_t assay_id = 0;
  std::string relation = "=";
  std::string measurement_type, units;
  std::optional<double> confidence;
};

struct LabelledRecords {
  std::vector<LabelledRecord> records;
  std::size_t rows = 0;        ///< rows of the input
  std::size_t unlabelled = 0;  ///< records left out because the only label is unknown
  std::size_t incomplete = 0;  ///< records left out because another requested field is empty
};

/// Reads the columns that the request names. Throws InputError naming file and line if a label is invalid
/// (LabelColumn) or censored, if an assay or a confidence is not a number, or if a relation is unknown. Also
/// throws it for a mol block, because a benchmark contains SMILES.
LabelledRecords read_labelled_records(const SplitRequest& request);

}  // namespace molgauge::datasets
