#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/core/hash.h"
#include "molecules/datasets/leakage.h"
#include "molecules/datasets/load_benchmark.h"

/// A run folder contains hashes of the training molecules. A test on another file uses the hashes to leave
/// out molecules that were used in training.
namespace molgauge::datasets {

/// BenchmarkMolecule::identity of the molecules of each training side, ascending and without duplicates.
struct TrainedMolecules {
  std::vector<Hash128> train_id, train_ood, val_id, val_ood;
};

TrainedMolecules trained_molecules(const OodBenchmark& benchmark);

/// Writes trained_molecules.safetensors to a run folder (docs/reference/formats.md). Replaces the file
/// atomically.
void write_trained_molecules(const std::filesystem::path& run, const TrainedMolecules& molecules);

/// Removes the file that write_trained_molecules() wrote, because the next training uses other molecules.
void remove_trained_molecules(const std::filesystem::path& run);

/// Returns nothing if the folder has no such file, or if another version of RDKit wrote it, because canonical
/// SMILES may differ between versions. Throws InputError naming the file if it is damaged.
std::optional<TrainedMolecules> read_trained_molecules(const std::filesystem::path& run);

/// Finds test molecules, ID or OOD, that are in any side of `trained`. `file`: the file of the test
/// molecules, for the examples.
SharedMolecules find_trained_molecules(const OodTest& test, const TrainedMolecules& trained,
                                       const std::string& file);

/// Removes the test molecules that find_trained_molecules() finds.
void take_out_trained(OodTest& test, const TrainedMolecules& trained);

}  // namespace molgauge::datasets
