#include <stdexcept>
#include <typeinfo>

#include <gtest/gtest.h>

#include "molecules/encoders/ecfp/ecfp_encoder.h"

namespace molgauge::encoders::ecfp {
namespace {

chem::Molecule with_counts(std::vector<std::pair<std::uint32_t, std::uint32_t>> counts) {
  chem::Molecule molecule;
  molecule.morgan = std::move(counts);
  return molecule;
}

struct Stranger : FeaturisedMolecule {
  memory::ItemSize size() const override { return {}; }
};

TEST(Ecfp, SaysWhatItNeedsAndWhatItIs) {
  const EcfpEncoder encoder;
  EXPECT_EQ(encoder.identity().encoder, "ecfp");
  EXPECT_EQ(encoder.identity().weights_sha256, "");
  EXPECT_EQ(encoder.identity().options, "radius=2;width=512;counts");
  EXPECT_EQ(encoder.width(), 512U);
  EXPECT_TRUE(encoder.perception().morgan);
  EXPECT_FALSE(encoder.perception().graph);
}

TEST(Ecfp, PutsCountsIntoRows) {
  const EcfpEncoder encoder;
  const auto first = encoder.featurise(with_counts({{0, 3}, {511, 1}})),
             second = encoder.featurise(with_counts({{7, 2}}));
  const std::vector<const FeaturisedMolecule*> batch = {first.get(), second.get()};
  std::vector<float> rows(2 * 512, -1.0F), expected(2 * 512);
  encoder.encode(batch, rows);
  expected[0] = 3;
  expected[511] = 1;
  expected[512 + 7] = 2;
  EXPECT_EQ(rows, expected);
}

TEST(Ecfp, RefusesAnIndexBeyondItsWidth) {
  EXPECT_THROW(EcfpEncoder().featurise(with_counts({{512, 1}})), InputError);
}

TEST(Ecfp, TakesOnlyItsOwnMoleculesAndRowsThatFit) {
  const EcfpEncoder encoder;
  const Stranger stranger;
  const std::vector<const FeaturisedMolecule*> batch = {&stranger};
  std::vector<float> rows(512);
  EXPECT_THROW(encoder.encode(batch, rows), std::bad_cast);
  EXPECT_THROW(encoder.encode(batch, std::span(rows).first(511)), std::invalid_argument);
}

}  // namespace
}  // namespace molgauge::encoders::ecfp
