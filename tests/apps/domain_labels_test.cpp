// Tests the labels that `molgauge domain` reads: names of classes, missing and censored labels, several
// labels of one molecule, and more than two classes.

#include <functional>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/io/tables/csv_reader.h"
#include "support/fixtures.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DomainLabels : public testing::Test {
 protected:
  /// The label of a molecule with this number of carbon atoms and this ring and end group.
  using Label = std::function<std::string(int chain, int ring, int end)>;

  /// A table of 240 molecules with labels, for training or, with predictions, for calibration.
  std::string table(const std::string& name, const Label& label, const std::string& more = "") const {
    const std::vector<std::string> rings = {"c1ccccc1", "C1CCCCC1", "c1ccncc1",
                                            "C1CCCC1",  "c1ccsc1",  "c1ccoc1"};
    const std::vector<std::string> ends = {"O", "N", "C(=O)O", "Cl"};
    std::string text = "smiles,name,y,p\n";
    for (int chain = 1; chain <= 10; ++chain) {
      for (int ring = 0; ring < 6; ++ring) {
        for (int end = 0; end < 4; ++end) {
          text += fmt::format("{}{}{},m{}-{}-{},{},{}\n", rings[static_cast<std::size_t>(ring)],
                              std::string(static_cast<std::size_t>(chain), 'C'),
                              ends[static_cast<std::size_t>(end)], chain, ring, end, label(chain, ring, end),
                              0.05 + 0.1 * ((7 * chain + 3 * ring + end) % 10));
        }
      }
    }
    return place_.file(name, text + more);
  }

  Outcome domain(const std::string& training, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"domain", training, candidates_, "--encoder", "ecfp", "--label-column", "y"});
    more.insert(more.end(), {"--store", place_.path("store"), "--quiet", "--out", place_.path("domain.csv")});
    return molgauge(more);
  }
  nlohmann::json json() const { return nlohmann::json::parse(read_file(place_.path("domain.json"))); }
  std::string csv() const { return read_file(place_.path("domain.csv")); }

  static std::string is_long(int chain, int /*ring*/, int /*end*/) { return chain > 5 ? "1" : "0"; }
  static std::string measured(int chain, int ring, int end) {
    return fmt::format("{}", 4 + 0.3 * chain + 0.1 * ring + 0.05 * ((chain * ring + end) % 5));
  }

  Workplace place_;
  std::string candidates_ = place_.file("candidates.csv", "smiles,p\nc1ccccc1CCCO,0.3\nCCCC(C)CCN,0.8\n");
};

TEST_F(DomainLabels, NamesOfClassesGiveTheSameResultsAsNumbers) {
  ASSERT_EQ(domain(table("numbers.csv", is_long)).exit_code, 0);
  const std::string expected = csv();
  const nlohmann::json curve = json()["label_curve"];
  EXPECT_EQ(curve["task"], "classification");
  for (const auto& [positive, negative] :
       std::vector<std::pair<std::string, std::string>>{{"True", "False"},
                                                        {"active", "Inactive"},
                                                        {"Yes", "no"},
                                                        {"POSITIVE", "negative"},
                                                        {"T", "F"},
                                                        {"1.0", "0.0"}}) {
    const auto named = [&](int chain, int ring, int end) {
      return is_long(chain, ring, end) == "1" ? positive : negative;
    };
    const Outcome outcome = domain(table("names.csv", named));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(csv(), expected) << positive;
    EXPECT_EQ(json()["label_curve"], curve) << positive;
  }
}

TEST_F(DomainLabels, ConflictingClassesStayAClassification) {
  // m2-0-0 occurs three times, m3-0-0 twice, m4-0-0 twice with equal labels.
  const std::string repeated =
      "OCCc1ccccc1,m2-0-0 again,1,0.1\n[OH]CCc1ccccc1,m2-0-0 m3-0-0 again,1,0.1\nOCCCc1ccccc1,m3-0-0 "
      "again,1,0.1\n"
      "OCCCCc1ccccc1,equal,0,0.1\n";
  const Outcome outcome = domain(table("train.csv", is_long, repeated));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string notice =
      "2 training molecules with both classes: m2-0-0 (0, 1, 1), m3-0-0 (0, 1). Molgauge uses the class of "
      "the majority. 1 molecule without a majority is left out of the error curve.";
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr(notice), HasSubstr("AUROC"), Not(HasSubstr("mean absolute error"))));
  EXPECT_THAT(read_file(place_.path("domain.html")), HasSubstr(notice));
  const nlohmann::json found = json();
  EXPECT_EQ(found["label_curve"]["task"], "classification");
  EXPECT_EQ(found["label_curve"]["molecules"], 239);
  EXPECT_EQ(found["labels"]["are_classes"], true);
  EXPECT_EQ(found["labels"]["molecules_with_several_labels"], 2);
  EXPECT_EQ(found["labels"]["molecules_without_majority"], 1);
  const auto& listed = found["labels"]["first_molecules_with_several_labels"];
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0],
            (nlohmann::json{
                {"name", "m2-0-0"}, {"smiles", "c1ccccc1CCO"}, {"labels", {0.0, 1.0, 1.0}}, {"used", 1.0}}));
  EXPECT_EQ(listed[1]["used"], nullptr);
  // The candidate c1ccccc1CCCO is the training molecule without a majority.
  io::CsvReader reader(place_.path("domain.csv"), ',');
  const auto columns = reader.next()->fields, row = reader.next()->fields;
  const auto value = std::find(columns.begin(), columns.end(), "nearest_1_value") - columns.begin();
  EXPECT_EQ(row.at(static_cast<std::size_t>(value)), "");
  EXPECT_EQ(row.at(static_cast<std::size_t>(value) - 1), "0") << "its distance";
}

