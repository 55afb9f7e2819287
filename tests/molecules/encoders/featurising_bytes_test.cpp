// Compares the peak memory of featurising with its documented upper bound.

#include <utility>

#include <gtest/gtest.h>

#include "large_graphs.h"
#include "molecules/chem/neighbours.h"
#include "molecules/encoders/minimol/featuriser.h"
#include "molecules/encoders/minimol/laplacian.h"
#include "molgauge/error.h"
#include "support/heap_peak.h"

namespace molgauge::encoders::minimol {
namespace {

struct Taken {
  std::uint64_t peak = 0;  ///< peak bytes, excluding the result
  std::uint64_t said = 0;
};

Taken featurising(const chem::Molecule& molecule) {
  const test::HeapPeak heap;
  const auto inputs = featurise(molecule);
  return {heap.bytes() - heap.held(), featurising_bytes(inputs->atoms, inputs->edge_count())};
}

class FeaturisingBytes : public testing::Test {
  void SetUp() override {
    if (!test::HeapPeak::can_be_measured()) {
      GTEST_SKIP() << "another heap replaces the heap of the C library";
    }
    featurise(test::path(3));  // the first call initialises static data
  }
};

TEST_F(FeaturisingBytes, AreNeverExceeded) {
  for (const std::uint32_t atoms : {1U, 2U, 5U, 20U, 60U, 150U, 192U, 193U, 400U, 1000U, 2000U}) {
    std::vector<test::NamedGraph> shapes = {{"chain", test::path(atoms)}};
    if (atoms >= 60) {
      shapes = test::graphs_of_every_shape(atoms);
    }
    for (const test::NamedGraph& shape : shapes) {
      const Taken taken = featurising(shape.graph);
      EXPECT_LE(taken.peak, taken.said) << shape.name << " of " << atoms << " atoms";
    }
  }
}

/// A metal with many equal arms has a large lowest eigenspace. Such a molecule is refused, because the plans
/// do not count dense matrices.
TEST_F(FeaturisingBytes, AreNotExceededByALargeEigenspace) {
  for (const auto& [arms, length] : {std::pair(70U, 28U), std::pair(400U, 5U), std::pair(66U, 4U)}) {
    const chem::Molecule metal = test::spider(arms, length);
    const chem::Neighbours neighbours(metal);
    const test::HeapPeak heap;
    EXPECT_THROW(laplacian_encoding(neighbours), InputError) << arms;
    EXPECT_LE(heap.bytes(), laplacian_bytes(metal.atoms.size(), 2 * metal.bonds.size()) + 4096) << arms;
  }
  EXPECT_NO_THROW(featurise(test::spider(60, 30))) << "this eigenspace is found";
}

TEST_F(FeaturisingBytes, GrowWithTheAtomsNotWithTheirSquare) {
  for (const auto& molecule : {test::path(2000), test::bushy_chain(2000, 4, 1), test::dendrimer(2000)}) {
    EXPECT_LT(featurising(molecule).peak, std::uint64_t{8} << 20);
  }
  EXPECT_LT(featurising_bytes(2000, 2 * 2100), std::uint64_t{12} << 20);
}

TEST_F(FeaturisingBytes, AreNoLessForALargerMolecule) {
  for (std::size_t atoms = 1; atoms < 2000; ++atoms) {
    EXPECT_LE(featurising_bytes(atoms, 2 * atoms), featurising_bytes(atoms + 1, 2 * atoms + 2)) << atoms;
    EXPECT_LE(featurising_bytes(atoms, 2 * atoms), featurising_bytes(atoms, 2 * atoms + 2)) << atoms;
  }
}

}  // namespace
}  // namespace molgauge::encoders::minimol
