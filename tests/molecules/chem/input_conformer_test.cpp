#include "molecules/chem/input_conformer.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "records.h"

namespace molgauge::chem {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::SizeIs;

struct PlacedAtom {
  std::string element;
  double x, y, z;
};

/// A V2000 block of a chain with single bonds.
MoleculeRecord block(const std::vector<PlacedAtom>& atoms, const std::string& dimension = "3D") {
  std::string text = fmt::format("\n     RDKit          {}\n\n{:3}{:3}  0  0  0  0  0  0  0  0999 V2000\n",
                                 dimension, atoms.size(), atoms.size() - 1);
  for (const PlacedAtom& atom : atoms) {
    text += fmt::format("{:10.4f}{:10.4f}{:10.4f} {:<3} 0  0  0  0  0  0  0  0  0  0  0  0\n", atom.x, atom.y,
                        atom.z, atom.element);
  }
  for (std::size_t i = 1; i < atoms.size(); ++i) {
    text += fmt::format("{:3}{:3}  1  0\n", i, i + 1);
  }
  MoleculeRecord record;
  record.text = text + "M  END\n";
  record.format = RecordFormat::molblock;
  return record;
}

const std::vector<PlacedAtom> kMethanol = {
    {"C", -0.36, 0, 0.01}, {"O", 0.9, 0.5, -0.25}, {"H", 0.88, 1.4, -0.5}};

Perception with(Coordinates wanted) {
  Perception perception;
  perception.coordinates = wanted;
  return perception;
}

TEST(OwnConformer, ComesWithAMolBlockOfThreeDimensions) {
  const Molecule molecule = perceive(block(kMethanol), with(Coordinates::heavy));
  EXPECT_THAT(molecule.atoms, SizeIs(2)) << "the graph is unchanged";
  ASSERT_TRUE(molecule.conformer);
  EXPECT_THAT(molecule.conformer->elements, ElementsAre(6, 8));
  ASSERT_THAT(molecule.conformer->positions, SizeIs(2));
  EXPECT_THAT(molecule.conformer->positions[1], ElementsAre(FloatEq(0.9F), FloatEq(0.5F), FloatEq(-0.25F)));
}

TEST(OwnConformer, HasAllHydrogensWhereTheyAreWanted) {
  const Molecule molecule = perceive(block(kMethanol), with(Coordinates::all));
  ASSERT_TRUE(molecule.conformer);
  EXPECT_THAT(molecule.conformer->elements, ElementsAre(6, 8, 1, 1, 1, 1));
  const auto& places = molecule.conformer->positions;
  EXPECT_THAT(places[2], ElementsAre(FloatEq(0.88F), FloatEq(1.4F), FloatEq(-0.5F))) << "as in the block";
  for (std::size_t hydrogen = 3; hydrogen < 6; ++hydrogen) {
    double squared = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      squared += std::pow(places[hydrogen][axis] - places[0][axis], 2);
    }
    EXPECT_NEAR(std::sqrt(squared), 1.09, 0.05) << "on the carbon atom";
  }
}

TEST(OwnConformer, IsNotMadeUp) {
  EXPECT_FALSE(perceive(block(kMethanol), {}).conformer) << "not asked for";
  auto flat = kMethanol;
  std::ranges::for_each(flat, [](PlacedAtom& atom) { atom.z = 0; });
  EXPECT_FALSE(perceive(block(flat, "2D"), with(Coordinates::all)).conformer) << "a drawing";
  EXPECT_TRUE(perceive(block(flat), with(Coordinates::all)).conformer) << "a flat molecule";
  EXPECT_FALSE(perceive(test::smiles_record("CO"), with(Coordinates::all)).conformer);
}

TEST(OwnConformer, IsRefusedWhereAnAtomIsNowhere) {
  auto far = kMethanol;
  far[0].x = -50'000;
  EXPECT_THROW(perceive(block(far), with(Coordinates::heavy)), InvalidMolecule);
}

}  // namespace
}  // namespace molgauge::chem
