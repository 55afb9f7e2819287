#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "chem/record.h"
#include "headroom/types.h"

/// A benchmark of molecules of one's own, which are in distribution, and a background library, which is not.
namespace headroom::datasets {

struct OwnBenchmarkOptions {
  std::uint64_t seed = 42;
  /// Background molecules whose Tanimoto similarity to an own molecule (Morgan environments of radius 2, as
  /// 2048 bits) is at least this are near duplicates.
  double similarity = 0.7;
  std::size_t threads = 0;  ///< 0: every processor
  bool quiet = false;
};

struct OwnBenchmark {
  /// SMILES of train_id, train_ood, val_id, val_ood, test_id, test_ood: as they stand in the input, canonical
  /// where that is a mol block.
  std::array<std::vector<std::string>, 6> sides;
  std::size_t own = 0, background = 0;      ///< distinct molecules that were taken
  std::size_t own_repeated = 0;             ///< further spellings of own molecules
  std::size_t background_repeated = 0;      ///< likewise, of those that were looked at
  std::size_t background_same = 0;          ///< of those: the own molecules themselves
  std::size_t background_near = 0;          ///< of those: near duplicates of own molecules
  std::vector<FailedMolecule> failed = {};  ///< no molecules, of both inputs
};

/// Own molecules count once each, whatever their spellings (equal canonical SMILES). They are shuffled; a
/// tenth of them, rounded, tests, a tenth validates, the others train. The background is looked through in
/// random order for as many molecules, which are shared out likewise; one that is an own molecule, or a near
/// duplicate of one, is passed over. Equal inputs and seed give the same sides. Throws InputError when a side
/// has fewer than ten molecules. `own_file`, `background_file`: for messages.
OwnBenchmark make_own_benchmark(const std::vector<chem::MoleculeRecord>& own,
                                const std::vector<chem::MoleculeRecord>& background,
                                const OwnBenchmarkOptions& options, const std::string& own_file,
                                const std::string& background_file);

/// As a cache of drawn molecules (split_cache.h); "metadata" says how it was made.
std::string to_split_cache(const OwnBenchmark& benchmark, const OwnBenchmarkOptions& options,
                           const std::string& own_file, const std::string& background_file);

}  // namespace headroom::datasets
