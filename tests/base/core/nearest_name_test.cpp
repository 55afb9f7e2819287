#include "base/core/text/nearest_name.h"

#include <vector>

#include <gtest/gtest.h>

namespace molgauge {
namespace {

const std::vector<std::string> kVerbs = {"encode", "evaluate", "score", "store", "train"};

TEST(NearestName, FindsWhatWasMeant) {
  EXPECT_EQ(nearest_name("encod", kVerbs), "encode");
  EXPECT_EQ(nearest_name("encdoe", kVerbs), "encode");  // two swapped letters count as one error
  EXPECT_EQ(nearest_name("ENCODE", kVerbs), "encode");
  EXPECT_EQ(nearest_name("evalaute", kVerbs), "evaluate");
  EXPECT_EQ(nearest_name("trian", kVerbs), "train");
}

TEST(NearestName, FindsNothingFarAway) {
  EXPECT_EQ(nearest_name("dock", kVerbs), "");
  EXPECT_EQ(nearest_name("", kVerbs), "");
  EXPECT_EQ(nearest_name(std::string(1'000'000, 'e'), kVerbs), "");
}

TEST(NearestName, AsksAtTheEndOfAMessage) {
  EXPECT_EQ(did_you_mean("scor", kVerbs), ". Did you mean 'score'?");
  EXPECT_EQ(did_you_mean("quantum", kVerbs), "");
}

}  // namespace
}  // namespace molgauge
