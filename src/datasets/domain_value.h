#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "chem/record.h"
#include "headroom/types.h"

namespace headroom::datasets {

/// What a split groups molecules by. Compares as GOOD sorts: scaffolds as texts, sizes as numbers.
struct DomainValue {
  std::string scaffold;   ///< Murcko scaffold without chirality; empty when the domain is size
  std::size_t atoms = 0;  ///< of the scaffold, or heavy atoms of the molecule when the domain is size

  auto operator<=>(const DomainValue&) const = default;
};

enum class DomainKind { scaffold, size };

struct DomainValues {
  std::vector<std::optional<DomainValue>> of_record;  ///< none for a record that is no molecule
  std::vector<FailedMolecule> failed;                 ///< in the order of the records
};

/// The domain value of every record, on up to `threads` threads. Throws Interrupted on Ctrl-C.
DomainValues domain_values(const std::vector<chem::MoleculeRecord>& records, DomainKind kind,
                           std::size_t threads, bool quiet);

}  // namespace headroom::datasets
