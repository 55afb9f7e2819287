#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/io/tensors/npz.h"
#include "records.h"
#include "support/fixtures.h"

namespace molgauge::chem {
namespace {

TEST(PerceptionParity, AtomOrderOfTheReferenceMolecules) {
  REQUIRE_REFERENCE("minimol/reference_atom_order.npz");
  const auto places =
      io::read_npz(test::reference_data("minimol/reference_atom_order.npz"), "text_index").to_float32();
  std::ifstream file(test::reference_data("minimol/reference_smiles.txt"));
  std::vector<float> found;
  for (std::string smiles; std::getline(file, smiles);) {
    for (const Atom& atom : test::perceive_smiles(smiles).atoms) {
      found.push_back(static_cast<float>(atom.text_index));
    }
  }
  EXPECT_EQ(found, places);
}

}  // namespace
}  // namespace molgauge::chem
