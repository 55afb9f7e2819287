#include "base/options/spelled_options.h"

#include <gtest/gtest.h>

namespace molgauge::options {
namespace {

TEST(SpelledOptions, AreTheKeysOfRequests) {
  EXPECT_EQ(with_options_as_keys("name the one with the SMILES by --smiles-column"),
            "name the one with the SMILES by smiles_column");
  EXPECT_EQ(with_options_as_keys("raise --memory-budget, or `--threads 2`: (--seed)"),
            "raise memory_budget, or `threads 2`: (seed)");
}

TEST(SpelledOptions, AreOnlyNamesInATable) {
  for (const char* const text :
       {"C--C -- and a-b --", "--not-an-option", "a--threads", "C--seed", "--", ""}) {
    EXPECT_EQ(with_options_as_keys(text), text);
  }
}

TEST(SpelledOptions, OfCommandsStay) {
  EXPECT_EQ(with_options_as_keys("Run: molgauge split M.csv --seed 1 --out F. Or name it with --data-path"),
            "Run: molgauge split M.csv --seed 1 --out F. Or name it with data_path");
  EXPECT_EQ(with_options_as_keys("run 'molgauge store prune --damaged', or leave out --store"),
            "run 'molgauge store prune --damaged', or leave out store");
  EXPECT_EQ(with_options_as_keys("(molgauge weights install minimol --from FILE). Add --weights"),
            "(molgauge weights install minimol --from FILE). Add weights");
  EXPECT_EQ(with_options_as_keys("molgauge "), "molgauge ");
}

}  // namespace
}  // namespace molgauge::options
