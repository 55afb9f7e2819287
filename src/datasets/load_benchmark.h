#pragma once

#include <string>
#include <vector>

#include "datasets/ood_benchmark.h"

namespace headroom::datasets {

/// Reads a DrugOOD-format file (io/drugood_json.h), selects from it and examines what was selected. A file
/// that says "algorithm": "good" in its cfg, as headroom split writes it, is one of GOOD's unless
/// selection.kind says otherwise. Texts are trimmed. Throws InputError as read_drugood_json(),
/// select_ood_benchmark() and examine_ood_benchmark() do.
OodBenchmark load_ood_benchmark(const std::string& path, const OodSelection& selection,
                                const ComputeOptions& compute = {});

/// What every benchmark goes through, wherever its sides come from. Throws InputError on leakage, of a text
/// or of a molecule in another spelling (leakage.h). Texts that are no molecules are taken out of their sides
/// and reported in benchmark.failed or failed_test; they took part in the draw, so that the others are those
/// that the published program draws.
void examine_ood_benchmark(OodBenchmark& benchmark, const std::string& file, const ComputeOptions& compute);

/// The test sides of another file.
struct OodTest {
  std::vector<BenchmarkMolecule> test_id, test_ood;
  std::vector<FailedMolecule> failed;  ///< left out: no molecule
};

/// For testing across datasets: all of iid_test and all of ood_test in the order of the file, not drawn, as
/// the published program takes them. Unlike that, refuses a molecule that stands in both. Throws InputError,
/// also when one of them is empty.
OodTest load_ood_test(const std::string& path, const ComputeOptions& compute = {});

/// Takes every molecule out of the test sides that, in any spelling, stands in a side which the training of
/// `trained` sees (train or val, ID or OOD); returns them. Throws Interrupted on Ctrl-C.
std::vector<BenchmarkMolecule> take_out_trained(OodTest& test, OodBenchmark& trained,
                                                const ComputeOptions& compute = {});

}  // namespace headroom::datasets
