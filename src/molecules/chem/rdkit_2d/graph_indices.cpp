#include "molecules/chem/rdkit_2d/graph_indices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include <GraphMol/Bond.h>
#include <GraphMol/MolOps.h>

namespace molgauge::chem::rdkit_2d {
namespace {

/// Shannon entropy in bits of the distribution that the counts describe.
double entropy(const std::vector<double>& counts) {
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  double sum = 0;
  for (const double count : counts) {
    const double share = count / total;
    sum -= share != 0 ? share * std::log(share) : 0;
  }
  return sum / std::log(2.0);
}

template <typename Key>
std::vector<double> values_of(const std::map<Key, double>& counts) {
  std::vector<double> values;
  for (const auto& [key, count] : counts) {
    values.push_back(count);
  }
  return values;
}

/// The distances of all atoms, row by row. The length of a bond is the inverse of its order.
const double* weighted_distances(const RDKit::ROMol& molecule) {
  constexpr bool use_order = true, use_weights = false, force = false;
  return RDKit::MolOps::getDistanceMat(molecule, use_order, use_weights, force, "Balaban");
}

/// Numbers the classes of atoms with equal distances to other atoms.
std::vector<std::size_t> symmetry_classes(const RDKit::ROMol& molecule) {
  constexpr std::size_t kDistances = 100;
  constexpr double kPerUnit = 1e4;  // distances are compared with four decimals
  const std::size_t atoms = molecule.getNumAtoms();
  const double* const distances = weighted_distances(molecule);
  std::map<std::vector<std::int64_t>, std::size_t> seen;
  std::vector<std::size_t> classes;
  for (std::size_t i = 0; i < atoms; ++i) {
    std::vector<std::int64_t> row;
    std::transform(distances + i * atoms, distances + (i + 1) * atoms, std::back_inserter(row),
                   [](double distance) { return std::llround(distance * kPerUnit); });
    std::sort(row.begin(), row.end());
    row.resize(std::min(row.size(), kDistances));
    classes.push_back(seen.emplace(std::move(row), seen.size()).first->second);
  }
  return classes;
}

double order_of(const RDKit::Bond& bond) {
  constexpr double kAromatic = 1.5;
  return bond.getIsAromatic() || bond.getBondType() == RDKit::Bond::AROMATIC
             ? kAromatic
             : static_cast<double>(bond.getBondType());
}

/// The neighbours of each atom, ascending.
std::vector<std::vector<std::size_t>> neighbours_of(const RDKit::ROMol& molecule) {
  std::vector<std::vector<std::size_t>> neighbours(molecule.getNumAtoms());
  for (const RDKit::Bond* const bond : molecule.bonds()) {
    neighbours[bond->getBeginAtomIdx()].push_back(bond->getEndAtomIdx());
    neighbours[bond->getEndAtomIdx()].push_back(bond->getBeginAtomIdx());
  }
  for (std::vector<std::size_t>& of_one : neighbours) {
    std::sort(of_one.begin(), of_one.end());
  }
  return neighbours;
}

/// Returns the absolute coefficients of the characteristic polynomial with the method of Le Verrier, Faddeev
/// and Frame (Trinajstić, Chemical Graph Theory, 2nd edition, 1992, page 76). The order of the additions is
/// the one of a matrix product.
std::vector<double> polynomial(const RDKit::ROMol& molecule) {
  const std::size_t atoms = molecule.getNumAtoms();
  const auto neighbours = neighbours_of(molecule);
  std::vector<double> product(atoms * atoms), next(atoms * atoms);
  for (std::size_t i = 0; i < atoms; ++i) {
    for (const std::size_t j : neighbours[i]) {
      product[i * atoms + j] = 1;
    }
  }
  std::vector<double> coefficients = {1};
  for (std::size_t n = 1; n <= atoms; ++n) {
    double trace = 0;
    for (std::size_t i = 0; i < atoms; ++i) {
      trace += product[i * atoms + i];
    }
    const double coefficient = 1.0 / static_cast<double>(n) * trace;
    coefficients.push_back(std::abs(coefficient));
    if (!std::isfinite(coefficient)) {
      break;
    }
    for (std::size_t i = 0; i < atoms; ++i) {
      product[i * atoms + i] -= coefficient;
    }
    std::fill(next.begin(), next.end(), 0.0);
    for (std::size_t i = 0; i < atoms; ++i) {
      double* const row = next.data() + i * atoms;
      for (const std::size_t k : neighbours[i]) {
        const double* const added = product.data() + k * atoms;
        for (std::size_t j = 0; j < atoms; ++j) {
          row[j] += added[j];
        }
      }
    }
    std::swap(product, next);
  }
  return coefficients;
}

/// The connections of Bertz, counted by the classes of their atoms.
struct Connections {
  std::map<std::pair<std::size_t, std::size_t>, double> of_bonds;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, double> of_pairs;
};

Connections connections_of(const RDKit::ROMol& molecule) {
  const std::vector<std::size_t> classes = symmetry_classes(molecule);
  Connections connections;
  for (const RDKit::Bond* const bond : molecule.bonds()) {
    const auto ends = std::minmax(classes[bond->getBeginAtomIdx()], classes[bond->getEndAtomIdx()]);
    if (const double order = order_of(*bond); order > 1) {
      connections.of_bonds[ends] += order * (order - 1) / 2;
    }
  }
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    std::vector<const RDKit::Bond*> bonds;
    for (const RDKit::Bond* const bond : molecule.atomBonds(atom)) {
      bonds.push_back(bond);
    }
    for (std::size_t i = 0; i < bonds.size(); ++i) {
      for (std::size_t j = i + 1; j < bonds.size(); ++j) {
        const auto ends = std::minmax(classes[bonds[i]->getOtherAtomIdx(atom->getIdx())],
                                      classes[bonds[j]->getOtherAtomIdx(atom->getIdx())]);
        connections.of_pairs[{ends.first, classes[atom->getIdx()], ends.second}] +=
            order_of(*bonds[i]) * order_of(*bonds[j]);
      }
    }
  }
  return connections;
}

}  // namespace

