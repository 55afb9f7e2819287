#pragma once

#include <string>
#include <vector>

#include "data/datasets/ood_benchmark.h"

namespace headroom::datasets {

/// Reads a DrugOOD-format file (data/io/tables/drugood_json.h), selects from it and examines what was
/// selected. A file that says "algorithm": "good" in its cfg, as headroom split writes it, is one of GOOD's
/// unless selection.kind says otherwise. Texts are trimmed. Throws InputError as read_drugood_json(),
/// select_ood_benchmark() and examine_ood_benchmark() do.
OodBenchmark load_ood_benchmark(const std::string& path, const OodSelection& selection,
                                const ComputeOptions& compute = {});

/// The checks of every benchmark, from any source. Texts that are not molecules are removed from their sides
/// and reported in benchmark.failed or failed_test; they took part in the draw, so that the other molecules
/// are those that the published program draws. These get their identity. Throws InputError where two sides
/// share a molecule that must not (leakage.h), in any spelling, unless `allow_overlap`, which counts them in
/// benchmark.shared_molecules.
void examine_ood_benchmark(OodBenchmark& benchmark, const std::string& file, bool allow_overlap,
                           const ComputeOptions& compute);

/// The test sides of another file.
struct OodTest {
  std::vector<BenchmarkMolecule> test_id, test_ood;
  std::vector<FailedMolecule> failed;  ///< left out: not a molecule
  std::size_t shared_molecules = 0;    ///< in both sides; they were accepted
};

/// For testing across datasets: all of iid_test and all of ood_test in the order of the file, without a draw,
/// as in the published program. Different from it, a molecule that is in both is refused, unless
/// `allow_overlap`. Throws InputError, also when one of them is empty.
OodTest load_ood_test(const std::string& path, bool allow_overlap, const ComputeOptions& compute = {});

}  // namespace headroom::datasets
