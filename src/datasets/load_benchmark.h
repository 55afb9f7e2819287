#pragma once

#include <string>
#include <vector>

#include "datasets/ood_benchmark.h"

namespace headroom::datasets {

/// Reads a DrugOOD-format file (io/drugood_json.h) and selects from it. Texts are trimmed and otherwise taken
/// as they stand; what is no molecule is left in, for encoding to report. Throws InputError as
/// read_drugood_json() and select_ood_benchmark() do.
OodBenchmark load_ood_benchmark(const std::string& path, const OodSelection& selection);

/// The test sides of another file.
struct OodTest {
  std::vector<BenchmarkMolecule> test_id, test_ood;
};

/// For testing across datasets: all of iid_test and all of ood_test in the order of the file, neither drawn
/// nor compared with each other, as the published program takes them. Throws InputError, also when one of
/// them is empty.
OodTest load_ood_test(const std::string& path);

}  // namespace headroom::datasets
