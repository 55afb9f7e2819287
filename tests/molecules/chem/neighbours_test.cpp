#include "molecules/chem/neighbours.h"

#include <gmock/gmock.h>

namespace molgauge::chem {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Molecule star() {
  Molecule molecule;
  molecule.atoms.resize(5);
  molecule.bonds = {{3, 1}, {0, 1}, {1, 2}};
  return molecule;
}

TEST(Neighbours, AreAscendingWhateverTheOrderOfTheBonds) {
  const Neighbours neighbours(star());
  EXPECT_EQ(neighbours.atom_count(), 5U);
  EXPECT_THAT(neighbours.of(0), ElementsAre(1));
  EXPECT_THAT(neighbours.of(1), ElementsAre(0, 2, 3));
  EXPECT_THAT(neighbours.of(3), ElementsAre(1));
  EXPECT_THAT(neighbours.of(4), IsEmpty());
  EXPECT_EQ(neighbours.degree(1), 3U);
}

TEST(Neighbours, RefuseABondToAnAtomThatIsNotThere) {
  Molecule molecule = star();
  molecule.bonds.push_back({0, 5});
  EXPECT_THROW(Neighbours{molecule}, InputError);
}

}  // namespace
}  // namespace molgauge::chem
