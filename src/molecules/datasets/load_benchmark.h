#pragma once

#include <string>
#include <vector>

#include "molecules/datasets/ood_benchmark.h"

namespace molgauge::datasets {

/// Reads a DrugOOD-format file (base/io/tables/drugood_json.h), selects molecules and examines them. If the
/// cfg of the file has "algorithm": "good", as `molgauge split` writes it, the file is read as a GOOD split
/// unless selection.kind is set. Texts are trimmed. Throws the InputErrors of read_drugood_json(),
/// select_ood_benchmark() and examine_ood_benchmark().
OodBenchmark load_ood_benchmark(const std::string& path, const OodSelection& selection,
                                const ComputeOptions& compute = {});

/// Runs the checks that apply to every benchmark. Removes invalid molecules from their sides and reports them
/// in benchmark.failed or failed_test. The draw includes these molecules, because the published program draws
/// them, too. Sets the identity of the remaining molecules. Throws InputError if two sides that must be
/// disjoint share a molecule in any spelling (leakage.h). With `allow_overlap`, counts such molecules in
/// benchmark.shared_molecules instead.
void examine_ood_benchmark(OodBenchmark& benchmark, const std::string& file, bool allow_overlap,
                           const ComputeOptions& compute);

/// The test sides of a benchmark file that was not used for training.
struct OodTest {
  std::vector<BenchmarkMolecule> test_id, test_ood;
  std::vector<FailedMolecule> failed;  ///< records left out because they are not molecules
  std::size_t shared_molecules = 0;    ///< molecules that are in both sides and were accepted
};

/// Loads all molecules of iid_test and ood_test in the order of the file, for tests across data sets. No
/// molecules are drawn. Unlike the published program, throws InputError if a molecule is in both sides,
/// unless `allow_overlap` is set. Also throws InputError if a test side is empty.
OodTest load_ood_test(const std::string& path, bool allow_overlap, const ComputeOptions& compute = {});

}  // namespace molgauge::datasets
