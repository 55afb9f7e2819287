#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>

#include "molecules/chem/identity.h"
#include "molgauge/choices.h"

namespace molgauge::datasets {

/// The value by which a split groups molecules. As in GOOD, scaffolds are sorted as texts and sizes as
/// numbers.
struct DomainValue {
  std::string scaffold;    ///< Murcko scaffold without chirality; empty unless the domain is scaffold
  std::size_t atoms = 0;   ///< atoms of the scaffold, or of the molecule when the domain is size
  std::int64_t assay = 0;  ///< assay, if the domain is assay

  auto operator<=>(const DomainValue&) const = default;
};

/// If the domain is the scaffold, `identity` must have a scaffold.
DomainValue domain_value(const chem::Identity& identity, std::int64_t assay, DomainKind kind);

}  // namespace molgauge::datasets
