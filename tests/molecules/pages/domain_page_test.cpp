#include "molecules/pages/domain_page.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace molgauge::report {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

DomainPage page_of_two() {
  DomainPage page;
  page.title = "two.csv against train.csv";
  page.words = {.score = {"distance", "Meaning of the distance."},
                .p_meaning = "Meaning of the p-value.",
                .q_meaning = "Meaning of the q-value.",
                .p_scaffold_meaning = "Meaning of the p-value among new scaffolds.",
                .neighbour_meaning = "Meaning of the distance to a neighbour.",
                .percentile = "farther than {} of the training molecules",
                .title = "Distance",
                .axis = "distance",
                .held_out = "held out",
                .second_held_out = "scaffolds",
                .caption = "A caption.",
                .candidates = "All candidates."};
  page.meaning = "Meaning of the verdicts.";
  page.counts = {1, 0, 1, 0};
  page.held_out = {1, 2, 3};
  page.candidate_scores = {2, 30};
  page.training.emplace_back();
  page.training[0].name = "first";
  page.training[0].smiles = "CCO";
  page.training[0].value = 7.25;
  page.training.emplace_back();
  page.training_places = {{{0.5, 1}, 0}, {{2, 3}, 1}};
  page.value_name = "pIC50";
  page.facts = {{"expected error", "Meaning of the expected error."}};
  page.rows.resize(2);
  page.rows[0].molecule = {"far", "[Na]", ""};
  page.rows[0].verdict = 2;
  page.rows[0].p_value = 3.21e-9;
  page.rows[0].facts = {"0.7"};
  page.rows[0].nearest = {{0, 0.25, 0.5}};
  page.rows[0].advice = page.rules.decide(Verdict::outside, nullptr);
  page.rows[0].reason = "farther than every training molecule";
  page.rows[0].p_new_scaffold = 0.04;
  page.rows[0].position = 1;
  page.orders = {"expected error"};
  page.rows[0].orders = {0.7};
  page.rows[1].percentile = kNone;
  for (const DomainRow& row : page.rows) {
    page.decisions.add(row.advice, false);
  }
  return page;
}

/// The data that the script of a page reads.
nlohmann::json data_of(const std::string& html) {
  const std::string begin = "id=\"data\">";
  const std::size_t start = html.find(begin) + begin.size();
  return nlohmann::json::parse(html.substr(start, html.find("</script>", start) - start));
}

TEST(DomainPage, ExplainsEveryNumber) {
  const std::string html = domain_page(page_of_two());
  for (const char* const name :
       {"the distance.", "the p-value.", "the q-value.", "the distance to a neighbour.", "the verdicts.",
        "the p-value among new scaffolds.", "the expected error."}) {
    EXPECT_THAT(html, HasSubstr(std::string("Meaning of ") + name));
  }
  EXPECT_THAT(html, HasSubstr("Measured value of the training molecule, from the column pIC50."));
  const auto terms = data_of(html)["terms"];
  for (const char* const term : {"p", "pNew", "q", "score", "tanimoto", "value", "neighbour"}) {
    EXPECT_FALSE(terms.at(term).at("meaning").get<std::string>().empty()) << term;
  }
  EXPECT_THAT(html, HasSubstr("<strong>1</strong><span>outside</span><span>50.0 %</span>"));
}

TEST(DomainPage, BeginsWithADecision) {
  DomainPage page = page_of_two();
  const std::string html = domain_page(page);
  const std::size_t section = html.find("Where to use the model</h2>");
  ASSERT_NE(section, std::string::npos);
  EXPECT_LT(section, html.find("Verdicts</h2>"));
  EXPECT_LT(section, html.find("Candidates</h2>"));
  EXPECT_THAT(html,
              HasSubstr("data-decision=\"0\" aria-pressed=\"false\"><strong>1</strong><span>use</span>"));
  EXPECT_THAT(html,
              HasSubstr("data-decision=\"2\" aria-pressed=\"false\"><strong>1</strong><span>drop</span>"));
  EXPECT_THAT(html, HasSubstr(">outside the applicability domain: 1</button>"));
  EXPECT_THAT(html, HasSubstr("It does not measure the error of your model.")) << "the assumption";
  const auto data = data_of(html);
  const auto cell = [&](const char* column) {
    const auto columns = data["columns"];
    const auto place = std::find(columns.begin(), columns.end(), column) - columns.begin();
    return data["rows"][0][static_cast<std::size_t>(place)];
  };
  EXPECT_EQ(cell("decision"), 2);
  EXPECT_EQ(data["reasons"][cell("reasons")[0].get<std::size_t>()], "outside the applicability domain");
  EXPECT_EQ(cell("reason"), "farther than every training molecule");
  EXPECT_EQ(cell("pNew"), 0.04);
  EXPECT_EQ(cell("position"), 1);
  EXPECT_EQ(data["orders"], nlohmann::json({"expected error"}));
  EXPECT_EQ(cell("orders"), nlohmann::json({0.7}));
}

