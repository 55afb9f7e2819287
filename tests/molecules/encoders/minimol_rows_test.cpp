// Tests that the row of a molecule is bit-identical in any batch, at any position, and from parallel threads.

#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "minimol_fixtures.h"
#include "molecules/encoders/minimol/minimol_encoder.h"
#include "support/fixtures.h"

namespace molgauge::encoders::minimol {
namespace {

using Row = std::vector<float>;

/// $MOLGAUGE_BATCHES sets the number of batches for each precision. 2,000 batches take some minutes.
int batches_to_try() {
  const char* const wanted = std::getenv("MOLGAUGE_BATCHES");
  return wanted == nullptr ? 60 : std::atoi(wanted);
}

/// Chains in which a few rings are closed. Most of the rings are small.
std::vector<Inputs> some_molecules(std::size_t count) {
  std::mt19937 random(2026);
  std::vector<Inputs> molecules;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t atoms = 1 + (i % 8 == 0 ? random() % 60 : random() % 16);
    Inputs molecule = test::chain_molecule(atoms);
    for (float& number : molecule.feat) {
      number += static_cast<float>(random() % 7);
    }
    for (std::size_t ring = atoms > 4 ? random() % 4 : 0; ring > 0; --ring) {
      const auto begin = static_cast<std::int64_t>(random() % (atoms - 3)), end = begin + 3;
      molecule.edge_source.insert(molecule.edge_source.end(), {begin, end});
      molecule.edge_target.insert(molecule.edge_target.end(), {end, begin});
      const std::size_t kind = random() % 3 * 2 * kBondFeatures;  // the kind of a bond in the chain
      for (int direction = 0; direction < 2; ++direction) {
        for (std::size_t k = 0; k < kBondFeatures; ++k) {
          molecule.edge_feat.push_back(molecule.edge_feat[(kind + k) % (2 * kBondFeatures * 3)]);
        }
      }
    }
    molecules.push_back(std::move(molecule));
  }
  return molecules;
}

std::vector<Row> encode(const Encoder& encoder, const std::vector<const Inputs*>& batch) {
  const std::vector<const FeaturisedMolecule*> molecules(batch.begin(), batch.end());
  std::vector<float> rows(batch.size() * encoder.width());
  encoder.encode(molecules, rows);
  std::vector<Row> apart;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(i * encoder.width());
    apart.emplace_back(first, first + static_cast<std::ptrdiff_t>(encoder.width()));
  }
  return apart;
}

bool same_bytes(const Row& one, const Row& other) {
  return one.size() == other.size() && std::memcmp(one.data(), other.data(), one.size() * sizeof(float)) == 0;
}

/// Compares the rows of molecules that are encoded alone with their rows in random batches.
void expect_rows_of_their_own(const Encoder& encoder, const std::vector<Inputs>& molecules, int batches) {
  std::vector<Row> alone;
  for (const Inputs& molecule : molecules) {
    alone.push_back(encode(encoder, {&molecule}).front());
  }
  std::mt19937 random(7);
  for (int trial = 0; trial < batches; ++trial) {
    std::vector<std::size_t> drawn(1 + random() % 24);
    std::vector<const Inputs*> batch;
    for (std::size_t& molecule : drawn) {
      molecule = random() % molecules.size();
      batch.push_back(&molecules[molecule]);
    }
    const std::vector<Row> rows = encode(encoder, batch);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      ASSERT_TRUE(same_bytes(rows[i], alone[drawn[i]]))
          << "batch " << trial << ": place " << i << " of " << drawn.size() << ", molecule " << drawn[i]
          << " of " << molecules[drawn[i]].atoms << " atoms";
    }
  }
}

class MinimolRows : public testing::TestWithParam<ops::Precision> {};

TEST_P(MinimolRows, AreTheSameBytesInEveryBatch) {
  const CpuMinimolEncoder encoder(test::formula_weights(), "of the formula", GetParam());
  expect_rows_of_their_own(encoder, some_molecules(40), batches_to_try());
}

TEST_P(MinimolRows, AreTheSameBytesFromThreadsSideBySide) {
  const CpuMinimolEncoder encoder(test::formula_weights(), "of the formula", GetParam());
  const std::vector<Inputs> molecules = some_molecules(12);
  const std::vector<Row> together = encode(encoder, test::pointers(molecules));
  std::vector<std::vector<Row>> rows(3);
  {
    std::vector<std::jthread> threads;
    for (std::size_t thread = 0; thread < rows.size(); ++thread) {
      threads.emplace_back([&, thread] {
        for (std::size_t i = 0; i < molecules.size(); ++i) {
          rows[thread].push_back(encode(encoder, {&molecules[(i + thread) % molecules.size()]}).front());
        }
      });
    }
  }
  for (std::size_t thread = 0; thread < rows.size(); ++thread) {
    for (std::size_t i = 0; i < molecules.size(); ++i) {
      EXPECT_TRUE(same_bytes(rows[thread][i], together[(i + thread) % molecules.size()])) << thread << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, MinimolRows,
                         testing::Values(ops::Precision::fp32, ops::Precision::bf16, ops::Precision::int8),
                         [](const auto& tested) { return std::string(ops::to_string(tested.param)); });

TEST(MinimolRowsParity, OfPublishedWeightsAreTheSameBytesInEveryBatch) {
  REQUIRE_REFERENCE("minimol/reference_inputs.npz");
  const auto weights = test::published_weights();
  if (!weights) {
    GTEST_SKIP() << "published weights are not here: set MOLGAUGE_TEST_WEIGHTS to a folder, wheel or .pth";
  }
  const std::vector<Inputs> molecules = test::reference_inputs();
  for (const auto precision : {ops::Precision::fp32, ops::Precision::bf16, ops::Precision::int8}) {
    SCOPED_TRACE(ops::to_string(precision));
    const CpuMinimolEncoder encoder(*weights, "", precision);
    expect_rows_of_their_own(encoder, molecules, batches_to_try() / 3);
  }
}

}  // namespace
}  // namespace molgauge::encoders::minimol
