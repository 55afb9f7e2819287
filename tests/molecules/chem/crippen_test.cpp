#include "molecules/chem/crippen.h"

#include <fstream>
#include <string>

#include <GraphMol/Descriptors/Crippen.h>
#include <gtest/gtest.h>

#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"
#include "records.h"
#include "support/fixtures.h"

namespace molgauge::chem {
namespace {

void expect_value_of_rdkit(const std::string& smiles) {
  const auto molecule = read_molecule(test::smiles_record(smiles));
  with_rdkit([&] {
    double expected = 0, refractivity = 0;
    RDKit::Descriptors::calcCrippenDescriptors(*molecule, expected, refractivity);
    EXPECT_EQ(crippen_log_p(*molecule), expected) << smiles;
  });
}

TEST(CrippenLogP, EqualsRdkit) {
  for (const std::string smiles :
       {"C", "[H][H]", "[Na+].[Cl-]", "CC(=O)Oc1ccccc1C(=O)O", "CN1C=NC2=C1C(=O)N(C(=O)N2C)C",
        "C[N+](C)(C)CC([O-])=O", "O=[N+]([O-])c1ccc(F)c(Br)c1", "CS(=O)(=O)c1ccc(I)cc1", "OB(O)c1ccccc1",
        "C[Si](C)(C)C#CC#N", "FC(F)(F)c1nnc(S)[nH]1", "CP(=O)(OC)Oc1ccccn1", "N[Pt](N)(Cl)Cl",
        "[2H]C([2H])([2H])N=NC", "c1ccc2c(c1)[se]c1ccccc12", "CC(C)(C)OO", "C1=CC=CC=C1N=C=S"}) {
    expect_value_of_rdkit(smiles);
  }
}

TEST(CrippenLogPParity, EqualsRdkitForMoleculesOfGood) {
  std::ifstream file(test::reference_data("ood/good_molecules.csv"));
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    expect_value_of_rdkit(line.substr(0, line.find(',')));
  }
}

}  // namespace
}  // namespace molgauge::chem
