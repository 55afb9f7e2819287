#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom::datasets {

struct BenchmarkMolecule {
  std::string smiles;    ///< trimmed; not understood yet, encoding reports what is no molecule
  int label = 0;         ///< class, 0 or 1
  std::size_t line = 0;  ///< 1-based line of the benchmark file
};

/// The five parts of a DrugOOD-format file.
struct BenchmarkParts {
  std::vector<BenchmarkMolecule> train, iid_val, iid_test, ood_val, ood_test;
};

/// What a detector is trained, selected and tested on.
struct OodBenchmark {
  std::vector<BenchmarkMolecule> train_id, train_ood, val_id, val_ood, test_id, test_ood;
};

struct OodSelection {
  std::uint64_t data_seed = 42;
  std::size_t train_size = 2000, val_size = 600, test_size = 1000;  ///< molecules per side; 0: all there are
  /// Seeds the draw of validation molecules out of train when the file has none. The published program uses
  /// its global generator for it, whose state depends on what ran before; here it is a number of its own.
  std::uint64_t held_out_seed = 0;
};

/// Selects as the published program's loader does, item for item (`file` is for messages):
/// - ID sides are train, iid_val, iid_test; without iid_val, a quarter of train (at most 1000) is drawn for
/// it, or half
///   when train has fewer than 100 molecules.
/// - ood_val, shuffled, gives val_ood (a fifth, at most 3000) and train_ood (the rest); test_ood is ood_test.
/// - each of the six is then drawn to its size without replacement (NumPy's default_rng(data_seed + k));
/// where there are
///   fewer, all are taken and a warning is logged.
/// Throws InputError when one of the six is empty, and when a text stands in two of them that must not share
/// any: then the detector would be tested on what it was trained on.
OodBenchmark select_ood_benchmark(const BenchmarkParts& parts, const OodSelection& selection,
                                  const std::string& file);

}  // namespace headroom::datasets
