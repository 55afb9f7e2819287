// Tests that, in every precision, the row of a molecule is bit-identical in any batch, at any position, and
// from parallel threads. Requesting more outputs does not change the row.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "molecules/encoders/unimol/featuriser.h"
#include "molecules/encoders/unimol/random_weights.h"
#include "molecules/encoders/unimol/unimol_encoder.h"

namespace molgauge::encoders::unimol {
namespace {

using Row = std::vector<float>;

constexpr NetworkSizes kSizes{.layers = 3, .width = 160, .hidden = 200, .heads = 20, .kernels = 24};
constexpr int kBatches = 60;

std::vector<std::unique_ptr<Inputs>> some_molecules(std::size_t count) {
  std::mt19937 random(2026);
  const auto draw = [&](int most) { return static_cast<float>(random() % static_cast<unsigned>(most)); };
  std::vector<std::unique_ptr<Inputs>> molecules;
  for (std::size_t i = 0; i < count; ++i) {
    chem::Conformer conformer;
    const std::size_t atoms = i % 8 == 0 ? random() % 60 : 1 + random() % 20;
    for (std::size_t atom = 0; atom < atoms; ++atom) {
      conformer.elements.push_back(static_cast<std::uint8_t>(5 + random() % 5));
      conformer.positions.push_back({draw(900) / 100, draw(900) / 100, draw(900) / 100});
    }
    molecules.push_back(featurise(conformer));
  }
  return molecules;
}

std::vector<Row> encode(const Encoder& encoder, const std::vector<const FeaturisedMolecule*>& batch) {
  std::vector<float> rows(batch.size() * encoder.width());
  encoder.encode(batch, rows);
  std::vector<Row> apart;
  for (auto row = rows.begin(); row != rows.end(); row += static_cast<std::ptrdiff_t>(encoder.width())) {
    apart.emplace_back(row, row + static_cast<std::ptrdiff_t>(encoder.width()));
  }
  return apart;
}

bool same_bytes(const Row& one, const Row& other) {
  return one.size() == other.size() && std::memcmp(one.data(), other.data(), one.size() * sizeof(float)) == 0;
}

class UnimolRows : public testing::TestWithParam<ops::Precision> {
 protected:
  UnimolEncoder encoder_{random_tensors(kSizes, 5), {.weights_sha256 = "random"}, {.precision = GetParam()}};
};

TEST_P(UnimolRows, AreTheSameBytesInEveryBatch) {
  const auto molecules = some_molecules(40);
  std::vector<Row> alone;
  for (const auto& molecule : molecules) {
    alone.push_back(encode(encoder_, {molecule.get()}).front());
    EXPECT_TRUE(std::all_of(alone.back().begin(), alone.back().end(),
                            [](float number) { return std::isfinite(number); }));
  }
  EXPECT_FALSE(same_bytes(alone[0], alone[1]));
  std::mt19937 random(7);
  for (int trial = 0; trial < kBatches; ++trial) {
    std::vector<std::size_t> drawn(1 + random() % 24);
    std::vector<const FeaturisedMolecule*> batch;
    for (std::size_t& molecule : drawn) {
      molecule = random() % molecules.size();
      batch.push_back(molecules[molecule].get());
    }
    const std::vector<Row> rows = encode(encoder_, batch);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      ASSERT_TRUE(same_bytes(rows[i], alone[drawn[i]]))
          << "batch " << trial << ": place " << i << " of " << drawn.size() << ", molecule " << drawn[i];
    }
  }
}

TEST_P(UnimolRows, AreTheSameBytesFromThreadsSideBySide) {
  const auto molecules = some_molecules(12);
  std::vector<const FeaturisedMolecule*> all;
  for (const auto& molecule : molecules) {
    all.push_back(molecule.get());
  }
  const std::vector<Row> together = encode(encoder_, all);
  std::vector<std::vector<Row>> rows(3);
  {
    std::vector<std::jthread> threads;
    for (std::size_t thread = 0; thread < rows.size(); ++thread) {
      threads.emplace_back([&, thread] {
        for (std::size_t i = 0; i < all.size(); ++i) {
          rows[thread].push_back(encode(encoder_, {all[(i + thread) % all.size()]}).front());
        }
      });
    }
  }
  for (std::size_t thread = 0; thread < rows.size(); ++thread) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_TRUE(same_bytes(rows[thread][i], together[(i + thread) % all.size()])) << thread << i;
    }
  }
}

