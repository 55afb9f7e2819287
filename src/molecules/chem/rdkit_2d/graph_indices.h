#pragma once

#include <GraphMol/ROMol.h>

/// Indices of the molecular graph without implicit hydrogens.
namespace molgauge::chem::rdkit_2d {

/// Connectivity indices of order 0 and 1 (Hall and Kier, Rev. Comput. Chem. 2, 367, 1991, equations 1 and 9
/// to 12). Isolated atoms are left out.
double chi_0(const RDKit::ROMol& molecule);
double chi_1(const RDKit::ROMol& molecule);

/// Average distance sum connectivity (Balaban, Chem. Phys. Lett. 89, 399, 1982). The length of a bond is the
/// inverse of its order.
double balaban_j(const RDKit::ROMol& molecule);

/// Complexity of the bonds and of the distribution of the elements (Bertz, J. Am. Chem. Soc. 103, 3599,
/// 1981). Atoms are equivalent if the 100 smallest distances to other atoms are equal. The length of a bond
/// is the inverse of its order, and aromatic bonds have the order 1.5.
double bertz_ct(const RDKit::ROMol& molecule);

/// Information content of the coefficients of the characteristic polynomial of the adjacency matrix (Bonchev
/// and Trinajstić, J. Chem. Phys. 67, 4517, 1977, equations 6 and 7).
struct InformationContent {
  double total = 0, average = 0;
};

/// The numbers are NaN if a coefficient overflows. Takes time that grows with the cube of the atoms.
InformationContent information_content(const RDKit::ROMol& molecule);

}  // namespace molgauge::chem::rdkit_2d
