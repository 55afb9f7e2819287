#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// The descriptors that chemprop calls rdkit_2d.
namespace molgauge::chem::rdkit_2d {

/// Lists of descriptors. The lists of RDKit are Descriptors.descList of its Python module.
enum class Set {
  descriptastorus,  ///< 200 descriptors: RDKit2D of descriptastorus, which chemprop 1 uses
  rdkit_2022_09,    ///< 208 descriptors
  rdkit_2023_03,    ///< 209 descriptors: adds AvgIpc
  rdkit_2023_09,    ///< 210 descriptors: adds SPS
  rdkit_2024_09,    ///< 217 descriptors: adds counts of rings and stereocentres, and Phi
};

/// The lists of RDKit, from the shortest to the longest.
std::vector<Set> rdkit_sets();

/// Returns the names in the order of the list.
const std::vector<std::string>& names(Set set);

}  // namespace molgauge::chem::rdkit_2d
