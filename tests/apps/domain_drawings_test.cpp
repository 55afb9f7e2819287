// Tests `molgauge domain --standardize` on the command line, with several drawings of one molecule.

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/io/tables/csv_reader.h"
#include "support/fixtures.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using Row = std::map<std::string, std::string>;

std::vector<Row> rows_of(const std::string& path) {
  io::CsvReader reader(path, ',');
  const std::vector<std::string> columns = reader.next()->fields;
  std::vector<Row> rows;
  while (const auto row = reader.next()) {
    Row& own = rows.emplace_back();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      own[columns[i]] = row->fields.at(i);
    }
  }
  return rows;
}

class DomainDrawings : public testing::Test {
 protected:
  /// Returns 300 amines, acids, alcohols and chlorides, each with one of five rings, followed by the
  /// molecules that the tests use.
  std::string training_file() {
    std::string text = "smiles,name,value\n";
    for (int chain = 1; chain <= 15; ++chain) {
      for (const char* const ring : {"c1ccccc1", "C1CCCCC1", "c1ccncc1", "C1CCCC1", "c1ccsc1"}) {
        for (const char* const end : {"N", "C(=O)O", "O", "Cl"}) {
          text += ring + std::string(static_cast<std::size_t>(chain), 'C') + end + ",m,";
          text += std::to_string(chain) + "\n";
        }
      }
    }
    text +=
        "CC(=O)Oc1ccccc1C(=O)O,aspirin,2\n"
        "[Na+].CC(=O)Oc1ccccc1C(=O)[O-],sodium aspirin,4\n"
        "OC(=O)c1ccccc1OC(C)=O,aspirin again,\n"
        "C[C@H](F)Cc1ccccc1,left,1\n"
        "Oc1ccccn1,pyridinol,1\n";
    return place_.file("train.csv", text);
  }