double chi_0(const RDKit::ROMol& molecule) {
  double sum = 0;
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    sum += atom->getDegree() > 0 ? std::sqrt(1.0 / atom->getDegree()) : 0;
  }
  return sum;
}

double chi_1(const RDKit::ROMol& molecule) {
  double sum = 0;
  for (const RDKit::Bond* const bond : molecule.bonds()) {
    sum += std::sqrt(1.0 / (bond->getBeginAtom()->getDegree() * bond->getEndAtom()->getDegree()));
  }
  return sum;
}

double balaban_j(const RDKit::ROMol& molecule) {
  const std::size_t atoms = molecule.getNumAtoms(), bonds = molecule.getNumBonds();
  const double* const distances = weighted_distances(molecule);
  std::vector<double> sums(atoms);
  for (std::size_t i = 0; i < atoms; ++i) {
    sums[i] = std::accumulate(distances + i * atoms, distances + (i + 1) * atoms, 0.0);
  }
  double sum = 0;
  for (const RDKit::Bond* const bond : molecule.bonds()) {
    sum += 1 / std::sqrt(sums[bond->getBeginAtomIdx()] * sums[bond->getEndAtomIdx()]);
  }
  // The number of rings plus 1. It is negative if the molecule has several parts.
  const double rings = static_cast<double>(bonds) - static_cast<double>(atoms) + 2;
  return rings != 0 ? static_cast<double>(bonds) / rings * sum : 0;
}

double bertz_ct(const RDKit::ROMol& molecule) {
  if (molecule.getNumAtoms() < 2) {
    return 0;
  }
  std::map<int, double> elements;
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    ++elements[atom->getAtomicNum()];
  }
  const Connections connections = connections_of(molecule);
  std::vector<double> counts = values_of(connections.of_bonds);
  const std::vector<double> pairs = values_of(connections.of_pairs);
  counts.insert(counts.end(), pairs.begin(), pairs.end());
  if (counts.empty()) {
    counts.push_back(1);
  }
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  return molecule.getNumAtoms() * entropy(values_of(elements)) +
         total * (entropy(counts) + std::log(total) / std::log(2.0));
}

InformationContent information_content(const RDKit::ROMol& molecule) {
  const std::vector<double> coefficients = polynomial(molecule);
  const double sum = std::accumulate(coefficients.begin(), coefficients.end(), 0.0);
  if (!std::isfinite(sum)) {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    return {kNaN, kNaN};
  }
  const double average = entropy(coefficients);
  return {sum * average, average};
}

}  // namespace molgauge::chem::rdkit_2d
