#include "molecules/encoders/minimol/featuriser.h"

#include <algorithm>
#include <array>
#include <string>

#include <Eigen/Core>

#include "molecules/chem/neighbours.h"
#include "molecules/encoders/minimol/laplacian.h"
#include "molecules/encoders/minimol/random_walk.h"

namespace molgauge::encoders::minimol {
namespace {

// Columns of `feat`: floats, then one-hots.
constexpr std::size_t kDegree = 0, kCharge = 1, kRadicals = 2, kAromatic = 3, kInRing = 4;
constexpr std::size_t kElement = 5, kGroup = 49, kPeriod = 69, kValence = 77;
/// number that the network subtracts from the degree
constexpr int kDegreeOffset = 2;
constexpr int kHighestValence = 6;  ///< larger valences share a column

// Columns of `edge_feat`.
constexpr std::size_t kBondType = 0, kBondStereo = 5, kBondInRing = 12;

constexpr std::size_t kLastElement = 118;

/// Atomic numbers with their own column, in the order of the columns: C N O S F Si P Cl Br Mg Na Ca Fe As Al
/// I B V K Tl Yb Sb Sn Ag Pd Co Se Ti Zn H Li Ge Cu Au Ni Cd In Mn Zr Cr Pt Hg Pb. Other elements share one
/// more column.
constexpr std::array<std::uint8_t, 43> kElements = {
    6,  7,  8,  16, 9,  14, 15, 17, 35, 12, 11, 20, 26, 33, 13, 53, 5,  23, 19, 81, 70, 51,
    50, 47, 46, 27, 34, 22, 30, 1,  3,  32, 29, 79, 28, 48, 49, 25, 40, 24, 78, 80, 82};

/// The columns that an element sets.
struct ElementColumns {
  std::uint8_t element, group, period;
};

constexpr std::size_t period_of(std::size_t atomic_number) {
  constexpr std::array<std::size_t, 7> kNobleGases = {2, 10, 18, 36, 54, 86, kLastElement};
  std::size_t period = 1;
  while (atomic_number > kNobleGases[period - 1]) {
    ++period;
  }
  return period;
}

/// Group of the periodic table. 19 for the f-block, Ce to Lu and Th to Lr.
constexpr std::size_t group_of(std::size_t atomic_number) {
  constexpr std::array<std::size_t, 7> kBefore = {0, 2, 10, 18, 36, 54, 86};
  const std::size_t period = period_of(atomic_number);
  const std::size_t place = atomic_number - kBefore[period - 1];
  switch (period) {
    case 1:
      return place == 1 ? 1 : 18;
    case 2:
    case 3:
      return place <= 2 ? place : place + 10;
    case 4:
    case 5:
      return place;
    default:
      return place <= 3 ? place : place <= 17 ? 19 : place - 14;
  }
}

constexpr std::array<ElementColumns, kLastElement + 1> make_element_columns() {
  std::array<ElementColumns, kLastElement + 1> columns{};
  for (std::size_t number = 1; number <= kLastElement; ++number) {
    const auto found = std::find(kElements.begin(), kElements.end(), number);
    columns[number] = {
        static_cast<std::uint8_t>(kElement + static_cast<std::size_t>(found - kElements.begin())),
        static_cast<std::uint8_t>(kGroup + group_of(number) - 1),
        static_cast<std::uint8_t>(kPeriod + period_of(number) - 1)};
  }
  columns[0] = columns[kLastElement];  // for a dummy atom, the published code reads index -1
  return columns;
}

constexpr auto kElementColumns = make_element_columns();

float rounded_to_half(float number) { return static_cast<float>(Eigen::half(number)); }

void round_to_half(std::vector<float>& numbers) {
  std::transform(numbers.begin(), numbers.end(), numbers.begin(), rounded_to_half);
}

void write_atom(const chem::Atom& atom, float* row) {
  if (atom.atomic_number > kLastElement) {
    throw InputError("there is no element " + std::to_string(atom.atomic_number));
  }
  const ElementColumns& columns = kElementColumns[atom.atomic_number];
  // Only the degree is rounded, because the other columns here are exact in half precision.
  row[kDegree] = rounded_to_half(static_cast<float>(atom.total_degree - kDegreeOffset));
  row[kCharge] = static_cast<float>(atom.formal_charge);
  row[kRadicals] = static_cast<float>(atom.radical_electrons);
  row[kAromatic] = static_cast<float>(atom.aromatic);
  row[kInRing] = static_cast<float>(atom.in_ring);
  row[columns.element] = 1.0F;
  row[columns.group] = 1.0F;
  row[columns.period] = 1.0F;
  row[kValence + std::min<std::size_t>(atom.total_valence, kHighestValence + 1)] = 1.0F;
}

void write_bond(const chem::Bond& bond, float* row) {
  row[kBondType + static_cast<std::size_t>(bond.type)] = 1.0F;
  row[kBondStereo + static_cast<std::size_t>(bond.stereo)] = 1.0F;
  row[kBondInRing] = static_cast<float>(bond.in_ring);
}

void write_atoms(const chem::Molecule& molecule, Inputs& inputs) {
  inputs.feat.resize(molecule.atoms.size() * kAtomFeatures);
  float* row = inputs.feat.data();
  for (const chem::Atom& atom : molecule.atoms) {
    write_atom(atom, row);
    row += kAtomFeatures;
  }
}

void write_edges(const chem::Molecule& molecule, Inputs& inputs) {
  const std::size_t edges = 2 * molecule.bonds.size();
  inputs.edge_feat.resize(edges * kBondFeatures);
  inputs.edge_source.reserve(edges);
  inputs.edge_target.reserve(edges);
  float* row = inputs.edge_feat.data();
  for (const chem::Bond& bond : molecule.bonds) {
    write_bond(bond, row);
    std::copy_n(row, kBondFeatures, row + kBondFeatures);
    row += 2 * kBondFeatures;
    inputs.edge_source.insert(inputs.edge_source.end(), {bond.begin, bond.end});
    inputs.edge_target.insert(inputs.edge_target.end(), {bond.end, bond.begin});
  }
}

}  // namespace

std::unique_ptr<Inputs> featurise(const chem::Molecule& molecule) {
  if (molecule.atoms.empty()) {
    throw InputError("no atoms");
  }
  const chem::Neighbours neighbours(molecule);
  auto inputs = std::make_unique<Inputs>();
  inputs->atoms = molecule.atoms.size();
  write_atoms(molecule, *inputs);
  write_edges(molecule, *inputs);
  LaplacianEncoding laplacian = laplacian_encoding(neighbours);
  inputs->laplacian_eigvec = std::move(laplacian.eigenvectors);
  inputs->laplacian_eigval = std::move(laplacian.eigenvalues);
  inputs->rw_return_probs = return_probabilities(neighbours);
  round_to_half(inputs->laplacian_eigvec);
  round_to_half(inputs->laplacian_eigval);
  round_to_half(inputs->rw_return_probs);
  return inputs;
}

std::uint64_t featurising_bytes(std::size_t atoms, std::size_t edges) {
  constexpr std::uint64_t kHeapRounding = 1024;  // memory blocks have headers, and their sizes are multiples
                                                 // of a unit
  const std::uint64_t neighbours = 2 * (atoms + 1) * sizeof(std::size_t) + edges * sizeof(std::uint32_t);
  return kHeapRounding + neighbours +
         std::max(laplacian_bytes(atoms, edges), return_probability_bytes(atoms));
}

}  // namespace molgauge::encoders::minimol