  Outcome domain(const std::string& training, std::vector<std::string> more) {
    more.insert(more.begin(), {"domain", training, candidates_});
    more.insert(more.end(), {"--store", place_.path("store"), "--quiet"});
    return molgauge(more, {});
  }
  std::vector<Row> judge(const std::string& training, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--out", place_.path("domain.csv")});
    const Outcome outcome = domain(training, more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return rows_of(place_.path("domain.csv"));
  }

  Workplace place_;
  std::string training_ = training_file();
  std::string candidates_ = place_.file("candidates.csv",
                                        "name,smiles\n"
                                        "salt,CC(=O)Oc1ccccc1C(=O)[O-].[K+]\n"
                                        "amine,c1ccccc1CCCC[NH3+].[O-]C(=O)C(F)(F)F\n"
                                        "right,C[C@@H](F)Cc1ccccc1\n"
                                        "pyridone,O=c1cccc[nH]1\n"
                                        "mapped,[CH3:1][C@H:2](F)Cc1ccccc1\n"
                                        "table salt,[Na+].[Cl-]\n"
                                        "query,[#6]CC\n"
                                        "rest,*CCC\n"
                                        "foreign,[Cl-].C[Se]CC[NH3+]\n");
};

TEST_F(DomainDrawings, TheParentIsComparedByDefault) {
  const auto rows = judge(training_, {"--encoder", "ecfp", "--label-column", "value"});
  ASSERT_EQ(rows.size(), 9U);
  EXPECT_EQ(rows[0].at("in_training"), "yes");
  EXPECT_EQ(rows[0].at("domain_p_value"), "1");
  EXPECT_EQ(rows[0].at("nearest_1_distance"), "0") << "it has the features of the parent";
  EXPECT_EQ(rows[0].at("training_match"), "same parent");
  EXPECT_EQ(rows[0].at("training_match_name"), "aspirin");
  EXPECT_EQ(rows[0].at("training_match_smiles"), "CC(=O)Oc1ccccc1C(=O)O");
  EXPECT_EQ(rows[0].at("standardized_smiles"), "CC(=O)Oc1ccccc1C(=O)O");
  EXPECT_EQ(rows[0].at("foreign_atoms"), "") << "counter-ions are not foreign";
  EXPECT_EQ(rows[0].at("smiles"), "CC(=O)Oc1ccccc1C(=O)[O-].[K+]");
  EXPECT_EQ(rows[1].at("in_training"), "yes");
  EXPECT_EQ(rows[1].at("training_match"), "same parent");
  EXPECT_EQ(rows[2].at("in_training"), "no");
  EXPECT_EQ(rows[2].at("training_match"), "stereoisomer");
  EXPECT_EQ(rows[2].at("training_match_name"), "left");
  EXPECT_EQ(rows[3].at("training_match"), "");
  EXPECT_EQ(rows[4].at("training_match"), "same");
  EXPECT_EQ(rows[4].at("in_training"), "yes");
  EXPECT_EQ(rows[5].at("domain"), "outside");
  EXPECT_EQ(rows[5].at("foreign_elements"), "Na");
  EXPECT_EQ(rows[6].at("domain"), "unreadable");
  EXPECT_THAT(rows[6].at("domain_reason"), HasSubstr("query"));
  EXPECT_EQ(rows[7].at("domain"), "unreadable");
  EXPECT_THAT(rows[7].at("domain_reason"), HasSubstr("dummy"));
  EXPECT_EQ(rows[8].at("foreign_elements"), "Se") << "not of the counter-ion";
  EXPECT_THAT(" " + rows[8].at("foreign_atoms") + " ", HasSubstr(" 2 "))
      << "selenium, counted in the drawing";
  EXPECT_THAT(" " + rows[8].at("foreign_atoms") + " ", testing::Not(HasSubstr(" 0 ")));
  EXPECT_EQ(rows[8].at("foreign_charge"), "");
  const auto json = nlohmann::json::parse(read_file(place_.path("domain.json")));
  EXPECT_EQ(json["method"]["standardize"], "parent");
  EXPECT_EQ(json["training"]["duplicates_left_out"], 2);
  EXPECT_EQ(json["training"]["duplicates_drawn_differently"], 1);
  EXPECT_EQ(json["labels"]["molecules_with_several_labels"], 1);
  EXPECT_EQ(json["labels"]["median_range_of_several_labels"], 2);
  const auto& conflict = json["labels"]["first_molecules_with_several_labels"][0];
  EXPECT_EQ(conflict["name"], "aspirin");
  EXPECT_EQ(conflict["labels"], (std::vector<double>{2, 4}));
  EXPECT_EQ(conflict["used"], 3);
}

TEST_F(DomainDrawings, TautomersAreOneMoleculeInTheirMode) {
  const auto rows = judge(training_, {"--encoder", "ecfp", "--standardize", "tautomer"});
  EXPECT_EQ(rows[0].at("training_match"), "same parent");
  EXPECT_EQ(rows[3].at("training_match"), "tautomer");
  EXPECT_EQ(rows[3].at("in_training"), "yes");
  EXPECT_EQ(rows[3].at("domain_p_value"), "1");
  EXPECT_EQ(rows[3].at("training_match_name"), "pyridinol");
}

TEST_F(DomainDrawings, WithoutStandardisationDrawingsDiffer) {
  const auto rows = judge(training_, {"--encoder", "ecfp", "--standardize", "none"});
  EXPECT_EQ(rows[0].at("in_training"), "no");
  EXPECT_EQ(rows[0].at("training_match"), "");
  EXPECT_EQ(rows[2].at("training_match"), "stereoisomer");
  EXPECT_EQ(rows[4].at("training_match"), "same");
  EXPECT_EQ(rows[6].at("domain"), "unreadable");
  EXPECT_EQ(rows[7].at("domain"), "unreadable");
}

TEST_F(DomainDrawings, ASavedFolderKeepsTheMode) {
  const auto rows =
      judge(training_, {"--encoder", "ecfp", "--standardize", "tautomer", "--save", place_.path("saved")});
  const auto again = judge(place_.path("saved"));
  EXPECT_EQ(rows, again);
  const Outcome refused = domain(place_.path("saved"), {"--standardize", "tautomer", "--out", "x.csv"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--standardize"));
  const Outcome unknown = domain(training_, {"--standardize", "mesomer", "--out", place_.path("x.csv")});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("mesomer"));
}

/// Returns the row without the columns that describe the drawing.
Row without_drawing(Row row) {
  for (const char* const column : {"name", "smiles", "training_match", "foreign_atoms"}) {
    row.erase(column);
  }
  return row;
}

TEST_F(DomainDrawings, IsotopesDoNotCount) {
  candidates_ = place_.file("isotopes.csv",
                            "name,smiles\n"
                            "CD3,[2H]C([2H])([2H])C(=O)Oc1ccccc1C(=O)O\n"
                            "carbon-14,C[14C](=O)Oc1ccccc1C(=O)[O-].[Na+]\n"
                            "procainamide,CCN(CC)CCNC(=O)c1ccc(N)cc1\n"
                            "labelled,[2H]C([2H])([2H])CN(CC)CCNC(=O)c1ccc(N)[13cH]c1.Cl\n");
  for (const char* const mode : {"parent", "tautomer"}) {
    const auto rows = judge(training_, {"--encoder", "ecfp", "--standardize", mode});
    for (const std::size_t labelled : {0, 1}) {
      EXPECT_EQ(rows[labelled].at("training_match"), "same parent");
      EXPECT_EQ(rows[labelled].at("training_match_name"), "aspirin");
      EXPECT_EQ(rows[labelled].at("domain_p_value"), "1");
      EXPECT_EQ(rows[labelled].at("nearest_1_distance"), "0");
      EXPECT_EQ(rows[labelled].at("foreign_atoms"), "");
    }
    EXPECT_EQ(without_drawing(rows[2]), without_drawing(rows[3]));
  }
  const auto kept =
      judge(training_, {"--encoder", "ecfp", "--keep-isotopes", "--save", place_.path("saved")});
  EXPECT_EQ(kept[0].at("training_match"), "");
  EXPECT_NE(kept[0].at("nearest_1_distance"), "0");
  EXPECT_THAT(kept[3].at("standardized_smiles"), HasSubstr("[2H]"));
  EXPECT_EQ(judge(place_.path("saved")), kept);
  EXPECT_TRUE(nlohmann::json::parse(read_file(place_.path("domain.json")))["method"]["keep_isotopes"]);
  EXPECT_THAT(domain(place_.path("saved"), {"--keep-isotopes"}).err,
              HasSubstr("--keep-isotopes has no effect"));
  const Outcome none = domain(training_, {"--keep-isotopes", "--standardize", "none"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("--keep-isotopes has no effect"));
}

TEST_F(DomainDrawings, RadicalsAndMixturesHaveRemarks) {
  candidates_ = place_.file("remarks.csv",
                            "smiles\n"
                            "CC1(C)CCCC(C)(C)N1[O]\n"
                            "C[C@H](F)Cc1ccccc1.CC(=O)Oc1ccccc1C(=O)O\n"
                            "CC(=O)Oc1ccccc1C(=O)O.OCCN\n");
  const auto rows = judge(training_, {"--encoder", "ecfp"});
  EXPECT_THAT(rows[0].at("domain_reason"), testing::EndsWith("radical with 1 unpaired electron"));
  EXPECT_THAT(rows[1].at("domain_reason"),
              testing::EndsWith("mixture of 2 components, taken as one molecule"));
  EXPECT_EQ(rows[1].at("training_match"), "") << "both components are training molecules";
  EXPECT_EQ(rows[1].at("in_training"), "no");
  EXPECT_NE(rows[1].at("domain_p_value"), "1");
  EXPECT_EQ(rows[2].at("domain_reason"), "") << "a salt with a listed base";
  EXPECT_EQ(rows[2].at("training_match"), "same parent");
  EXPECT_THAT(read_file(place_.path("domain.json")), HasSubstr("2 candidates are radicals or mixtures"));
}

TEST_F(DomainDrawings, ScoreStandardisesLikeDomain) {
  judge(training_, {"--encoder", "ecfp", "--save", place_.path("saved")});
  const Outcome outcome = molgauge({"score", place_.path("saved"), candidates_, "--store",
                                    place_.path("store"), "--out", place_.path("scores.csv"), "--quiet"},
                                   {});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto rows = rows_of(place_.path("scores.csv"));
  EXPECT_EQ(rows[0].at("in_training"), "yes");
  EXPECT_EQ(rows[1].at("in_training"), "yes");
  EXPECT_EQ(rows[2].at("in_training"), "no");
}

}  // namespace
}  // namespace molgauge::test
