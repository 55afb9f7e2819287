#pragma once

#include <string>
#include <unordered_map>

#include "datasets/ood_benchmark.h"

/// Which sides must not share a molecule, because a detector would be tested on what it was trained on, or
/// one molecule would be in and out of distribution at once: train_id with val_id, test_id and train_ood;
/// train_ood with val_ood and test_ood; val_id with val_ood; test_id with test_ood.
namespace headroom::datasets {

/// Compares texts, as the published program does. Throws InputError naming molecules, sides and the fix.
void refuse_shared_texts(OodBenchmark& benchmark, const std::string& file);

/// Compares canonical SMILES, so that other spellings are found too. `canonical_of_text` has every text of
/// the benchmark that is a molecule. Throws InputError likewise.
void refuse_shared_molecules(OodBenchmark& benchmark,
                             const std::unordered_map<std::string, std::string>& canonical_of_text,
                             const std::string& file);

}  // namespace headroom::datasets
