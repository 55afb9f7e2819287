#pragma once

#include <map>

#include "headroom/types.h"

namespace headroom {

/// `headroom split`: a benchmark file (DrugOOD JSON) with a distribution shift, made from labelled molecules.
struct SplitRequest {
  std::string molecules;  ///< as EncodeRequest::molecules
  std::string smiles_column = "smiles";
  std::string label_column;         ///< class 0/1 or real value; empty: every label is 0
  std::string domain = "scaffold";  ///< scaffold, size
  std::string shift = "covariate";  ///< covariate, none (parts at random, good only)
  std::string algorithm = "good";   ///< good, drugood
  /// Domain scaffold: leave out molecules without rings. They have no scaffold, and where they are many that
  /// "domain" swallows whole parts.
  bool drop_acyclic = false;
  std::uint64_t seed = 42;
  std::string out;  ///< .json
  bool strict = false;
  std::size_t threads = 0;  ///< for reading molecules; 0: every processor this process may use
  bool quiet = false;
};

struct SplitReport {
  std::size_t rows = 0;                           ///< records of the input
  std::size_t domains = 0;                        ///< scaffolds or sizes there are
  std::size_t duplicates = 0;                     ///< records with the text of an earlier one, merged with it
  std::size_t unlabelled = 0;                     ///< records left out because their label field is empty
  std::size_t acyclic = 0;                        ///< left out by drop_acyclic
  std::map<std::string, std::size_t> part_sizes;  ///< train, iid_val, iid_test, ood_val, ood_test
  std::vector<FailedMolecule> failed;             ///< left out
};

}  // namespace headroom
