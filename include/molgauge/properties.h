#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace molgauge {

/// Properties of a molecule as drawn, as RDKit computes them. Real numbers are rounded to 1e-6.
struct MoleculeProperties {
  double molecular_weight = 0;  ///< average molecular weight in g/mol. Labelled isotopes have their own mass
  double log_p = 0;             ///< Wildman and Crippen (1999, DOI 10.1021/ci990307l)
  /// Topological polar surface area in square angstrom, of nitrogen and oxygen (Ertl et al. 2000, DOI
  /// 10.1021/jm000942e).
  double tpsa = 0;
  std::int64_t h_bond_donors = 0, h_bond_acceptors = 0;
  std::int64_t rotatable_bonds = 0;  ///< RDKit's strict definition, without amide bonds
  std::int64_t rings = 0;            ///< smallest set of smallest rings
  std::int64_t charge = 0;           ///< sum of the formal charges
  double qed = 0;  ///< drug-likeness, 0 to 1 (Bickerton et al. 2012, DOI 10.1038/nchem.1243)
  /// Violated rules among four: weight > 500, log P > 5, more than 5 NH and OH bonds, more than 10 N and O
  /// atoms (Lipinski et al. 1997).
  std::int64_t lipinski_violations = 0;
  /// Names of structural alerts of RDKit's filter catalogs that the molecule contains.
  std::vector<std::string> pains_alerts, brenk_alerts, nih_alerts;
};

/// A column of MoleculeProperties in tables. Exactly one of the pointers is set.
struct PropertyColumn {
  const char* name;     ///< name of the column in CSV files, Arrow tables and JSON
  const char* title;    ///< name on pages
  const char* meaning;  ///< explanation on pages
  double MoleculeProperties::*number = nullptr;
  std::int64_t MoleculeProperties::*count = nullptr;
  std::vector<std::string> MoleculeProperties::*alerts = nullptr;  ///< joined with "; " in a cell
};

inline constexpr auto kPropertyColumns = std::to_array<PropertyColumn>({
    {.name = "molecular_weight",
     .title = "weight",
     .meaning = "Average molecular weight in g/mol.",
     .number = &MoleculeProperties::molecular_weight},
    {.name = "log_p",
     .title = "log P",
     .meaning = "Octanol-water partition coefficient, estimated by the method of Wildman and Crippen.",
     .number = &MoleculeProperties::log_p},
    {.name = "tpsa",
     .title = "TPSA",
     .meaning = "Topological polar surface area of nitrogen and oxygen, in square angstrom.",
     .number = &MoleculeProperties::tpsa},
    {.name = "h_bond_donors",
     .title = "H-bond donors",
     .meaning = "Number of hydrogen bond donors.",
     .count = &MoleculeProperties::h_bond_donors},
    {.name = "h_bond_acceptors",
     .title = "H-bond acceptors",
     .meaning = "Number of hydrogen bond acceptors.",
     .count = &MoleculeProperties::h_bond_acceptors},
    {.name = "rotatable_bonds",
     .title = "rotatable bonds",
     .meaning = "Number of rotatable bonds, without amide bonds.",
     .count = &MoleculeProperties::rotatable_bonds},
    {.name = "rings",
     .title = "rings",
     .meaning = "Number of rings in the smallest set of smallest rings.",
     .count = &MoleculeProperties::rings},
    {.name = "charge",
     .title = "charge",
     .meaning = "Sum of the formal charges.",
     .count = &MoleculeProperties::charge},
    {.name = "qed",
     .title = "QED",
     .meaning = "Quantitative estimate of drug-likeness, from 0 to 1. Larger values mean more drug-like.",
     .number = &MoleculeProperties::qed},
    {.name = "lipinski_violations",
     .title = "Lipinski violations",
     .meaning = "Violations of the four rules of Lipinski: weight > 500, log P > 5, more than 5 NH and OH "
                "bonds, more than 10 N and O atoms.",
     .count = &MoleculeProperties::lipinski_violations},
    {.name = "alerts_pains",
     .title = "PAINS alerts",
     .meaning = "Substructures of compounds that react in many assays (Baell and Holloway 2010).",
     .alerts = &MoleculeProperties::pains_alerts},
    {.name = "alerts_brenk",
     .title = "BRENK alerts",
     .meaning = "Unwanted functional groups (Brenk et al. 2008).",
     .alerts = &MoleculeProperties::brenk_alerts},
    {.name = "alerts_nih",
     .title = "NIH alerts",
     .meaning = "Reactive or unwanted functional groups (Doveston et al. 2015, Jadhav et al. 2010).",
     .alerts = &MoleculeProperties::nih_alerts},
});

}  // namespace molgauge
