#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "molecules/chem/molecule.h"
#include "molecules/encoders/chemprop/inputs.h"

namespace molgauge::encoders::chemprop {

/// The published sets of features, which differ in their widths.
enum class FeatureSet {
  v1,       ///< 133 numbers for an atom
  v2,       ///< 72 numbers for an atom
  organic,  ///< 44 numbers for an atom
  rigr,     ///< 52 numbers, which do not depend on the resonance form
};

std::int64_t atom_width(FeatureSet features);
/// The number of columns of a bond: 14, or 2 for RIGR.
std::int64_t bond_width(FeatureSet features);

/// The set of features with these widths, or none.
std::optional<FeatureSet> find_features(std::int64_t atom_width, std::int64_t bond_width);

/// Computes the features of chemprop (Heid et al. 2024, DOI 10.1021/acs.jcim.3c01250): columns for the
/// element, degree, charge, chirality, hydrogens and hybridisation. Each group has a column for other values.
/// `molecule` must have details (chem::Perception::details). Throws InputError if the molecule has no atoms.
std::unique_ptr<Inputs> featurise(const chem::Molecule& molecule, FeatureSet features);

/// Sets the columns of an atom in `row` [atom_width], which must be zero before.
void write_atom(const AtomFeatures& atom, FeatureSet features, float* row);
/// Adds the columns of a bond to `row` [bond_width].
void add_bond(std::uint32_t columns, FeatureSet features, float* row);

}  // namespace molgauge::encoders::chemprop
