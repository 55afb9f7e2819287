#pragma once

#include <span>
#include <string>
#include <vector>

#include "api/arrow_column.h"
#include "molgauge/engine.h"

/// Makes tables from the results of in-memory calls. Row i belongs to molecule i. docs/reference/c-api.md
/// lists the columns.
namespace molgauge::arrow {

/// The columns of domain.csv, and `nearest`, a list of the nearest training molecules. `calibration`: the
/// calibration that judged the predictions, or null if there are no predictions.
Column verdict_table(const MoleculeTable& molecules, const JudgedList& judged,
                     const StoredCalibration* calibration);

/// The columns of scores.csv. The score has the name `score`.
Column score_table(const MoleculeTable& molecules, const ScoreReport& report);

/// For each task, the columns that `molgauge predict` writes. The last column is `reason`.
Column prediction_table(const MoleculeTable& molecules, const PredictedList& predicted);

/// The columns features [width] and reason.
Column feature_table(const EncodeReport& report, std::span<const float> rows);

/// The columns features [width], atoms (a list of rows [width]) and reason.
Column atom_table(const EncodeReport& report, std::span<const float> rows, const AtomFeatures& atoms);

/// The columns mol_block, atoms (a list of symbol, x, y and z) and reason.
Column conformer_table(const std::vector<InMemoryConformer>& conformers);

/// The columns drawing and reason. In each row, one of the two texts is empty.
Column drawing_table(const std::vector<std::string>& drawings, const std::vector<std::string>& reasons);

}  // namespace molgauge::arrow
