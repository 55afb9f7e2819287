#include "molecules/encoders/chemprop/featuriser.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "base/core/error.h"

namespace molgauge::encoders::chemprop {
namespace {

using chem::Hybridization;

constexpr std::uint8_t kIodine = 53;
constexpr std::array<std::uint8_t, 12> kOrganicElements = {1, 5, 6, 7, 8, 9, 14, 15, 16, 17, 35, kIodine};
constexpr std::array<std::int8_t, 5> kCharges = {-1, -2, 1, 2, 0};

constexpr std::array kHybridizationsV1 = {Hybridization::sp, Hybridization::sp2, Hybridization::sp3,
                                          Hybridization::sp3d, Hybridization::sp3d2};
constexpr std::array kHybridizationsV2 = {Hybridization::s,    Hybridization::sp,  Hybridization::sp2,
                                          Hybridization::sp2d, Hybridization::sp3, Hybridization::sp3d,
                                          Hybridization::sp3d2};
constexpr std::array kHybridizationsOrganic = {Hybridization::s, Hybridization::sp, Hybridization::sp2,
                                               Hybridization::sp3};

// The numbers of known values of a property. The columns of the property are one for each known value, and
// one for other values.
constexpr std::size_t kDegrees = 6, kChirality = 4, kHydrogens = 5;

std::size_t element_count(FeatureSet features) {
  switch (features) {
    case FeatureSet::v1:
      return 100;
    case FeatureSet::organic:
      return kOrganicElements.size();
    default:
      return 37;
  }
}

/// Returns the index of an element among the known elements. For other elements, returns the number of known
/// elements.
std::size_t element_column(std::uint8_t number, FeatureSet features) {
  const std::size_t known = element_count(features);
  if (features == FeatureSet::organic) {
    const auto* const found = std::find(kOrganicElements.begin(), kOrganicElements.end(), number);
    return static_cast<std::size_t>(found - kOrganicElements.begin());
  }
  if (features != FeatureSet::v1 && number == kIodine) {
    return known - 1;
  }
  const std::size_t in_a_row = features == FeatureSet::v1 ? known : known - 1;
  return number >= 1 && number <= in_a_row ? number - 1U : known;
}

std::span<const Hybridization> hybridizations(FeatureSet features) {
  switch (features) {
    case FeatureSet::v1:
      return kHybridizationsV1;
    case FeatureSet::organic:
      return kHybridizationsOrganic;
    default:
      return kHybridizationsV2;
  }
}

template <typename Values, typename Value>
std::size_t place_among(const Values& values, const Value& value) {
  return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

/// Assigns columns to one group after another.
class Columns {
 public:
  /// `choice`: below `known`, or equal to `known` for other values.
  void add(std::size_t choice, std::size_t known) {
    ones_[count_++] = static_cast<std::uint8_t>(first_ + std::min(choice, known));
    first_ += known + 1;
  }
  std::array<std::uint8_t, AtomFeatures::kOnes> take() {
    std::fill(ones_.begin() + count_, ones_.end(), ones_.front());
    return ones_;
  }

 private:
  std::array<std::uint8_t, AtomFeatures::kOnes> ones_{};
  std::uint8_t count_ = 0;
  std::size_t first_ = 0;
};

AtomFeatures atom_features(const chem::Atom& atom, const chem::AtomDetails& details, FeatureSet features) {
  Columns columns;
  columns.add(element_column(atom.atomic_number, features), element_count(features));
  columns.add(atom.total_degree, kDegrees);
  if (features == FeatureSet::rigr) {
    columns.add(details.hydrogens, kHydrogens);
  } else {
    columns.add(place_among(kCharges, atom.formal_charge), kCharges.size());
    columns.add(details.chirality, kChirality);
    columns.add(details.hydrogens, kHydrogens);
    const auto known = hybridizations(features);
    columns.add(place_among(known, details.hybridization), known.size());
  }
  AtomFeatures result;
  result.ones = columns.take();
  result.aromatic = features != FeatureSet::rigr && atom.aromatic ? 1 : 0;
  result.mass = static_cast<float>(0.01 * details.mass);
  return result;
}

// Columns of a bond.
constexpr unsigned kBondType = 1, kConjugated = 5, kInRing = 6, kStereo = 7, kRigrInRing = 1;

std::uint32_t bond_columns(const chem::Bond& bond, FeatureSet features) {
  const auto bit = [](unsigned column) { return std::uint32_t{1} << column; };
  if (features == FeatureSet::rigr) {
    return bond.in_ring ? bit(kRigrInRing) : 0;
  }
  std::uint32_t columns = bit(kStereo + static_cast<unsigned>(bond.stereo));
  if (bond.type != chem::BondType::other) {
    columns |= bit(kBondType + static_cast<unsigned>(bond.type));
  }
  columns |= bond.conjugated ? bit(kConjugated) : 0;
  columns |= bond.in_ring ? bit(kInRing) : 0;
  return columns;
}

}  // namespace

std::int64_t atom_width(FeatureSet features) {
  const std::size_t elements = element_count(features) + 1;
  const std::size_t of_all = elements + (kDegrees + 1) + (kHydrogens + 1) + 1;
  const std::size_t of_most =
      (kCharges.size() + 1) + (kChirality + 1) + (hybridizations(features).size() + 1) + 1;
  return static_cast<std::int64_t>(features == FeatureSet::rigr ? of_all : of_all + of_most);
}

std::int64_t bond_width(FeatureSet features) { return features == FeatureSet::rigr ? 2 : 14; }

std::optional<FeatureSet> find_features(std::int64_t of_atom, std::int64_t of_bond) {
  for (const FeatureSet features : {FeatureSet::v1, FeatureSet::v2, FeatureSet::organic, FeatureSet::rigr}) {
    if (atom_width(features) == of_atom && bond_width(features) == of_bond) {
      return features;
    }
  }
  return std::nullopt;
}

std::unique_ptr<Inputs> featurise(const chem::Molecule& molecule, FeatureSet features) {
  if (molecule.atoms.empty()) {
    throw InputError("no atoms");
  }
  auto inputs = std::make_unique<Inputs>();
  inputs->atoms.reserve(molecule.atoms.size());
  for (std::size_t i = 0; i < molecule.atoms.size(); ++i) {
    inputs->atoms.push_back(atom_features(molecule.atoms[i], molecule.details.at(i), features));
  }
  inputs->bonds.reserve(molecule.bonds.size());
  for (const chem::Bond& bond : molecule.bonds) {
    inputs->bonds.push_back({bond.begin, bond.end, bond_columns(bond, features)});
  }
  return inputs;
}

void write_atom(const AtomFeatures& atom, FeatureSet features, float* row) {
  for (const std::uint8_t column : atom.ones) {
    row[column] = 1;
  }
  const std::int64_t width = atom_width(features);
  if (features != FeatureSet::rigr) {
    row[width - 2] = atom.aromatic;
  }
  row[width - 1] = atom.mass;
}

void add_bond(std::uint32_t columns, FeatureSet features, float* row) {
  for (std::int64_t column = 0; column < bond_width(features); ++column) {
    row[column] += static_cast<float>((columns >> column) & 1U);
  }
}

}  // namespace molgauge::encoders::chemprop
