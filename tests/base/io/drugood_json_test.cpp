#include "base/io/tables/drugood_json.h"

#include <gmock/gmock.h>

#include "files.h"
#include "support/fixtures.h"

namespace molgauge::io {
namespace {

using test::error_of;
using testing::HasSubstr;

std::string with_item(const std::string& item) {
  return "{\"split\": {\"iid_val\": [], \"iid_test\": [], \"ood_val\": [], \"ood_test\": [],\n\"train\": "
         "[\n" +
         item + "]}}";
}

class DrugOodJson : public testing::Test {
 protected:
  DrugOodFile read(const std::string& text) {
    test::write_text(path_, text);
    return read_drugood_json(path_.string());
  }
  std::string refusal(const std::string& text) {
    return error_of([&] { read(text); });
  }

  const test::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "x.json";
};

TEST_F(DrugOodJson, AListOfMoleculesIsNamedAsSuch) {
  const auto list = folder_ / "train.csv";
  test::write_text(list, "smiles,y\nCCO,1\n");
  EXPECT_THAT(error_of([&] { read_drugood_json(list.string()); }),
              testing::AllOf(HasSubstr("train.csv: is a list of molecules"), HasSubstr("molgauge split")));
  EXPECT_THAT(refusal("smiles,y\nCCO,1\n"), HasSubstr("x.json:1: "));
}

TEST_F(DrugOodJson, RoundTripKeepsEverything) {
  DrugOodFile content;
  content.cfg = {{"seed", 42}};
  content.statistics = {{"thr_for_cls", 5.79}};
  content[DrugOodPart::train] = {{"C\"\\C", 5.123456789012345, 1, 1, 7, std::nullopt, 0}};
  content[DrugOodPart::ood_test] = {{"N", -1, 2, 0, 8, "MKV", 0}, {"O", 0, 3, 0, 9, std::nullopt, 0}};
  write_drugood_json(path_, content);
  const DrugOodFile again = read_drugood_json(path_.string());
  EXPECT_EQ(again.cfg, content.cfg);
  EXPECT_EQ(again.statistics, content.statistics);
  ASSERT_EQ(again[DrugOodPart::train].size(), 1u);
  EXPECT_EQ(again[DrugOodPart::train][0].smiles, "C\"\\C");
  EXPECT_EQ(again[DrugOodPart::train][0].reg_label, 5.123456789012345);
  ASSERT_EQ(again[DrugOodPart::ood_test].size(), 2u);
  EXPECT_EQ(again[DrugOodPart::ood_test][0].protein, "MKV");
  EXPECT_EQ(again[DrugOodPart::ood_test][1].line, again[DrugOodPart::ood_test][0].line + 1);
  EXPECT_TRUE(again[DrugOodPart::iid_val].empty());
}

TEST_F(DrugOodJson, RoundTripKeepsLabelsAndEnvironments) {
  DrugOodFile content;
  content[DrugOodPart::train].resize(2);
  content[DrugOodPart::train][0].labels = {1.0, std::nullopt, 0.25};
  content[DrugOodPart::train][0].environment = 3;
  write_drugood_json(path_, content);
  const DrugOodFile again = read_drugood_json(path_.string());
  EXPECT_EQ(again[DrugOodPart::train][0].labels, content[DrugOodPart::train][0].labels);
  EXPECT_EQ(again[DrugOodPart::train][0].environment, 3);
  EXPECT_TRUE(again[DrugOodPart::train][1].labels.empty());
  EXPECT_FALSE(again[DrugOodPart::train][1].environment);
}

TEST_F(DrugOodJson, ErrorsNameTheItem) {
  EXPECT_THAT(refusal(with_item(R"({"smiles": "C", "reg_label": 5, "assay_id": 1, "cls_label": 1, )"
                                R"("domain_id": 2, "labels": [1, "?"]})")),
              HasSubstr("labels: a list of numbers and nulls"));
  EXPECT_THAT(refusal(with_item(R"({"smiles": "C", "reg_label": 5, "assay_id": 1, "cls_label": 1, )"
                                R"("domain_id": 2, "environment": 0.5})")),
              HasSubstr("environment: an integer"));
  EXPECT_THAT(refusal(with_item(R"({"smiles": "C", "reg_label": 5, "assay_id": 1, "domain_id": 2})")),
              HasSubstr("x.json:3: split.train[0].cls_label: is missing"));
  EXPECT_THAT(
      refusal(with_item(R"({"smiles": 1, "reg_label": 5, "assay_id": 1, "cls_label": 1, "domain_id": 2})")),
      HasSubstr("split.train[0].smiles: a text is expected"));
  EXPECT_THAT(
      refusal(with_item(R"({"smiles": "C", "reg_label": 5, "assay_id": 1, "cls_label": 2, "domain_id": 2})")),
      HasSubstr("cls_label: 0 or 1 is expected"));
  EXPECT_THAT(refusal(with_item(
                  R"({"smiles": "C", "reg_label": "5", "assay_id": 1, "cls_label": 1, "domain_id": 2})")),
              HasSubstr("reg_label: a number"));
  EXPECT_THAT(refusal(with_item(
                  R"({"smiles": "C", "reg_label": 5, "assay_id": 1.5, "cls_label": 1, "domain_id": 2})")),
              HasSubstr("assay_id: an integer"));
  EXPECT_THAT(refusal(with_item("7")), HasSubstr("split.train[0]: an object is expected"));
}

TEST_F(DrugOodJson, ErrorsNameWhatIsMissingOrBroken) {
  EXPECT_THAT(refusal("[]"), HasSubstr("not a DrugOOD file"));
  EXPECT_THAT(refusal("{\"split\": {\"train\": []}}"), HasSubstr("split.iid_val"));
  EXPECT_THAT(refusal("{\n\n\"split\": oops"), HasSubstr("x.json:3: invalid JSON"));
  EXPECT_THAT(refusal(std::string(100'000, '[')), HasSubstr("invalid JSON"));
  EXPECT_THAT(refusal(""), HasSubstr("invalid JSON"));
}

TEST_F(DrugOodJson, IntegersMayBeWrittenAsReals) {
  const auto file = read(
      with_item(R"({"smiles": "C", "reg_label": 5, "assay_id": 1.0, "cls_label": 1.0, "domain_id": 2})"));
  EXPECT_EQ(file[DrugOodPart::train][0].cls_label, 1);
}

TEST(DrugOodJsonParity, ReadsTheCuratorsFiles) {
  REQUIRE_REFERENCE("ood/lbap_general_ec50_scaffold.json");
  for (const std::string domain : {"assay", "scaffold", "size"}) {
    const auto path = test::reference_data("ood/lbap_general_ec50_" + domain + ".json");
    const DrugOodFile file = read_drugood_json(path.string());
    EXPECT_EQ(file.cfg["domain"]["domain_name"], domain);
    std::size_t total = 0;
    for (const DrugOodPart part : kDrugOodParts) {
      EXPECT_EQ(file[part].size(), file.statistics[std::string(to_string(part)) + " datapoints"]);
      total += file[part].size();
    }
    std::size_t labelled = file.statistics["positive_samples"];
    labelled += file.statistics["negative_samples"].get<std::size_t>();
    EXPECT_EQ(total, labelled);
  }
}

}  // namespace
}  // namespace molgauge::io
