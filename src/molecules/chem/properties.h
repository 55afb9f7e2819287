#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "molecules/chem/record.h"
#include "molgauge/properties.h"

namespace molgauge::chem {

/// Computes the properties of a molecule as drawn. Throws InvalidMolecule. Thread safety: any number of calls
/// at once. Each concurrent call uses its own copy of the patterns (pattern_bytes()), which stays in memory
/// for later calls.
MoleculeProperties properties_of(const MoleculeRecord& record);

/// The atoms of a match of an alert of properties_of(), ascending, numbered as for depict(). If the molecule
/// contains the alert several times, RDKit reports one match. Empty if the molecule has no alert with this
/// name. Throws InvalidMolecule. Thread safety: as properties_of().
std::vector<std::size_t> alert_atoms(const MoleculeRecord& record, const std::string& alert);

/// An upper bound for the memory of one copy of the patterns. The measured value is 19 MiB.
inline constexpr std::size_t pattern_bytes() { return std::size_t{24} << 20; }

}  // namespace molgauge::chem
