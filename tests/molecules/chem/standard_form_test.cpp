// Compares the shortcuts of molecules/chem/standard_form.h with the complete steps of RDKit.

#include "molecules/chem/standard_form.h"

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <GraphMol/MolStandardize/Charge.h>
#include <GraphMol/MolStandardize/MolStandardize.h>
#include <GraphMol/MolStandardize/Normalize.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <gtest/gtest.h>

#include "base/io/tables/csv_reader.h"
#include "molecules/chem/identity.h"
#include "molecules/chem/perception.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"
#include "records.h"
#include "support/fixtures.h"

namespace molgauge::chem {
namespace {

namespace rules = RDKit::MolStandardize;
using test::canonical;

std::vector<std::string> some_molecules() {
  return {"CCO",
          "c1ccccc1[N+](=O)[O-]",
          "O=[N+]([O-])c1ccc(N)cc1",
          "CS(=O)(=O)N",
          "O=S(=O)(c1ccccc1)N",
          "S(=O)(=O)(C)C",
          "CS(=O)(=O)",
          "CS(=O)=O",
          "C1CS1(=O)=O",
          "S1(=O)(=O)CC1",
          "C%10CCS%10(=O)=O",
          "CC[S](=O)(=O)C",
          "OS(=O)(=O)O",
          "CS(C)(=O)=N",
          "CS(=O)(=O)S(C)=O",
          "O=S=O",
          "c1ccccc1N=Nc1ccccc1",
          "C1=NN=NN1",
          "CS(C)=O",
          "CN=NC",
          "CC[NH3+]",
          "CCN.Cl",
          "O=N(=O)c1ccccc1",
          "CN=N#N",
          "C=N#N",
          "O=n1ccccc1",
          "CP(C)(C)=O",
          "O=Cl(=O)(=O)O",
          "C1=CC=CC=C1",
          "C=1CCCCC=1",
          "N=1CCCCN=1",
          "[nH]1cccc1",
          "[13CH3]C",
          "[SiH4]",
          "C[Si](C)(C)C",
          "B(O)O",
          "F/C=C/F",
          "C%12CC%12",
          "[H]C([H])O",
          "[2H]C",
          "S=C=S",
          "N#CS",
          "CC#N",
          "OC(=O)c1ccccc1O",
          "[Se]",
          "C[N]C",
          "[O][O]",
          "O=O",
          "Cc1nnOc(N)nc1C",
          "C1=NN=S=N1",
          "[O-][O-]",
          "[O-][O+]=O",
          "OO",
          "O=C(O)C[n+]1ccccc1",
          "C1CC1(C)=O",
          "[O-][N+](=O)C"};
}

void expect_shortcuts_hold(const std::string& smiles) {
  std::unique_ptr<RDKit::RWMol> molecule;
  try {
    molecule = read_molecule(test::smiles_record(smiles));
  } catch (const InvalidMolecule&) {
    return;
  }
  with_rdkit([&] {
    const bool is_plain = is_plainly_standard(*molecule);
    EXPECT_TRUE(is_plain || !is_plainly_standard(smiles)) << smiles;
    if (is_plain) {
      static rules::Normalizer normalizer;
      static rules::Reionizer reionizer;
      static rules::Uncharger uncharger;
      const std::unique_ptr<RDKit::ROMol> normal(normalizer.normalize(*molecule)),
          ionised(reionizer.reionize(*normal)), neutral(uncharger.uncharge(*ionised));
      EXPECT_EQ(RDKit::MolToSmiles(*neutral), RDKit::MolToSmiles(*molecule)) << smiles;
    }
  });
}

std::string random_spelling(const std::string& smiles) {
  const auto molecule = read_molecule(test::smiles_record(smiles));
  return with_rdkit([&] {
    constexpr bool isomeric = true, kekule = false, canonical = false, all_bonds = false,
                   all_hydrogens = false, random = true;
    return RDKit::MolToSmiles(*molecule, isomeric, kekule, -1, canonical, all_bonds, all_hydrogens, random);
  });
}

std::string parent_of(const std::string& smiles) {
  const auto molecule = read_molecule(test::smiles_record(smiles));
  return with_rdkit([&] {
    const std::string drawn = RDKit::MolToSmiles(*molecule);
    return standard_form(*molecule, drawn, Standardize::parent).smiles;
  });
}

TEST(StandardForm, ShortcutsLeaveOutOnlyStepsWithoutEffect) {
  for (const std::string& smiles : some_molecules()) {
    expect_shortcuts_hold(smiles);
  }
}

TEST(StandardForm, KnowsWhereEachAtomWasDrawn) {
  for (const char* const smiles : {"[Cl-].C[NH+](C)CCS(=O)c1ccccc1", "C[C@H](F)[NH3+].OC(=O)C(F)(F)F",
                                   "CC(=O)O[Na]", "[Na+].[O-]c1ccccn1"}) {
    const auto molecule = read_molecule(test::smiles_record(smiles));
    with_rdkit([&] {
      const std::string drawn = RDKit::MolToSmiles(*molecule);
      for (const Standardize mode : {Standardize::parent, Standardize::tautomer}) {
        const StandardForm form = standard_form(*molecule, drawn, mode);
        ASSERT_NE(form.molecule, nullptr) << smiles;
        ASSERT_EQ(form.atoms.size(), form.molecule->getNumAtoms()) << smiles;
        for (unsigned atom = 0; atom < form.molecule->getNumAtoms(); ++atom) {
          EXPECT_EQ(form.molecule->getAtomWithIdx(atom)->getAtomicNum(),
                    molecule->getAtomWithIdx(form.atoms[atom])->getAtomicNum());
        }
      }
    });
  }
}

TEST(StandardFormParity, ShortcutsSpellingsAndRepetitionsOnPublicSets) {
  for (const auto& [name, column, step] :
       {std::tuple("bace.csv", "smiles", 5), std::tuple("bbbp.csv", "smiles", 5),
        std::tuple("lipo.csv", "smiles", 10), std::tuple("hiv.csv", "smiles", 50)}) {
    REQUIRE_REFERENCE(std::string("molecules/") + name);
    io::CsvReader reader(test::reference_data(std::string("molecules/") + name).string(), ',');
    const auto header = reader.next()->fields;
    const auto place = static_cast<std::size_t>(std::find(header.begin(), header.end(), std::string(column)) -
                                                header.begin());
    ASSERT_LT(place, header.size()) << name;
    int number = 0, misspelt = 0;
    while (const auto row = reader.next()) {
      if (number++ % step != 0) {
        continue;
      }
      const std::string& smiles = row->fields[place];
      expect_shortcuts_hold(smiles);
      try {
        const std::string parent = parent_of(smiles);
        // The random SMILES of RDKit are wrong for a few macrocycles with double bonds between rings.
        if (const std::string spelling = random_spelling(smiles); canonical(spelling) == canonical(smiles)) {
          EXPECT_EQ(parent_of(spelling), parent) << smiles;
        } else {
          ++misspelt;
        }
        EXPECT_EQ(parent_of(parent), parent) << smiles;
      } catch (const InvalidMolecule&) {
        continue;
      }
    }
    EXPECT_LT(misspelt, 10) << name;
  }
}

}  // namespace
}  // namespace molgauge::chem
