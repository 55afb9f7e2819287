#include "molecules/chem/form_cache.h"

#include <string>

#include <gtest/gtest.h>

namespace molgauge::chem {
namespace {

TEST(FormCache, FindsEachFormOnce) {
  FormCache cache;
  int searches = 0;
  const auto find = [&] {
    ++searches;
    return DerivedForm{"CC", {1, 0}};
  };
  for (int call = 0; call < 2; ++call) {
    const DerivedForm form = cache.get("C[CH3:1]", find);
    EXPECT_EQ(form.smiles, "CC");
    EXPECT_EQ(form.positions, (std::vector<std::uint16_t>{1, 0}));
  }
  EXPECT_EQ(searches, 1);
}

TEST(FormCache, IsRightWhenItIsFull) {
  FormCache cache;
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < FormCache::kMaxCachedForms + 100; ++i) {
      const std::string smiles = std::to_string(i);
      ASSERT_EQ(cache.get(smiles, [&] { return DerivedForm{smiles, {}}; }).smiles, smiles);
    }
  }
}

TEST(FormCache, LeavesOutLargeForms) {
  FormCache cache;
  int searches = 0;
  for (int call = 0; call < 2; ++call) {
    cache.get("large", [&] {
      ++searches;
      return DerivedForm{std::string(5000, 'C'), {}};
    });
  }
  EXPECT_EQ(searches, 2);
}

}  // namespace
}  // namespace molgauge::chem
