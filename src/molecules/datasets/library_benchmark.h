#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "molecules/chem/record.h"
#include "molgauge/types.h"

/// A benchmark of two lists. The user's molecules are in distribution (ID). The molecules of a background
/// library are out of distribution (OOD).
namespace molgauge::datasets {

struct LibraryBenchmarkOptions {
  std::uint64_t seed = 42;
  /// A background molecule is a near duplicate if its Tanimoto similarity to one of the user's molecules is
  /// at least this number (Morgan environments of radius 2, as 2048 bits).
  double similarity = 0.7;
  std::size_t threads = 0;  ///< 0 starts one thread for each processor
  bool quiet = false;
};

struct LibraryBenchmark {
  /// SMILES of train_id, train_ood, val_id, val_ood, test_id, test_ood, as in the input. Canonical SMILES for
  /// mol blocks.
  std::array<std::vector<std::string>, 6> sides;
  std::size_t own = 0, background = 0;      ///< distinct molecules that were taken
  std::size_t own_repeated = 0;             ///< records that repeat an own molecule in any spelling
  std::size_t background_repeated = 0;      ///< records that repeat an examined background molecule
  std::size_t background_same = 0;          ///< examined background molecules that are also own molecules
  std::size_t background_near = 0;          ///< near duplicates of own molecules that were left out
  std::size_t background_near_in_test = 0;  ///< near duplicates of own molecules in test_ood
  std::vector<FailedMolecule> failed = {};  ///< records of both inputs that are not molecules
};

/// Makes the benchmark. Own molecules are the user's molecules. Several spellings of one own molecule (equal
/// canonical SMILES) count once. The own molecules are shuffled. A tenth of them, rounded, is for test, a
/// tenth for validation, and the rest for training. As many background molecules as own molecules are chosen,
/// in random order. Background molecules that are also own molecules are skipped. The first tenth of the
/// background molecules is the test part. It keeps near duplicates of own molecules, because real lists
/// contain them. The training and validation parts leave near duplicates out. Equal inputs and seed give the
/// same sides. Throws InputError if a side has fewer than ten molecules. `own_file`, `background_file`: for
/// messages.
LibraryBenchmark make_own_benchmark(const std::vector<chem::MoleculeRecord>& own,
                                    const std::vector<chem::MoleculeRecord>& background,
                                    const LibraryBenchmarkOptions& options, const std::string& own_file,
                                    const std::string& background_file);

/// The benchmark as a cache of drawn molecules (split_cache.h). "metadata" describes how the benchmark was
/// created.
std::string to_split_cache(const LibraryBenchmark& benchmark, const LibraryBenchmarkOptions& options,
                           const std::string& own_file, const std::string& background_file);

}  // namespace molgauge::datasets
