#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <GraphMol/ROMol.h>

namespace headroom::chem {

/// Counts of the molecule's circular environments up to `radius` bonds (Rogers and Hahn 2010, DOI
/// 10.1021/ci100050t; RDKit's Morgan fingerprint without chirality), their 32-bit identifiers taken modulo
/// `width`: pairs (index, count), ascending by index.
std::vector<std::pair<std::uint32_t, std::uint32_t>> morgan_counts(const RDKit::ROMol& molecule,
                                                                   unsigned radius, unsigned width);

}  // namespace headroom::chem
