// Tests the option --describe of `molgauge domain` and `molgauge predict`.

#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "base/io/tables/csv_reader.h"
#include "command.h"
#include "molgauge/properties.h"
#include "support/fixtures.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::Not;

using Rows = std::vector<std::map<std::string, std::string>>;

class Describe : public testing::Test {
 protected:
  Rows rows_of(const std::string& file) const {
    io::CsvReader reader(place_.path(file), ',');
    const auto columns = reader.next()->fields;
    Rows rows;
    while (const auto row = reader.next()) {
      auto& cells = rows.emplace_back();
      for (std::size_t i = 0; i < columns.size(); ++i) {
        cells[columns[i]] = row->fields[i];
      }
    }
    return rows;
  }

  Outcome domain(const std::string& candidates, const std::vector<std::string>& more) const {
    std::vector<std::string> words = {
        "domain", place_.nci_molecules(60), candidates, "--encoder", "ecfp", "--store", place_.path("s"),
        "--out",  place_.path("domain.csv")};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  }

  Outcome predict(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"predict",
                                      (own_data("chemprop") / "v2_regression.pt").string(),
                                      list_,
                                      "--store",
                                      place_.path("s"),
                                      "--out",
                                      place_.path("predicted.csv")};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  }

  static void expect_properties(const Rows& rows) {
    ASSERT_EQ(rows.size(), 3U);
    const std::map<std::string, std::string> aspirin = {{"molecular_weight", "180.159"},
                                                        {"log_p", "1.3101"},
                                                        {"tpsa", "63.6"},
                                                        {"h_bond_donors", "1"},
                                                        {"h_bond_acceptors", "3"},
                                                        {"rotatable_bonds", "2"},
                                                        {"rings", "1"},
                                                        {"charge", "0"},
                                                        {"qed", "0.550122"},
                                                        {"lipinski_violations", "0"},
                                                        {"alerts_pains", ""},
                                                        {"alerts_brenk", "phenol_ester"}};
    for (const auto& [column, cell] : aspirin) {
      EXPECT_EQ(rows[0].at(column), cell) << column;
    }
    EXPECT_EQ(rows[1].at("molecular_weight"), "");
    EXPECT_EQ(rows[1].at("alerts_brenk"), "");
    EXPECT_EQ(rows[2].at("alerts_pains"), "quinone_A(370)");
  }

  Workplace place_;
  std::string list_ = place_.file("list.csv", "smiles\nCC(=O)Oc1ccccc1C(=O)O\nC(C\nO=C1C=CC(=O)C=C1\n");
};

TEST_F(Describe, AddsPropertiesToADomain) {
  const Outcome outcome = domain(list_, {"--describe"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_properties(rows_of("domain.csv"));
  EXPECT_THAT(read_file(place_.path("domain.html")), HasSubstr("quinone_A(370)"));
}

TEST_F(Describe, AddsPropertiesToPredictions) {
  const Outcome outcome = predict({"--describe"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_properties(rows_of("predicted.csv"));
}

TEST_F(Describe, OtherColumnsStayAsTheyAre) {
  ASSERT_EQ(domain(list_, {}).exit_code, 0);
  const Rows domain_rows = rows_of("domain.csv");
  ASSERT_EQ(domain(list_, {"--describe"}).exit_code, 0);
  const Rows described = rows_of("domain.csv");
  for (std::size_t row = 0; row < domain_rows.size(); ++row) {
    EXPECT_EQ(described[row].size(), domain_rows[row].size() + kPropertyColumns.size());
    for (const auto& [column, cell] : domain_rows[row]) {
      EXPECT_EQ(described[row].at(column), cell) << column;
    }
  }
  ASSERT_EQ(predict({}).exit_code, 0);
  EXPECT_THAT(read_file(place_.path("predicted.csv")), Not(HasSubstr("tpsa")));
}

TEST_F(Describe, RefusesOrRenamesATakenColumn) {
  const std::string taken = place_.file("taken.csv", "smiles,tpsa\nCCO,12\n");
  const Outcome outcome = domain(taken, {"--describe"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("has a column tpsa"));
  EXPECT_EQ(domain(taken, {}).exit_code, 0);
  list_ = taken;
  ASSERT_EQ(predict({"--describe"}).exit_code, 0);
  EXPECT_EQ(rows_of("predicted.csv").front().at("tpsa"), "12");
  EXPECT_EQ(rows_of("predicted.csv").front().at("tpsa_2"), "20.23");
}

}  // namespace
}  // namespace molgauge::test