TEST_P(UnimolRows, AreThoseOfTheWholeNetwork) {
  const io::TensorMap tensors = random_tensors(kSizes, 5);
  const Network<PairOperators> network(
      shape_of(tensors, "random"),
      [&](const std::string& name, const std::vector<std::int64_t>& shape) {
        const std::vector<float> numbers = tensors.at(name).to_float32();
        ops::Floats floats(shape);
        std::copy(numbers.begin(), numbers.end(), floats.data());
        return floats;
      },
      GetParam());
  const auto molecules = some_molecules(9);
  std::vector<const FeaturisedMolecule*> batch;
  std::vector<const Inputs*> inputs;
  for (const auto& molecule : molecules) {
    batch.push_back(molecule.get());
    inputs.push_back(molecule.get());
  }
  const std::vector<Row> rows = encode(encoder_, batch);
  const auto whole = network.forward(pack(inputs));
  const float* token = whole.tokens.data();
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    EXPECT_TRUE(same_bytes(rows[i], Row(token, token + encoder_.width()))) << i;
    token += molecules[i]->tokens.size() * encoder_.width();
  }
}

/// Returns the bytes of each molecule: its row, followed by the features of its atoms and pairs.
std::vector<Row> encode_finely(const Encoder& encoder, const std::vector<const FeaturisedMolecule*>& batch) {
  std::vector<float> rows(batch.size() * encoder.width());
  std::vector<Row> fine;
  encoder.encode_finely(batch, rows, [&](std::size_t molecule, const AtomPairFeatures& features) {
    const auto row = std::span(rows).subspan(molecule * encoder.width(), encoder.width());
    Row all(row.begin(), row.end());
    all.insert(all.end(), features.atoms.begin(), features.atoms.end());
    all.insert(all.end(), features.pairs.begin(), features.pairs.end());
    fine.push_back(std::move(all));
  });
  return fine;
}

TEST_P(UnimolRows, HaveFeaturesOfAtomsAndPairsThatAreTheSameBytesInEveryBatch) {
  const UnimolEncoder finely(random_tensors(kSizes, 5), {.weights_sha256 = "random"},
                             {.precision = GetParam(), .fine = {.atoms = true, .pairs = true}});
  EXPECT_EQ(finely.identity().options, encoder_.identity().options) << "the rows are the same";
  const auto molecules = some_molecules(12);
  std::vector<const FeaturisedMolecule*> forwards, backwards;
  for (const auto& molecule : molecules) {
    forwards.push_back(molecule.get());
    backwards.insert(backwards.begin(), molecule.get());
  }
  const std::vector<Row> all = encode_finely(finely, forwards), reversed = encode_finely(finely, backwards),
                         rows = encode(finely, forwards), plain = encode(encoder_, forwards);
  ASSERT_EQ(all.size(), molecules.size());
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    const std::size_t tokens = molecules[i]->tokens.size();
    EXPECT_EQ(all[i].size(), (tokens - 1) * finely.width() + tokens * tokens * finely.pair_width());
    EXPECT_TRUE(same_bytes(all[i], reversed[molecules.size() - 1 - i])) << i;
    EXPECT_TRUE(same_bytes(all[i], encode_finely(finely, {molecules[i].get()}).front())) << i;
    EXPECT_TRUE(same_bytes(rows[i], plain[i])) << i;
    EXPECT_TRUE(
        same_bytes({all[i].begin(), all[i].begin() + static_cast<std::ptrdiff_t>(finely.width())}, plain[i]));
  }
}

/// The cosine between each row and the row in fp32, for random weights.
TEST_P(UnimolRows, AreNearThoseInFullPrecision) {
  const UnimolEncoder full(random_tensors(kSizes, 5), {.weights_sha256 = "random"});
  for (const auto& molecule : some_molecules(12)) {
    const Row row = encode(encoder_, {molecule.get()}).front(),
              exact = encode(full, {molecule.get()}).front();
    double product = 0, one = 0, other = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      product += double{row[i]} * double{exact[i]};
      one += double{row[i]} * double{row[i]};
      other += double{exact[i]} * double{exact[i]};
    }
    EXPECT_GT(product / std::sqrt(one * other), 0.99);
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, UnimolRows,
                         testing::Values(ops::Precision::fp32, ops::Precision::bf16, ops::Precision::int8),
                         [](const auto& precision) { return std::string(ops::to_string(precision.param)); });

}  // namespace
}  // namespace molgauge::encoders::unimol
