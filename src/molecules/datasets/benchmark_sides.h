#pragma once

#include <string>

#include "molecules/datasets/ood_benchmark.h"

/// These functions build the six sides from the five parts like the loader of the published program, before
/// molecules are drawn from the sides. The ID sides are train, iid_val and iid_test. The side test_ood is
/// ood_test. The sides train_ood and val_ood share ood_val.
namespace molgauge::datasets {

/// For DrugOOD's files. The steps run in this order, because the draws depend on it:
/// - With a debug size, train, ood_val, iid_test, ood_test and iid_val are cut to this size (random.sample).
/// - Without iid_val, a quarter of train (at most 1000 molecules) is drawn for val_id, and the drawn texts
///   are removed from train. If train has fewer than 100 molecules, train is shuffled and half of it becomes
///   val_id instead.
/// - A text is removed if `check` refuses it and it does not resemble SMILES (resembles_smiles()).
/// - ood_val is shuffled. The first fifth (at most 3000) becomes val_ood, and the rest becomes train_ood.
OodBenchmark drugood_sides(BenchmarkParts parts, const OodSelection& selection, const std::string& file,
                           const MoleculeCheck& check);

/// For GOOD's splits. Always uses the seed 42, independent of the data seed:
/// - Without iid_val and iid_test (no shift), a quarter of train (at most 1000 molecules) becomes val_id. If
///   train has at most 100 molecules, half of it becomes val_id. Then a tenth of the remaining train (at most
///   500) becomes test_id. If at most 200 molecules remain in train, half of val_id becomes test_id instead.
/// - ood_val is shuffled and gives train_ood (0.7) and val_ood (0.3). Without ood_val, ood_test is shuffled
///   and train_ood, val_ood and test_ood each get a third of it.
/// - With a debug size, every side is cut to this size.
OodBenchmark good_sides(BenchmarkParts parts, const OodSelection& selection);

/// Whether the published program accepts a text that RDKit cannot read. It accepts a text with one or two
/// different characters that are unusual in SMILES. It accepts a text of usual characters if brackets and
/// parentheses are balanced.
bool resembles_smiles(const std::string& text);

}  // namespace molgauge::datasets
