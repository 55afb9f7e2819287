#pragma once

#include <map>

#include "headroom/types.h"

namespace headroom {

/// `headroom split`: a benchmark file (DrugOOD JSON) with a distribution shift, made from labelled molecules.
struct SplitRequest {
  std::string molecules;  ///< as EncodeRequest::molecules
  std::string smiles_column = "smiles";
  std::string label_column;         ///< class label or real value; empty: every label is 0
  std::string domain = "scaffold";  ///< scaffold, size
  std::string shift = "covariate";  ///< covariate
  std::string algorithm = "good";   ///< good, drugood
  std::uint64_t seed = 42;
  std::string out;  ///< .json
  bool strict = false;
  bool quiet = false;
};

struct SplitReport {
  std::size_t rows = 0;
  std::size_t domains = 0;
  std::map<std::string, std::size_t> part_sizes;  ///< train, iid_val, iid_test, ood_val, ood_test
  std::vector<FailedMolecule> failed;             ///< left out
};

}  // namespace headroom
