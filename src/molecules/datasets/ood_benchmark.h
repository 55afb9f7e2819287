#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/core/hash.h"
#include "molecules/datasets/side.h"
#include "molgauge/types.h"

namespace molgauge::datasets {

/// The value of BenchmarkMolecule::identity before examine_ood_benchmark() sets it.
inline constexpr Hash128 kNoIdentity = {};

struct BenchmarkMolecule {
  std::string smiles;    ///< trimmed
  int label = 0;         ///< class, 0 or 1
  std::size_t line = 0;  ///< 1-based line of the benchmark file; 0 if unknown
  double value = 0;      ///< the measured value from which the class was derived, or the class
  /// Labels of several tasks. NaN if a label is unknown. Empty if the file has one label.
  std::vector<float> labels = {};
  /// hash128() of the canonical SMILES, equal for all spellings. kNoIdentity before examine_ood_benchmark().
  Hash128 identity = kNoIdentity;
};

/// The five parts of a DrugOOD-format file.
struct BenchmarkParts {
  std::vector<BenchmarkMolecule> train, iid_val, iid_test, ood_val, ood_test;
};

/// The molecules that a detector is trained, selected and tested on.
struct OodBenchmark {
  std::vector<BenchmarkMolecule> train_id, train_ood, val_id, val_ood, test_id, test_ood;
  std::vector<FailedMolecule> failed;       ///< invalid records that were left out of the four training sides
  std::vector<FailedMolecule> failed_test;  ///< invalid records that were left out of test_id and test_ood
  /// Number of distinct molecules that occur in several sides and were accepted (leakage.h).
  std::size_t shared_molecules = 0;

  /// The molecules of a side.
  std::vector<BenchmarkMolecule>& of(Side side) {
    switch (side) {
      case Side::train_id:
        return train_id;
      case Side::train_ood:
        return train_ood;
      case Side::val_id:
        return val_id;
      case Side::val_ood:
        return val_ood;
      case Side::test_id:
        return test_id;
      case Side::test_ood:
        break;
    }
    return test_ood;
  }
  const std::vector<BenchmarkMolecule>& of(Side side) const {
    return const_cast<OodBenchmark*>(this)->of(side);
  }
};

/// One of the six sides and its molecules.
struct OodSide {
  Side side;
  std::vector<BenchmarkMolecule>& molecules;

  const char* name() const { return to_string(side); }
  bool is_test() const { return datasets::is_test(side); }
};

/// All sides in the order of kSides.
inline std::vector<OodSide> sides_of(OodBenchmark& benchmark) {
  std::vector<OodSide> sides;
  sides.reserve(std::size(kSides));
  for (const Side side : kSides) {
    sides.push_back({side, benchmark.of(side)});
  }
  return sides;
}

/// The published loader whose rules apply to a file.
enum class BenchmarkKind { drugood, good };

struct OodSelection {
  std::optional<BenchmarkKind> kind = {};  ///< if it is not set, the file determines the kind
  std::uint64_t data_seed = 42;
  /// Number of molecules drawn for each side. 0 means all. If not set, the numbers are 2000, 600 and 1000, or
  /// 5000, 1500 and 2000 if the kind is good.
  std::optional<std::size_t> train_size = {}, val_size = {}, test_size = {};
  /// For quick trials: every part is cut to this many molecules, and the sizes are multiplied by debug_size /
  /// (full training size). 0 means that nothing is cut. Cannot be combined with explicit sizes.
  std::size_t debug_size = 0;
  /// For `drugood`: the seed for the cuts to the debug size, and for drawing validation molecules if the file
  /// has none. The published program uses its global generator, which depends on earlier calls.
  std::uint64_t held_out_seed = 0;
  bool allow_overlap = false;  ///< accept molecules that occur in sides that must be disjoint (leakage.h)
};

/// Returns the reason why a text is not a molecule, or an empty text if it is valid.
using MoleculeCheck = std::function<std::string(const std::string& smiles)>;

/// Selects the same items as the loader of the published program. `file` is for messages. The steps:
/// - drugood_sides() or good_sides() (benchmark_sides.h) makes the six sides from the five parts.
/// - Each side is drawn to its size without replacement (NumPy's default_rng(data_seed + seed_offset(side))).
///   If a side has fewer items, all of them are taken and a warning is logged.
/// - For GOOD, labels that are values become classes: value >= upper median of the drawn train_id.
///
/// Throws InputError if a side is empty. Throws UsageError if sizes are combined with a debug size, or if a
/// held-out seed has no effect.
OodBenchmark select_ood_benchmark(BenchmarkParts parts, const OodSelection& selection,
                                  const std::string& file, const MoleculeCheck& check);

}  // namespace molgauge::datasets
