// Tests the parameter `describe` of the server.

#include <cstdlib>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "served.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;

constexpr const char* kSmiles = "CC(=O)Oc1ccccc1C(=O)O aspirin\nC(C wrong\n";
constexpr const char* kText = "text/plain";

class ServedDescriptions : public testing::Test {
 protected:
  ServedDescriptions()
      : served_({"--model", (own_data("chemprop") / "v2_mve.pt").string(), "--model", saved_domain()}) {}

  /// Saves a domain of some alcohols, and returns its folder.
  std::string saved_domain() const {
    std::string training;
    for (int i = 0; i < 60; ++i) {
      training += fmt::format("{}{}\n", std::string(static_cast<std::size_t>(i % 20) + 1, 'C'),
                              i < 20   ? "O"
                              : i < 40 ? "N"
                                       : "Cl");
    }
    const std::string folder = folder_ / "alcohols";
    const std::string list = folder_ / "train.smi";
    replace_file(list, training);
    EXPECT_EQ(
        std::system(fmt::format("{} domain '{}' '{}' --encoder ecfp --store '{}' --out '{}' --save '{}' "
                                "--quiet > /dev/null 2>&1",
                                MOLGAUGE_PROGRAM, list, list, (folder_ / "store").string(),
                                (folder_ / "out.csv").string(), folder)
                        .c_str()),
        0);
    return folder;
  }

  HttpAnswer post(const std::string& target, const std::string& body = kSmiles) const {
    return served_.post("/api/v1/" + target, body, {{"Content-Type", kText}});
  }

  static void expect_described(const HttpAnswer& answer) {
    ASSERT_EQ(answer.status, 200) << answer.body;
    const auto rows = answer.json().at("rows");
    const auto& aspirin = rows.at(0).at("properties");
    EXPECT_EQ(aspirin.at("molecular_weight"), 180.159);
    EXPECT_EQ(aspirin.at("h_bond_donors"), 1);
    EXPECT_EQ(aspirin.at("alerts_pains"), nlohmann::json::array());
    EXPECT_EQ(aspirin.at("alerts_brenk"), nlohmann::json::array({"phenol_ester"}));
    EXPECT_TRUE(rows.at(1).at("properties").is_null());
  }

  TemporaryFolder folder_;
  Served served_;
};

TEST_F(ServedDescriptions, AreEqualInShortAnswersAndJobs) {
  for (const std::string task : {"domain?model=alcohols", "predict?model=v2_mve.pt"}) {
    const HttpAnswer quick = post(task + "&describe=true");
    expect_described(quick);
    const HttpAnswer job = post(task + "&describe=true&job=1");
    ASSERT_EQ(job.status, 202) << job.body;
    const std::string id = job.json().at("job");
    ASSERT_EQ(served_.finished(id).at("state"), "done");
    const HttpAnswer result = served_.get("/api/v1/jobs/" + id + "/result");
    expect_described(result);
    for (std::size_t row = 0; row < 2; ++row) {
      EXPECT_EQ(result.json().at("rows").at(row).at("properties"),
                quick.json().at("rows").at(row).at("properties"));
    }
    const HttpAnswer sdf = served_.get("/api/v1/jobs/" + id + "/result?as=sdf");
    EXPECT_THAT(sdf.body, HasSubstr(">  <molecular_weight>\n180.159\n"));
    EXPECT_THAT(sdf.body, HasSubstr(">  <alerts_brenk>\nphenol_ester\n"));
    const HttpAnswer workbook = served_.get("/api/v1/jobs/" + id + "/result?as=xlsx");
    EXPECT_TRUE(workbook.body.starts_with("PK")) << workbook.body.substr(0, 100);
    EXPECT_THAT(workbook.body, HasSubstr("<v>180.159</v>"));
    EXPECT_FALSE(post(task).json().at("rows").at(0).contains("properties"));
  }
}

TEST_F(ServedDescriptions, AreRefusedWhereTheyHaveNoEffect) {
  const auto expect_refusal = [&](const std::string& target, const std::string& words) {
    const HttpAnswer answer = post(target);
    EXPECT_EQ(answer.status, 400) << answer.body;
    EXPECT_THAT(answer.body, HasSubstr(words));
  };
  expect_refusal("encode?encoder=ecfp&describe=true", "only on domain and predict");
  expect_refusal("domain?describe=maybe", "give true or false");
}

}  // namespace
}  // namespace molgauge::test
