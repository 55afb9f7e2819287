#include "molecules/encoding/session/chemprop_models.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "molecules/encoders/chemprop/ensemble.h"
#include "molecules/store/weights/sha256.h"
#include "molecules/store/weights/weight_store.h"
#include "support/fixtures.h"

namespace molgauge::session {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A folder with installed models of the name "admet-ai". The fixture stands for the published models.
class InstalledModels : public testing::Test {
 protected:
  InstalledModels() {
    const fs::path models = weights_ / "admet-ai" / "models";
    fs::create_directories(models);
    fs::copy_file(fixture("v2_regression.pt"), models / "model_0.pt");
    store::WeightManifest manifest;
    manifest.encoder = "admet-ai";
    manifest.files = {{"models/model_0.pt", store::sha256_of_file(models / "model_0.pt")}};
    store::write_files_manifest(models.parent_path(), manifest);
  }
  ~InstalledModels() override { fs::current_path(former_); }

  static fs::path fixture(const std::string& name) { return test::own_data("chemprop") / name; }

  const test::TemporaryFolder folder_;
  const fs::path weights_ = folder_ / "weights";
  const fs::path former_ = fs::current_path();
};

TEST_F(InstalledModels, AnotherFileAmongThemIsRefused) {
  EXPECT_EQ(read_chemprop("admet-ai", weights_).set->models.size(), 1U);
  fs::copy_file(fixture("v2_regression_b.pt"), weights_ / "admet-ai/models/model_9.pt");
  try {
    read_chemprop("admet-ai", weights_);
    FAIL() << "the file was used";
  } catch (const InputError& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("model_9.pt is not one of the models of admet-ai"));
  }
}

TEST_F(InstalledModels, AFolderOfTheSameNameDoesNotReplaceThem) {
  const std::vector<std::string> installed = read_chemprop("admet-ai", weights_).set->sha256;
  fs::create_directories(folder_ / "work/admet-ai");
  fs::copy_file(fixture("v2_regression_b.pt"), folder_ / "work/admet-ai/model_0.pt");
  std::ofstream(folder_ / "work/admet-ai/config.json") << "{}";
  fs::current_path(folder_ / "work");
  EXPECT_TRUE(is_chemprop("admet-ai"));
  EXPECT_EQ(read_chemprop("admet-ai", weights_).set->sha256, installed);
  fs::remove("admet-ai/config.json");
  EXPECT_NE(read_chemprop("./admet-ai", weights_).set->sha256, installed);
}

}  // namespace
}  // namespace molgauge::session
