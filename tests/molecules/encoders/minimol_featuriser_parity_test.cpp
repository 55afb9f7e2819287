#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/io/tensors/npz.h"
#include "graphs.h"
#include "minimol_fixtures.h"
#include "molecules/chem/perception.h"
#include "molecules/encoders/minimol/featuriser.h"
#include "molecules/encoders/minimol/laplacian.h"
#include "support/fixtures.h"

namespace molgauge::encoders::minimol {
namespace {

enum Kind { kSimple = 0, kRepeated = 1, kPadding = 2 };  // values of eig_kind in reference_pivot_eigvec

/// The reference molecules from their SMILES, with the atoms in the order of the stored arrays, regardless of
/// RDKit's canonical order.
std::vector<chem::Molecule> molecules_in_stored_order() {
  const auto places =
      io::read_npz(test::reference_data("minimol/reference_atom_order.npz"), "text_index").to_float32();
  std::ifstream file(test::reference_data("minimol/reference_smiles.txt"));
  std::vector<chem::Molecule> molecules;
  std::size_t first = 0;
  for (chem::MoleculeRecord record; std::getline(file, record.text);) {
    const chem::Molecule molecule = chem::perceive(record, {});
    std::vector<std::uint32_t> row_of_place;
    for (std::uint32_t row = 0; row < molecule.atoms.size(); ++row) {
      const auto place = static_cast<std::size_t>(places.at(first + row));
      row_of_place.resize(std::max(row_of_place.size(), place + 1));
      row_of_place[place] = row;
    }
    std::vector<std::uint32_t> new_number;
    for (const chem::Atom& atom : molecule.atoms) {
      new_number.push_back(row_of_place.at(atom.text_index));
    }
    molecules.push_back(test::renumbered(molecule, new_number));
    first += molecule.atoms.size();
  }
  return molecules;
}

/// For each atom, the lowest atom number in its component.
std::vector<std::size_t> component_of(const chem::Molecule& molecule) {
  std::vector<std::size_t> component(molecule.atoms.size());
  for (std::size_t i = 0; i < component.size(); ++i) {
    component[i] = i;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const chem::Bond& bond : molecule.bonds) {
      const std::size_t lowest = std::min(component[bond.begin], component[bond.end]);
      changed = changed || component[bond.begin] != lowest || component[bond.end] != lowest;
      component[bond.begin] = component[bond.end] = lowest;
    }
  }
  return component;
}

/// The maximum of |L v - lambda v| over one column of one component.
double residual(const chem::Molecule& molecule, const Inputs& inputs, std::size_t column,
                const std::vector<std::size_t>& component, std::size_t which) {
  const chem::Neighbours neighbours(molecule);
  double largest = 0;
  for (std::size_t atom = 0; atom < component.size(); ++atom) {
    if (component[atom] != which) {
      continue;
    }
    const std::size_t at = atom * kEigenpairs + column;
    double sum = (static_cast<double>(neighbours.degree(atom)) - inputs.laplacian_eigval[at]) *
                 inputs.laplacian_eigvec[at];
    for (const std::uint32_t neighbour : neighbours.of(atom)) {
      sum -= inputs.laplacian_eigvec[neighbour * kEigenpairs + column];
    }
    largest = std::max(largest, std::abs(sum));
  }
  return largest;
}

/// True if a column of one component equals the stored column or its negative.
bool equal_up_to_sign(const Inputs& ours, const Inputs& stored, std::size_t column,
                      const std::vector<std::size_t>& component, std::size_t which) {
  bool same = true, opposite = true;
  for (std::size_t atom = 0; atom < component.size(); ++atom) {
    if (component[atom] == which) {
      const std::size_t at = atom * kEigenpairs + column;
      same = same && ours.laplacian_eigvec[at] == stored.laplacian_eigvec[at];
      opposite = opposite && ours.laplacian_eigvec[at] == -stored.laplacian_eigvec[at];
    }
  }
  return same || opposite;
}

class MinimolFeaturiserParity : public testing::Test {
 protected:
  void SetUp() override {
    REQUIRE_REFERENCE("minimol/reference_inputs.npz");
    molecules_ = molecules_in_stored_order();
    stored_ = test::reference_inputs();
    ASSERT_FALSE(molecules_.empty());
    ASSERT_EQ(stored_.size(), molecules_.size());
  }

  std::vector<chem::Molecule> molecules_;
  std::vector<Inputs> stored_;
};

TEST_F(MinimolFeaturiserParity, EverythingButTheEigenvectorsIsEqual) {
  for (std::size_t i = 0; i < molecules_.size(); ++i) {
    const auto ours = featurise(molecules_[i]);
    EXPECT_EQ(ours->feat, stored_[i].feat) << "molecule " << i;
    EXPECT_EQ(ours->edge_source, stored_[i].edge_source) << "molecule " << i;
    EXPECT_EQ(ours->edge_target, stored_[i].edge_target) << "molecule " << i;
    EXPECT_EQ(ours->edge_feat, stored_[i].edge_feat) << "molecule " << i;
    EXPECT_EQ(ours->laplacian_eigval, stored_[i].laplacian_eigval) << "molecule " << i;
    EXPECT_EQ(ours->rw_return_probs, stored_[i].rw_return_probs) << "molecule " << i;
  }
}

TEST_F(MinimolFeaturiserParity, EigenvectorsAreTheStoredOnesUpToTheGauge) {
  const auto kinds =
      io::read_npz(test::reference_data("minimol/reference_pivot_eigvec.npz"), "eig_kind").to_float32();
  std::size_t first = 0, simple = 0, repeated = 0;
  for (std::size_t i = 0; i < molecules_.size(); ++i) {
    const auto ours = featurise(molecules_[i]);
    const auto component = component_of(molecules_[i]);
    for (std::size_t atom = 0; atom < component.size(); ++atom) {
      for (std::size_t column = 0; column < kEigenpairs; ++column) {
        const auto kind = static_cast<int>(kinds[(first + atom) * kEigenpairs + column]);
        if (kind == kPadding) {
          EXPECT_EQ(ours->laplacian_eigvec[atom * kEigenpairs + column], 0.0F) << "molecule " << i;
        } else if (component[atom] == atom && kind == kSimple) {
          ++simple;
          EXPECT_TRUE(equal_up_to_sign(*ours, stored_[i], column, component, atom)) << "molecule " << i;
        } else if (component[atom] == atom && kind == kRepeated) {
          ++repeated;
          EXPECT_LT(residual(molecules_[i], *ours, column, component, atom), 5e-3) << "molecule " << i;
        }
      }
    }
    first += component.size();
  }
  EXPECT_EQ(first * kEigenpairs, kinds.size());
  EXPECT_GT(simple, 0U);
  EXPECT_GT(repeated, 0U);
}

TEST_F(MinimolFeaturiserParity, PivotEigenvectors) {
  const auto expected =
      io::read_npz(test::reference_data("minimol/reference_pivot_eigvec.npz"), "eigvec").to_float32();
  std::vector<float> ours;
  for (const chem::Molecule& molecule : molecules_) {
    const LaplacianEncoding encoding = laplacian_encoding(chem::Neighbours(molecule));
    ours.insert(ours.end(), encoding.eigenvectors.begin(), encoding.eigenvectors.end());
  }
  ASSERT_EQ(ours.size(), expected.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    ASSERT_NEAR(ours[i], expected[i], 1e-6) << "atom " << i / kEigenpairs << " column " << i % kEigenpairs;
  }
}

}  // namespace
}  // namespace molgauge::encoders::minimol
