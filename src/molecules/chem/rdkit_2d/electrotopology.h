#pragma once

#include <vector>

#include <GraphMol/ROMol.h>

namespace molgauge::chem::rdkit_2d {

/// Electrotopological state indices of the atoms (Hall, Mohney and Kier, J. Chem. Inf. Comput. Sci. 31, 76,
/// 1991).
std::vector<double> e_state_indices(const RDKit::ROMol& molecule);

/// Sums of `values` in bins of `keys`. Bin i contains keys from limits[i - 1] (included) to limits[i]. Both
/// vectors have one number for each atom.
std::vector<double> binned_sums(const std::vector<double>& keys, const std::vector<double>& values,
                                const std::vector<double>& limits);

/// Limits of the bins of EState_VSA (indices) and VSA_EState (surface areas in square angstrom) in RDKit.
const std::vector<double>& e_state_limits();
const std::vector<double>& surface_limits();

/// Spacial score, divided by the number of heavy atoms (Krzyzanowski et al., J. Med. Chem. 66, 12739, 2023).
/// 0 for a molecule without heavy atoms.
double spacial_score(const RDKit::ROMol& molecule);

}  // namespace molgauge::chem::rdkit_2d
