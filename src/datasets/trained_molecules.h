#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/hash.h"
#include "datasets/leakage.h"
#include "datasets/load_benchmark.h"

/// Which molecules a model has seen: a run folder keeps them as hashes, so that tests on other files can be
/// kept apart from them.
namespace headroom::datasets {

/// BenchmarkMolecule::identity of the molecules of each side that training sees; ascending, each once.
struct TrainedMolecules {
  std::vector<Hash128> train_id, train_ood, val_id, val_ood;
};

TrainedMolecules trained_molecules(const OodBenchmark& benchmark);

/// trained_molecules.safetensors of a run folder (docs/formats.md), replaced atomically.
void write_trained_molecules(const std::filesystem::path& run, const TrainedMolecules& molecules);

/// Removes that file: what is trained next has not seen them.
void remove_trained_molecules(const std::filesystem::path& run);

/// Nothing where the folder has no such file, or its molecules were told apart by another version of RDKit,
/// whose canonical SMILES may differ: it is then not known what the model has seen. Throws InputError naming
/// the file when it is damaged.
std::optional<TrainedMolecules> read_trained_molecules(const std::filesystem::path& run);

/// Test molecules, ID or OOD, that stand in any side of `trained`. `file` is of the test molecules, for the
/// examples.
SharedMolecules find_trained_molecules(const OodTest& test, const TrainedMolecules& trained,
                                       const std::string& file);

/// Takes them out.
void take_out_trained(OodTest& test, const TrainedMolecules& trained);

}  // namespace headroom::datasets
