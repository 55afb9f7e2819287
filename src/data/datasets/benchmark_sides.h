#pragma once

#include <string>

#include "data/datasets/ood_benchmark.h"

/// These functions build the six sides from the five parts as the published program's loader does, before it
/// draws from them. The ID sides are train, iid_val and iid_test. The side test_ood is ood_test. The sides
/// train_ood and val_ood share ood_val.
namespace headroom::datasets {

/// For DrugOOD's files. The steps run in this order, because the draws depend on it:
/// - with a debug size, train, ood_val, iid_test, ood_test and iid_val are cut to it (random.sample),
/// - without iid_val, a quarter of train (at most 1000) is drawn for val_id, and its texts are removed from
///   train. If train has fewer than 100 molecules, half of it, shuffled, is used instead,
/// - texts that are neither molecules by `check` nor similar to SMILES are removed (resembles_smiles()),
/// - ood_val, shuffled, gives val_ood (a fifth, at most 3000) and train_ood (the rest).
OodBenchmark drugood_sides(BenchmarkParts parts, const OodSelection& selection, const std::string& file,
                           const MoleculeCheck& check);

/// For GOOD's splits. Always uses the seed 42, independent of the data seed:
/// - without iid_val and iid_test (no shift), a quarter of train (at most 1000) becomes val_id, then a tenth
///   of the rest (at most 500) test_id. If train has at most 100 molecules, half of it becomes val_id. If at
///   most 200 then remain, half of val_id becomes test_id,
/// - ood_val, shuffled, gives train_ood (0.7) and val_ood (0.3). Without ood_val, the shuffled ood_test gives
///   a third each to train_ood, val_ood and test_ood,
/// - with a debug size, every side is cut to it.
OodBenchmark good_sides(BenchmarkParts parts, const OodSelection& selection);

/// The test of the published program for texts that RDKit cannot read. It accepts balanced brackets and
/// parentheses. It also accepts texts with one or two different characters that are unusual in SMILES.
bool resembles_smiles(const std::string& text);

}  // namespace headroom::datasets
