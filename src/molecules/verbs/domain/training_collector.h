#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "base/runtime/failure_log.h"
#include "molecules/chem/description.h"
#include "molecules/chem/record.h"
#include "molecules/judging/training_set.h"
#include "molecules/verbs/domain/merged_values.h"

namespace molgauge::verbs {

/// A record of a training file.
struct TrainingRow {
  chem::MoleculeRecord record;
  std::string name;
  double value = 0;                              ///< the label, NaN if it is unknown
  std::optional<chem::Description> description;  ///< not set if the record is unreadable
  std::string unreadable;                        ///< why the record is unreadable, if it is not reported yet
};

/// Collects the distinct molecules of a training file. The result does not depend on the order of the rows.
/// Molecules are sorted by their canonical SMILES. Of several records of a molecule, the record with the
/// shortest name is kept. Names of equal length are ordered alphabetically, and equal names by the canonical
/// SMILES and the text of the drawing. Records without a name are named by their line.
class TrainingCollector {
 public:
  TrainingCollector(bool has_values, pipeline::FailureLog& failed)
      : has_values_(has_values), failed_(failed) {}

  void add(TrainingRow& row, std::span<const float> features);
  domain::TrainingSet finish();

 private:
  void append(const TrainingRow& row, std::span<const float> features);
  void replace(std::size_t molecule, const TrainingRow& row, std::span<const float> features);
  /// Sorts the molecules. Returns the previous number of each molecule.
  std::vector<std::uint32_t> sort();

  domain::TrainingSet set_;
  bool has_values_;
  pipeline::FailureLog& failed_;
  std::unordered_map<std::string, std::uint32_t>
      places_;                      ///< numbers of the molecules, by standardised SMILES
  std::vector<std::string> drawn_;  ///< canonical SMILES of the kept drawings
  MergedValues values_;
};

}  // namespace molgauge::verbs