/// Rows of bbbp.csv with one molecule and both classes. The means of 0 and 1 turned such a list into measured
/// values.
TEST_F(DomainLabels, RepetitionsInBbbpHaveNoMajority) {
  const std::string repeated =
      "CN(C)C(=O)C(CCN1CCC(O)(CC1)c1ccc(Cl)cc1)(c1ccccc1)c1ccccc1,loperamide,1,0.1\n"
      "CN(C)C(=O)C(CCN1CCC(O)(CC1)c2ccc(Cl)cc2)(c3ccccc3)c4ccccc4,loperamide 2,0,0.1\n"
      "CC(=O)Oc1ccccc1C(O)=O,aspirin,0,0.1\n"
      "C1=CC=CC(=C1C(O)=O)OC(C)=O,aspirin 2,1,0.1\n"
      "CN1C2CCC1CC(C2)OC(=O)C(CO)c3ccccc3,atropine,0,0.1\n"
      "C1=CC=CC=C1C(C(OC2CC3N(C)C(C2)CC3)=O)CO,atropine 2,1,0.1\n"
      "COc1ccc2n(c(C)c(CC(O)=O)c2c1)C(=O)c3ccc(Cl)cc3,indometacin,0,0.1\n"
      "C1=CC(=CC2=C1[N](C(=C2CC(O)=O)C)C(C3=CC=C(Cl)C=C3)=O)OC,indometacin 2,1,0.1\n";
  const Outcome outcome = domain(table("train.csv", is_long, repeated));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("4 training molecules with both classes: loperamide (0, 1), aspirin (0, 1), "),
                    HasSubstr("4 molecules without a majority are left out"), HasSubstr("AUROC")));
  EXPECT_EQ(json()["label_curve"]["task"], "classification");
}

TEST_F(DomainLabels, SavedDomainsKeepTheNotices) {
  const Outcome first = domain(table("train.csv", is_long, "OCCCc1ccccc1,m3-0-0 again,1,0.1\n"),
                               {"--save", place_.path("saved")});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const nlohmann::json labels = json()["labels"], notices = json()["notices"];
  const Outcome again = molgauge({"domain", place_.path("saved"), candidates_, "--store",
                                  place_.path("store"), "--quiet", "--out", place_.path("domain.csv")});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(json()["labels"], labels);
  EXPECT_EQ(json()["notices"], notices);
  EXPECT_THAT(again.out, HasSubstr("1 training molecule with both classes: m3-0-0 (0, 1)."));
}

TEST_F(DomainLabels, MoreThanTwoClassesAreRefused) {
  const auto names = [](int chain, int /*ring*/, int /*end*/) {
    return chain < 4 ? "low" : chain < 8 ? "medium" : "high";
  };
  const Outcome named = domain(table("names.csv", names));
  EXPECT_EQ(named.exit_code, 3);
  EXPECT_THAT(named.err, AllOf(HasSubstr("names.csv:2: 'low' in the column y"),
                               HasSubstr("the texts low, medium, high"), HasSubstr("active and inactive")));
  const auto grades = [](int chain, int /*ring*/, int /*end*/) { return std::to_string(chain / 4); };
  const std::string graded = table("grades.csv", grades);
  const Outcome refused = domain(graded);
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("grades.csv: the column y contains only 0, 1, 2, which look like "
                                           "more than two classes"),
                                 HasSubstr("--labels-are-numbers")));
  ASSERT_EQ(domain(graded, {"--labels-are-numbers"}).exit_code, 0);
  EXPECT_EQ(json()["label_curve"]["task"], "regression");
  const Outcome calibrated = domain(graded, {"--prediction-column", "p", "--out-of-fold"});
  EXPECT_EQ(calibrated.exit_code, 3);
  EXPECT_THAT(calibrated.err, HasSubstr("grades.csv: the column y contains only 0, 1, 2"));
  EXPECT_EQ(domain(graded, {"--prediction-column", "p", "--out-of-fold", "--labels-are-numbers"}).exit_code,
            0);
}

