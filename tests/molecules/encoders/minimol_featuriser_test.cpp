#include <numeric>

#include <gmock/gmock.h>

#include "graphs.h"
#include "molecules/encoders/minimol/featuriser.h"

namespace molgauge::encoders::minimol {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

chem::Molecule one_atom(const chem::Atom& atom) {
  chem::Molecule molecule;
  molecule.atoms = {atom};
  return molecule;
}

chem::Atom element(std::uint8_t atomic_number) {
  chem::Atom atom;
  atom.atomic_number = atomic_number;
  return atom;
}

/// Returns the columns, from `first` on, that contain a one. All other columns must contain a zero.
std::vector<std::size_t> ones(const std::vector<float>& row, std::size_t first) {
  std::vector<std::size_t> columns;
  for (std::size_t column = first; column < row.size(); ++column) {
    if (row[column] == 1.0F) {
      columns.push_back(column);
    } else {
      EXPECT_EQ(row[column], 0.0F) << column;
    }
  }
  return columns;
}

std::vector<std::size_t> element_columns(std::uint8_t atomic_number) {
  return ones(featurise(one_atom(element(atomic_number)))->feat, 5);
}

std::vector<float> bond_row(chem::BondType type, chem::BondStereo stereo, bool in_ring) {
  chem::Molecule molecule = test::path(2);
  molecule.bonds[0].type = type;
  molecule.bonds[0].stereo = stereo;
  molecule.bonds[0].in_ring = in_ring;
  const auto inputs = featurise(molecule);
  const auto middle = inputs->edge_feat.begin() + kBondFeatures;
  EXPECT_TRUE(std::equal(inputs->edge_feat.begin(), middle, middle, inputs->edge_feat.end()));
  return {inputs->edge_feat.begin(), middle};
}

TEST(MinimolFeaturiser, Methane) {
  chem::Atom carbon = element(6);
  carbon.total_degree = carbon.total_valence = 4;
  const auto inputs = featurise(one_atom(carbon));
  EXPECT_EQ(inputs->size(), (memory::ItemSize{.tokens = 1, .pairs = 0}));
  EXPECT_THAT(inputs->feat, SizeIs(kAtomFeatures));
  EXPECT_EQ(inputs->feat[0], 2.0F);
  EXPECT_THAT(ones(inputs->feat, 1), ElementsAre(5, 49 + 13, 69 + 1, 77 + 4));
  EXPECT_THAT(inputs->edge_feat, IsEmpty());
  EXPECT_THAT(inputs->edge_source, IsEmpty());
  EXPECT_THAT(inputs->edge_target, IsEmpty());
  EXPECT_EQ(inputs->laplacian_eigvec[0], 1.0F);
  EXPECT_EQ(inputs->rw_return_probs, std::vector<float>(kWalkSteps, 1.0F));
}

TEST(MinimolFeaturiser, FloatsOfAnAtom) {
  chem::Atom atom = element(7);
  atom.formal_charge = -3;
  atom.radical_electrons = 2;
  atom.aromatic = atom.in_ring = true;
  const auto feat = featurise(one_atom(atom))->feat;
  EXPECT_EQ(std::vector<float>(feat.begin(), feat.begin() + 5), (std::vector<float>{-2, -3, 2, 1, 1}));
}

TEST(MinimolFeaturiser, ElementsGroupsAndPeriods) {
  const auto columns = [](std::size_t symbol, std::size_t group, std::size_t period) {
    return ElementsAre(5 + symbol, 48 + group, 68 + period, 77);
  };
  constexpr std::size_t kOther = 43;
  EXPECT_THAT(element_columns(1), columns(29, 1, 1));
  EXPECT_THAT(element_columns(2), columns(kOther, 18, 1));
  EXPECT_THAT(element_columns(4), columns(kOther, 2, 2));
  EXPECT_THAT(element_columns(5), columns(16, 13, 2));
  EXPECT_THAT(element_columns(17), columns(7, 17, 3));
  EXPECT_THAT(element_columns(26), columns(12, 8, 4));
  EXPECT_THAT(element_columns(54), columns(kOther, 18, 5));
  EXPECT_THAT(element_columns(57), columns(kOther, 3, 6));   // La
  EXPECT_THAT(element_columns(58), columns(kOther, 19, 6));  // Ce
  EXPECT_THAT(element_columns(71), columns(kOther, 19, 6));  // Lu
  EXPECT_THAT(element_columns(72), columns(kOther, 4, 6));   // Hf
  EXPECT_THAT(element_columns(82), columns(42, 14, 6));      // Pb
  EXPECT_THAT(element_columns(92), columns(kOther, 19, 7));
  EXPECT_THAT(element_columns(118), columns(kOther, 18, 7));
}

TEST(MinimolFeaturiser, ADummyAtomHasTheColumnsOfTheLastElement) {
  EXPECT_EQ(element_columns(0), element_columns(118));
}

TEST(MinimolFeaturiser, ValencesAboveSixShareAColumn) {
  chem::Atom atom = element(16);
  for (const auto& [valence, column] :
       {std::pair(0, 77U), std::pair(6, 83U), std::pair(7, 84U), std::pair(300, 84U)}) {
    atom.total_valence = static_cast<std::uint16_t>(valence);
    EXPECT_EQ(ones(featurise(one_atom(atom))->feat, 77), std::vector<std::size_t>{column});
  }
}

TEST(MinimolFeaturiser, Bonds) {
  using chem::BondStereo;
  using chem::BondType;
  EXPECT_THAT(ones(bond_row(BondType::single, BondStereo::none, false), 0), ElementsAre(0, 5));
  EXPECT_THAT(ones(bond_row(BondType::double_, BondStereo::z, false), 0), ElementsAre(1, 7));
  EXPECT_THAT(ones(bond_row(BondType::double_, BondStereo::e, true), 0), ElementsAre(1, 8, 12));
  EXPECT_THAT(ones(bond_row(BondType::triple, BondStereo::any, false), 0), ElementsAre(2, 6));
  EXPECT_THAT(ones(bond_row(BondType::aromatic, BondStereo::cis, true), 0), ElementsAre(3, 9, 12));
  EXPECT_THAT(ones(bond_row(BondType::other, BondStereo::trans, false), 0), ElementsAre(4, 10));
  EXPECT_THAT(ones(bond_row(BondType::other, BondStereo::other, false), 0), ElementsAre(4, 11));
}

TEST(MinimolFeaturiser, EveryBondIsTwoEdges) {
  const auto inputs = featurise(test::graph(4, {{2, 0}, {1, 2}}));
  EXPECT_THAT(inputs->edge_source, ElementsAre(2, 0, 1, 2));
  EXPECT_THAT(inputs->edge_target, ElementsAre(0, 2, 2, 1));
  EXPECT_EQ(inputs->edge_count(), 4U);
}

TEST(MinimolFeaturiser, NumbersAreRoundedToHalfPrecision) {
  const auto pair = featurise(test::path(2));
  EXPECT_EQ(pair->laplacian_eigvec[0], 0.70703125F);                      // sqrt(1/2)
  EXPECT_EQ(featurise(test::path(3))->laplacian_eigvec[0], 0.57714844F);  // sqrt(1/3)
  EXPECT_EQ(featurise(test::complete(4))->rw_return_probs[1], 0.33325195F);
  chem::Atom hub = element(0);
  hub.total_degree = 2053;
  EXPECT_EQ(featurise(one_atom(hub))->feat[0], 2052.0F);  // 2051 lies between 2050 and 2052
}

TEST(MinimolFeaturiser, RefusesWhatCannotBe) {
  EXPECT_THROW(featurise(chem::Molecule()), InputError);
  EXPECT_THROW(featurise(test::graph(2, {{0, 2}})), InputError);
  EXPECT_THROW(featurise(one_atom(element(119))), InputError);
}

}  // namespace
}  // namespace molgauge::encoders::minimol
