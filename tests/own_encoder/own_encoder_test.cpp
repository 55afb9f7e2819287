// Tests that the encoder of another program supports encoding, storage, plans, training, scoring and lists in
// the same way as a built-in encoder.

#include <algorithm>
#include <array>
#include <filesystem>

#include <gmock/gmock.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "element_counts.h"
#include "molecules/encoders/registry.h"
#include "molgauge/engine.h"
#include "support/fixtures.h"

namespace molgauge::test {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

constexpr const char* kName = "element-counts";

class OwnEncoder : public testing::Test {
 protected:
  static void SetUpTestSuite() { encoders::add_encoder(element_counts()); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string molecules(const std::string& name, const std::string& lines) const {
    replace_file(path(name), lines);
    return path(name);
  }
  EncodeRequest encoding(const std::string& file) const {
    EncodeRequest request;
    request.molecules = file;
    request.encoder = kName;
    request.store = path("store");
    request.out = path("features.npy");
    request.compute.quiet = true;
    return request;
  }

  Engine& engine() { return molgauge::engine(session_); }

  Session session_;
  TemporaryFolder folder_;
};

TEST_F(OwnEncoder, IsListed) {
  EXPECT_THAT(engine().run(ListEncodersRequest{}), Contains(Field(&EncoderInfo::name, kName)));
  EXPECT_THAT(engine().run(DiagnoseRequest{}), Contains(Field(&Finding::text, HasSubstr(kName))));
}

TEST_F(OwnEncoder, CannotTakeTheNameOfAnother) {
  EXPECT_THROW(encoders::add_encoder(element_counts()), UsageError);
}

TEST_F(OwnEncoder, Encodes) {
  const EncodeReport report = engine().run(encoding(molecules("m.smi", "CCO\nnonsense\nCN\nCCO\n")));
  EXPECT_EQ(report.rows, 4U);
  EXPECT_EQ(report.width, 4U);
  EXPECT_EQ(report.encoded, 2U);
  EXPECT_EQ(report.failed_records, 1U);
  const std::string file = read_file(path("features.npy"));
  const std::array<float, 4> ethanol = {2, 0, 1, 0};
  const std::string_view first(file.data() + file.size() - 4 * sizeof(ethanol), sizeof(ethanol));
  EXPECT_TRUE(std::equal(first.begin(), first.end(), reinterpret_cast<const char*>(ethanol.data())));
}

TEST_F(OwnEncoder, IsFoundInTheStore) {
  const EncodeRequest request = encoding(molecules("m.smi", "CCO\nCN\n"));
  engine().run(request);
  EXPECT_EQ(engine().run(request).from_store, 2U);
  const StoreInfo info = engine().run(StoreRequest{path("store")});
  ASSERT_EQ(info.databases.size(), 1U);
  EXPECT_EQ(info.databases[0].rows, 2U);
}

TEST_F(OwnEncoder, IsPlannedFor) {
  const auto plans = engine().run(PlanMemoryRequest{encoding(molecules("m.smi", "CCO\nCN\n"))});
  ASSERT_EQ(plans.size(), 1U);
  EXPECT_GT(plans[0].smallest_process_budget_bytes, 0U);
}

TEST_F(OwnEncoder, RefusesSettingsWithoutEffect) {
  EncodeRequest request = encoding(molecules("m.smi", "CCO\n"));
  request.compute.precision = "int8";
  EXPECT_THROW(engine().run(request), UsageError);
}

TEST_F(OwnEncoder, IsTrainedOnAndScoredWith) {
  // Chains are inside the domain, and chains with nitrogen outside.
  const auto rows = [](const std::string& head, int first) {
    std::string text;
    for (int length = first; length < first + 12; ++length) {
      text += (text.empty() ? "" : ", ") + std::string(R"({"smiles": ")") + head +
              std::string(static_cast<std::size_t>(length), 'C') +
              R"(", "reg_label": 0, "cls_label": 0, "domain_id": 0, "assay_id": 0})";
    }
    return text;
  };
  replace_file(path("b.json"), R"({"cfg": {}, "split": {"train": [)" + rows("C", 1) + R"(], "ood_val": [)" +
                                   rows("NN", 1) + R"(], "iid_val": [)" + rows("C", 20) +
                                   R"(], "ood_test": [)" + rows("NN", 20) + R"(], "iid_test": [)" +
                                   rows("C", 40) + "]}}");
  TrainRequest training;
  training.benchmark = path("b.json");
  training.encoder = kName;
  training.run = path("run");
  training.store = path("store");
  training.epochs = 2;
  training.compute.quiet = true;
  training.compute.device = "cpu";
  engine().run(training);

  ScoreRequest scoring;
  scoring.run = path("run");
  scoring.molecules = molecules("m.smi", "CCO\nCN\n");
  scoring.store = path("store");
  scoring.out = path("scores.csv");
  scoring.compute.quiet = true;
  scoring.compute.device = "cpu";
  engine().run(scoring);
  EXPECT_TRUE(std::filesystem::exists(path("scores.csv")));
}

}  // namespace
}  // namespace molgauge::test
