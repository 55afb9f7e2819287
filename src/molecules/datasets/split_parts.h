#pragma once

#include <cstddef>
#include <vector>

namespace molgauge::datasets {

/// The parts of a benchmark under DrugOOD's names, as row numbers of a table of molecules, in the order in
/// which the file lists them. No row occurs twice. GOOD's names for them: train, id_val, id_test, val, test.
struct SplitParts {
  std::vector<std::size_t> train;
  std::vector<std::size_t> iid_val, iid_test;  ///< rows from the training domains
  std::vector<std::size_t> ood_val, ood_test;  ///< rows from other domains
};

/// Returns floor(share * count), in floating point as Python programs compute it.
inline std::size_t portion(double share, std::size_t count) {
  return static_cast<std::size_t>(share * static_cast<double>(count));
}

}  // namespace molgauge::datasets
