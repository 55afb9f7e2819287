#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/hash.h"
#include "data/datasets/leakage.h"
#include "data/datasets/load_benchmark.h"

/// The molecules of a model's training: a run folder keeps them as hashes, so that tests on other files can
/// leave them out.
namespace headroom::datasets {

/// BenchmarkMolecule::identity of the molecules of each training side; ascending, each once.
struct TrainedMolecules {
  std::vector<Hash128> train_id, train_ood, val_id, val_ood;
};

TrainedMolecules trained_molecules(const OodBenchmark& benchmark);

/// trained_molecules.safetensors of a run folder (docs/reference/formats.md), replaced atomically.
void write_trained_molecules(const std::filesystem::path& run, const TrainedMolecules& molecules);

/// Removes that file, because the next training has other molecules.
void remove_trained_molecules(const std::filesystem::path& run);

/// None where the folder has no such file, or where it was written with another version of RDKit, whose
/// canonical SMILES may differ: then the molecules of the training are not known. Throws InputError naming
/// the file when it is damaged.
std::optional<TrainedMolecules> read_trained_molecules(const std::filesystem::path& run);

/// Test molecules, ID or OOD, that are in any side of `trained`. `file`: that of the test molecules, for the
/// examples.
SharedMolecules find_trained_molecules(const OodTest& test, const TrainedMolecules& trained,
                                       const std::string& file);

/// Removes these molecules.
void take_out_trained(OodTest& test, const TrainedMolecules& trained);

}  // namespace headroom::datasets
