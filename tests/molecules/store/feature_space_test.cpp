#include "molecules/store/features/feature_space.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/hash.h"
#include "base/core/text/hexadecimal.h"
#include "rows.h"

namespace molgauge::store {
namespace {

TEST(DatabaseName, IsTheEncoderAndAFingerprint) {
  const FeatureSpace space{.encoder = "minimol", .weights_sha256 = "ab", .options = "x=1", .width = 512};
  const std::string fingerprint = to_hexadecimal(hash128("minimol\nab\nx=1")).substr(0, 16);
  EXPECT_EQ(database_name(space), "minimol-" + fingerprint);
}

TEST(DatabaseName, TellsSpacesApartByAllThatDecidesTheNumbers) {
  const FeatureSpace space = test::space_of(512);
  for (const auto field : {&FeatureSpace::encoder, &FeatureSpace::weights_sha256, &FeatureSpace::options}) {
    FeatureSpace other = space;
    other.*field += "x";
    EXPECT_NE(database_name(other), database_name(space));
  }
}

TEST(DatabaseName, RefusesNamesAndWidthsThatDoNotFit) {
  const std::vector<std::string> unfit = {"", "mini mol", "a/b", "n\n", "\xC3\xA4", std::string(65, 'e')};
  for (const auto& encoder : unfit) {
    FeatureSpace space = test::space_of(512);
    space.encoder = encoder;
    EXPECT_THROW(database_name(space), UsageError) << encoder;
  }
  EXPECT_THROW(database_name(test::space_of(0)), UsageError);
  EXPECT_THROW(database_name(test::space_of(kWidestRow + 1)), UsageError);
  EXPECT_NO_THROW(database_name(test::space_of(kWidestRow)));
}

TEST(FeatureSpaceJson, ComesBackAsItWas) {
  const FeatureSpace space{
      .encoder = "ecfp", .weights_sha256 = "", .options = "radius=2;\"quoted\"\n\xC3\xA4", .width = 2048};
  EXPECT_EQ(feature_space_from_json(to_json(space)), space);
}

TEST(FeatureSpaceJson, RefusesAnythingElse) {
  const auto with_width = [](const std::string& width) {
    return R"({"encoder":"e","weights_sha256":"","options":"","width":)" + width + "}";
  };
  EXPECT_NO_THROW(feature_space_from_json(with_width("1")));
  for (const char* width : {"-1", "0", "1.5", "\"512\"", "null", "1e300", "18446744073709551615"}) {
    EXPECT_THROW(feature_space_from_json(with_width(width)), InputError) << width;
  }
  for (const char* text :
       {"", "{", "[]", "{}", "null", R"({"encoder":1,"weights_sha256":"","options":""})"}) {
    EXPECT_THROW(feature_space_from_json(text), InputError) << text;
  }
}

}  // namespace
}  // namespace molgauge::store