TEST(DomainPage, KeepsSmallPValuesAndMeasuredValues) {
  const auto data = data_of(domain_page(page_of_two()));
  const auto columns = data["columns"];
  const auto cell = [&](std::size_t row, const char* column) {
    const auto place = std::find(columns.begin(), columns.end(), column) - columns.begin();
    return data["rows"][row][static_cast<std::size_t>(place)];
  };
  EXPECT_EQ(data["rows"][0].size(), columns.size());
  EXPECT_DOUBLE_EQ(cell(0, "p").get<double>(), 3.21e-9);
  EXPECT_TRUE(cell(1, "percentile").is_null());
  EXPECT_EQ(cell(0, "facts"), nlohmann::json({"0.7"}));
  EXPECT_EQ(data["training"][0][3], 7.25);
  EXPECT_TRUE(data["training"][1][3].is_null());
  EXPECT_EQ(data["places"][1][2], 1) << "the training molecule of a place on the map";
}

TEST(DomainPage, ShowsNoticesAsTextBelowTheCounts) {
  DomainPage page = page_of_two();
  page.notices = {"About 2 candidates & more.", "<b>bold</b>"};
  const std::string html = domain_page(page);
  const std::size_t first = html.find("<p class=\"notice\">About 2 candidates &amp; more.</p>");
  ASSERT_NE(first, std::string::npos);
  EXPECT_GT(first, html.find("class=\"counts\""));
  EXPECT_LT(first, html.find("Meaning of the verdicts."));
  EXPECT_THAT(html, Not(HasSubstr("<b>bold")));
}

/// A page without training molecules lacks the map and the terms for neighbours.
TEST(DomainPage, OfARunHasNoMapAndNoNeighbours) {
  DomainPage page = page_of_two();
  page.training.clear();
  page.training_places.clear();
  page.rows[0].nearest.clear();
  page.value_name.clear();
  const std::string html = domain_page(page);
  EXPECT_THAT(html, Not(HasSubstr("id=\"map\"")));
  EXPECT_THAT(html, Not(HasSubstr("Similarity of the candidate")));
  EXPECT_FALSE(data_of(html)["terms"].contains("tanimoto"));
}

/// The build embeds the files of src/molecules/pages/page/ unchanged.
TEST(DomainPage, ContainsItsScriptAndStyle) {
  const std::string html = domain_page(page_of_two());
  EXPECT_THAT(html, HasSubstr(std::string(domain_page_script())));
  EXPECT_THAT(html, HasSubstr(std::string(domain_page_style())));
  EXPECT_THAT(domain_page_script(), HasSubstr("beforeprint"));
  EXPECT_THAT(domain_page_script(), HasSubstr("⁰¹²³⁴⁵⁶⁷⁸⁹")) << "text outside of ASCII stays";
  EXPECT_THAT(domain_page_script(), Not(HasSubstr("</script")));
}

domain::PredictionCalibration calibration_of(bool are_classes) {
  std::vector<domain::CalibrationMolecule> molecules(200);
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    domain::CalibrationMolecule& own = molecules[i];
    own.scaffold = std::to_string(i % 40);
    own.place.distance = static_cast<double>(i % 17);
    own.predicted.value = are_classes ? static_cast<double>(i % 10) / 10 : 1;
    own.measured =
        are_classes ? static_cast<double>(i % 10 > 3 + i % 3) : 1 + 0.1 * static_cast<double>(i % 13);
  }
  return {molecules, {.columns = {"pIC50", "my_prediction", "", "", ""}, .file = "cal.csv"}};
}

TEST(DomainPage, ShowsHowFarThePredictionsCanBeTrusted) {
  DomainPage page = page_of_two();
  EXPECT_THAT(domain_page(page), Not(HasSubstr("How far to trust your predictions")));
  EXPECT_FALSE(data_of(domain_page(page))["terms"].contains("prediction"));

  const domain::PredictionCalibration numbers = calibration_of(false);
  page.predictions = &numbers;
  page.rules = domain::DecisionRules(numbers);
  page.training[0].prediction = 6.5;
  const std::string html = domain_page(page);
  EXPECT_THAT(html, HasSubstr("How far to trust your predictions"));
  EXPECT_THAT(html, HasSubstr("my_prediction"));
  EXPECT_THAT(html, HasSubstr("an average over molecules"));
  EXPECT_THAT(html, HasSubstr("Which predictions to use"));
  EXPECT_LT(html.find("Model check</h2>"), html.find("Which predictions to use</h2>"));
  EXPECT_LT(html.find("<p class=\"warning\">"), html.find("Which predictions to use</h2>"))
      << "the model is not better than the mean";
  EXPECT_THAT(html, HasSubstr("if the candidates are like the calibration molecules"));
  EXPECT_THAT(html, HasSubstr("Coverage by distance"));
  EXPECT_THAT(html, HasSubstr("Error of your model by distance"));
  EXPECT_THAT(html, HasSubstr("Width of the intervals by distance"));
  EXPECT_THAT(html, Not(HasSubstr("Reliability diagram")));
  const nlohmann::json data = data_of(html);
  EXPECT_EQ(data["training"][0][4], 6.5);
  EXPECT_TRUE(data["training"][1][4].is_null());
  EXPECT_TRUE(data["terms"].contains("prediction"));

  const domain::PredictionCalibration classes = calibration_of(true);
  page.predictions = &classes;
  EXPECT_THAT(domain_page(page), HasSubstr("Reliability diagram"));
  EXPECT_THAT(domain_page(page), HasSubstr("of class 1"));
}

}  // namespace
}  // namespace molgauge::report
