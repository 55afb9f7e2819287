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

}  // namespace
}  // namespace molgauge::options
