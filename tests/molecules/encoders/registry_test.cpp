#include "molecules/encoders/registry.h"

#include <gmock/gmock.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/json/sealed_json.h"
#include "base/io/tensors/safetensors.h"
#include "minimol_fixtures.h"
#include "support/fixtures.h"

namespace molgauge::encoders {
namespace {

using ::testing::HasSubstr;

template <typename Expected>
std::string refusal(const std::string& name, const EncoderSettings& settings) {
  try {
    make_encoder(name, settings);
  } catch (const Expected& error) {
    return error.what();
  }
  return "";
}

TEST(Registry, ListsWhatThereIs) {
  std::vector<std::string> names;
  for (const EncoderDescriptor& encoder : all_encoders()) {
    names.push_back(encoder.name);
  }
  EXPECT_THAT(names, testing::ElementsAre("minimol", "unimol", "ecfp"));
  EXPECT_THAT(refusal<UsageError>("minimal", {}), HasSubstr("Available: minimol, unimol, ecfp"));
}

TEST(Registry, KnowsWhichHaveAUseForAGpu) {
  EXPECT_TRUE(runs_on_gpu("minimol"));
  EXPECT_TRUE(runs_on_gpu("unimol"));
  EXPECT_FALSE(runs_on_gpu("ecfp"));
  EXPECT_FALSE(runs_on_gpu("minimal"));
}

TEST(Registry, MakesEcfpFromNothing) { EXPECT_EQ(make_encoder("ecfp", {})->identity().encoder, "ecfp"); }

TEST(Registry, RefusesSettingsWithoutEffect) {
  EXPECT_THAT(refusal<UsageError>("ecfp", {.device = "cuda"}), HasSubstr("only on the CPU"));
  EXPECT_THAT(refusal<UsageError>("ecfp", {.weights = "weights"}), HasSubstr("no weights"));
  EXPECT_THAT(refusal<UsageError>("ecfp", {.precision = "int8"}), HasSubstr("has no effect on the encoder"));
  EXPECT_THAT(refusal<UsageError>("minimol", {.device = "cpu", .precision = "fp16"}),
              HasSubstr("Available: fp32, bf16, int8 and fast"));
  EXPECT_THAT(refusal<UsageError>("minimol", {.device = "tpu"}), HasSubstr("no such device"));
}

class InstalledMinimol : public ::testing::Test {
 protected:
  void install(const io::TensorMap& tensors, const std::string& manifest) {
    make_folder(folder_ / "minimol");
    io::write_safetensors(folder_ / "minimol/minimol.safetensors", tensors);
    replace_file(folder_ / "minimol/manifest.json", manifest);
  }
  EncoderSettings settings() const { return {.device = "cpu", .weights = folder_.path()}; }

  test::TemporaryFolder folder_;
};

TEST_F(InstalledMinimol, IsMadeFromItsFolder) {
  install(test::formula_weights(), sealed(nlohmann::json{{"sha256", "0123"}}).dump());
  const auto encoder = make_encoder("minimol", settings());
  EXPECT_EQ(encoder->identity().encoder, "minimol");
  EXPECT_EQ(encoder->identity().weights_sha256, "0123");
}

TEST_F(InstalledMinimol, MissingWeightsSayHowToGetThem) {
  EXPECT_THAT(refusal<Error>("minimol", settings()), HasSubstr("molgauge weights install minimol"));
}

TEST_F(InstalledMinimol, OtherWeightsAreRefused) {
  io::TensorMap tensors = test::formula_weights();
  tensors.erase(tensors.begin());
  install(tensors, sealed(nlohmann::json{{"sha256", "0123"}}).dump());
  EXPECT_THAT(refusal<InputError>("minimol", settings()), HasSubstr("is missing"));
}

TEST_F(InstalledMinimol, AManifestThatIsNoneIsRefused) {
  install(test::formula_weights(), "[1, 2");
  EXPECT_THAT(refusal<InputError>("minimol", settings()), HasSubstr("manifest.json"));
}

}  // namespace
}  // namespace molgauge::encoders
