#include "molecules/chem/properties.h"

#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/io/tables/csv_reader.h"
#include "molecules/chem/perception.h"
#include "records.h"
#include "support/fixtures.h"

namespace molgauge::chem {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

MoleculeProperties properties_of(const std::string& smiles) {
  return chem::properties_of(test::smiles_record(smiles));
}

/// Rows of tests/fixtures/molecules/properties.csv, which RDKit for Python wrote (record_properties.py).
std::vector<std::vector<std::string>> recorded() {
  io::CsvReader reader(test::own_data("molecules/properties.csv").string(), ',');
  std::vector<std::vector<std::string>> rows;
  while (auto row = reader.next()) {
    rows.push_back(row->fields);
  }
  return rows;
}

TEST(MoleculePropertiesTest, EqualRdkitForPython) {
  const auto rows = recorded();
  ASSERT_EQ(rows.size(), 301U);
  for (std::size_t column = 0; column < kPropertyColumns.size(); ++column) {
    ASSERT_EQ(rows.front().at(column + 1), kPropertyColumns[column].name);
  }
  for (std::size_t row = 1; row < rows.size(); ++row) {
    const std::vector<std::string>& expected = rows[row];
    const MoleculeProperties own = properties_of(expected.front());
    for (std::size_t i = 0; i < kPropertyColumns.size(); ++i) {
      const PropertyColumn& column = kPropertyColumns[i];
      const std::string& text = expected.at(i + 1);
      if (column.number != nullptr) {
        EXPECT_NEAR(own.*column.number, std::stod(text), 1e-6) << column.name << " of " << expected.front();
      } else if (column.count != nullptr) {
        EXPECT_EQ(own.*column.count, std::stol(text)) << column.name << " of " << expected.front();
      } else {
        EXPECT_EQ(fmt::format("{}", fmt::join(own.*column.alerts, "; ")), text)
            << column.name << " of " << expected.front();
      }
    }
  }
}

TEST(MoleculePropertiesTest, DescribeTheDrawing) {
  const MoleculeProperties salt = properties_of("CCC(=O)[O-].[Na+]");
  EXPECT_DOUBLE_EQ(salt.molecular_weight, 96.061);
  EXPECT_EQ(salt.charge, 0);
  EXPECT_EQ(properties_of("CCC(=O)[O-]").charge, -1);
  EXPECT_GT(properties_of("[2H]C([2H])([2H])O").molecular_weight, properties_of("CO").molecular_weight);
}

TEST(MoleculePropertiesTest, DoNotDependOnTheOrderOfTheAtoms) {
  const MoleculeProperties one = properties_of("CN1C=NC2=C1C(=O)N(C(=O)N2C)C"),
                           other = properties_of("Cn1c(=O)c2c(ncn2C)n(C)c1=O");
  for (const PropertyColumn& column : kPropertyColumns) {
    if (column.number != nullptr) {
      EXPECT_EQ(one.*column.number, other.*column.number) << column.name;
    }
  }
}

TEST(MoleculePropertiesTest, CountLipinskisAtomsAndBonds) {
  // Cyclosporin A breaks the rules on the weight and on N and O atoms.
  const MoleculeProperties cyclosporin = properties_of(
      "CC[C@@H]1NC(=O)[C@H]([C@H](O)[C@H](C)C/C=C/C)N(C)C(=O)[C@H](C(C)C)N(C)C(=O)[C@H](CC(C)C)N(C)C(=O)[C@H]"
      "(CC(C)C)N(C)C(=O)[C@@H](C)NC(=O)[C@H](C)NC(=O)[C@H](CC(C)C)N(C)C(=O)[C@@H](NC(=O)[C@H](CC(C)C)N(C)C(="
      "O)CN(C)C1=O)C(C)C");
  EXPECT_EQ(cyclosporin.lipinski_violations, 2);
  EXPECT_EQ(properties_of("CC(=O)Oc1ccccc1C(=O)O").lipinski_violations, 0);
}

TEST(MoleculePropertiesTest, NameStructuralAlerts) {
  EXPECT_THAT(properties_of("CC").pains_alerts, IsEmpty());
  EXPECT_THAT(properties_of("O=C1C=CC(=O)C=C1").pains_alerts, ElementsAre("quinone_A(370)"));
  EXPECT_THAT(properties_of("CC=O").brenk_alerts, Contains("aldehyde"));
}

TEST(MoleculePropertiesTest, NameTheAtomsOfAnAlert) {
  const auto atoms = [](const std::string& smiles, const std::string& alert) {
    return alert_atoms({.text = smiles, .line = 1, .file = "test"}, alert);
  };
  EXPECT_THAT(atoms("CCC=O", "aldehyde"), ElementsAre(1, 2, 3));
  EXPECT_THAT(atoms("O=CCCC=O", "aldehyde"), ElementsAre(0, 1, 2));
  EXPECT_THAT(atoms("CCO", "aldehyde"), IsEmpty());
  EXPECT_THAT(atoms("CCC=O", "no such alert"), IsEmpty());
}

TEST(MoleculePropertiesTest, RefuseWhatIsNotAMolecule) {
  EXPECT_THROW(properties_of("no molecule"), InvalidMolecule);
  EXPECT_NO_THROW(properties_of("C"));  // a refused molecule does not use up a copy of the patterns
}

TEST(MoleculePropertiesTest, AreEqualInConcurrentCalls) {
  const std::string smiles = "Oc1ccc(/C=C/c2cc(O)cc(O)c2)cc1";
  const MoleculeProperties expected = properties_of(smiles);
  std::vector<MoleculeProperties> found(4);
  std::vector<std::thread> threads;
  for (MoleculeProperties& one : found) {
    threads.emplace_back([&] { one = properties_of(smiles); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const MoleculeProperties& one : found) {
    EXPECT_EQ(one.qed, expected.qed);
    EXPECT_EQ(one.brenk_alerts, expected.brenk_alerts);
  }
}

}  // namespace
}  // namespace molgauge::chem
