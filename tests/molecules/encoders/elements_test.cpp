#include <gtest/gtest.h>

#include "molecules/encoders/registry.h"

namespace molgauge::encoders {
namespace {

TEST(Elements, AreCounted) {
  const auto encoder = make_encoder("elements", {});
  chem::Molecule molecule;
  molecule.atoms.resize(3);
  molecule.atoms[0].atomic_number = molecule.atoms[2].atomic_number = 6;
  molecule.atoms[1].atomic_number = 8;
  const auto one = encoder->featurise(molecule);
  const std::vector<const FeaturisedMolecule*> batch = {one.get()};
  std::vector<float> row(128);
  encoder->encode(batch, row);
  EXPECT_EQ(row[6], 2);
  EXPECT_EQ(row[8], 1);
}

}  // namespace
}  // namespace molgauge::encoders
