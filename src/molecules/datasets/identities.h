#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "molecules/chem/identity.h"
#include "molecules/chem/record.h"
#include "molgauge/types.h"

namespace molgauge::datasets {

struct Identities {
  std::vector<std::optional<chem::Identity>> of_record;  ///< not set for a record that is not a molecule
  std::vector<FailedMolecule> failed;                    ///< failed records, in the order of the input
};

/// Reads every record, on up to `threads` threads (0 means one for each processor). Throws Interrupted on
/// Ctrl-C.
Identities identify_all(const std::vector<chem::MoleculeRecord>& records, bool with_scaffolds,
                        std::size_t threads, bool quiet);

}  // namespace molgauge::datasets