TEST_F(DomainLabels, StatingThatLabelsAreNumbersNeedsAnEffect) {
  const Outcome classes = domain(table("classes.csv", is_long), {"--labels-are-numbers"});
  EXPECT_EQ(classes.exit_code, 2);
  EXPECT_THAT(classes.err, HasSubstr("--labels-are-numbers has no effect, because the column y of"));
  EXPECT_THAT(classes.err, HasSubstr("has two distinct values, which are always classes"));
  const Outcome values = domain(table("values.csv", measured), {"--labels-are-numbers"});
  EXPECT_EQ(values.exit_code, 2);
  EXPECT_THAT(values.err, HasSubstr("does not look like classes"));
}

/// A censored value is neither the number after its relation nor an error.
TEST_F(DomainLabels, CensoredValuesAreCountedAndLeftOutOfTheErrorCurve) {
  const auto with = [](const char* censored) {
    return [censored](int chain, int ring, int end) {
      return chain == 7 && ring < 3 ? std::string(censored) : measured(chain, ring, end);
    };
  };
  ASSERT_EQ(domain(table("train.csv", with(""))).exit_code, 0);
  const std::string expected = csv();
  const nlohmann::json curve = json()["label_curve"];
  EXPECT_EQ(curve["molecules"], 228);
  for (const char* const censored : {">10", "<=3", ">= 5", "~ 7", "\u22656"}) {
    const Outcome outcome = domain(table("train.csv", with(censored)));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(csv(), expected) << censored;
    EXPECT_EQ(json()["label_curve"], curve) << censored;
    EXPECT_EQ(json()["labels"]["censored"], (nlohmann::json{{"count", 12}, {"first", censored}}));
  }
  const Outcome outcome = domain(table("train.csv", with(">10")));
  const std::string notice =
      "12 censored values of the training molecules such as >10 are left out of the error curve.";
  EXPECT_THAT(outcome.out, HasSubstr(notice));
  const auto all = [](int, int, int) { return ">10"; };
  EXPECT_THAT(domain(table("train.csv", all)).err,
              HasSubstr("has 0 values (240 censored values such as >10 not counted)"));
}

TEST_F(DomainLabels, CensoredValuesAreLeftOutOfTheCalibration) {
  const std::string training = table("train.csv", measured);
  const auto with = [](const char* censored) {
    return [censored](int chain, int ring, int end) {
      return chain == 3 && ring < 2 ? std::string(censored) : measured(chain, ring, end);
    };
  };
  const auto calibrate = [&](const char* censored) {
    return domain(training, {"--prediction-column", "p", "--out-of-fold", "--calibration",
                             table("calibration.csv", with(censored))});
  };
  ASSERT_EQ(calibrate("NA").exit_code, 0);
  const std::string expected = csv();
  EXPECT_EQ(json()["predictions"]["calibration"]["molecules"], 232);
  const Outcome outcome = calibrate("<4");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(csv(), expected);
  EXPECT_THAT(
      outcome.out,
      HasSubstr(
          "8 censored values of the calibration molecules such as <4 are left out of the calibration."));
  EXPECT_EQ(json()["labels"]["censored_in_calibration"]["count"], 8);
}

TEST_F(DomainLabels, MeasuredClassesMayHaveNames) {
  const std::string training = table("train.csv", is_long);
  const auto named = [](int chain, int ring, int end) {
    return is_long(chain, ring, end) == "1" ? "Active" : "Inactive";
  };
  const auto calibrate = [&](const Label& label) {
    return domain(training, {"--prediction-column", "p", "--out-of-fold", "--calibration",
                             table("calibration.csv", label)});
  };
  ASSERT_EQ(calibrate(is_long).exit_code, 0);
  const std::string expected = csv();
  EXPECT_THAT(expected, HasSubstr("prediction_set"));
  const Outcome outcome = calibrate(named);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(csv(), expected);
}

/// bbbp.csv contains molecules with both labels. Their means would turn the classes into measured values.
TEST(DomainLabelsParity, BbbpIsAClassification) {
  REQUIRE_REFERENCE("molecules/bbbp.csv");
  Workplace place;
  const std::string set = reference_data("molecules/bbbp.csv").string();
  const Outcome outcome = molgauge({"domain", set, place.file("candidates.smi", "CCO\nCCCCN\n"), "--encoder",
                                    "ecfp", "--label-column", "p_np", "--store", place.path("store"),
                                    "--quiet", "--out", place.path("domain.csv")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr(" training molecules with both classes: "),
                                 HasSubstr("p_np: a simple classifier has an AUROC of 0.")));
}

}  // namespace
}  // namespace molgauge::test
