#pragma once

#include <cstddef>
#include <vector>

#include "molecules/chem/record.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molgauge/evaluate.h"

namespace molgauge::verbs {

/// Reads the molecules of `molgauge score`, and the columns of the input, which are part of the report.
class ScoredInput {
 public:
  /// Opens the input. `report` must outlive the object.
  ScoredInput(const ScoreRequest& request, ScoreReport& report);
  ScoredInput(const ScoredInput&) = delete;
  ScoredInput& operator=(const ScoredInput&) = delete;

  /// The source of the molecules. It adds each returned record to the report.
  const pipeline::MoleculeSource& source() const { return table_.source; }

  /// Adds the names of the columns to the report. Call it after source() has ended, because the columns of an
  /// .sdf are not known earlier.
  void name_columns();
  /// The record of a molecule. Call it before name_mol_blocks().
  chem::MoleculeRecord record(std::size_t row) const;
  /// Replaces each mol block in the report with its SMILES, or with an empty text if the record is not
  /// usable. `usable` [records]: whether each record is usable.
  void name_mol_blocks(const std::vector<bool>& usable, std::size_t threads);

 private:
  void remember(const io::MoleculeRow& row);

  ScoreReport& report_;
  std::vector<std::size_t> mol_blocks_;  ///< rows with a mol block in the SMILES cell, ascending
  session::MoleculeTable table_;
};

}  // namespace molgauge::verbs
