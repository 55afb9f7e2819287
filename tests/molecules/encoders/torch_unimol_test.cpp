// Tests Uni-Mol with LibTorch operators. Compares rows, and features of atoms and pairs, with the results on
// plain arrays. On a GPU, uses every precision.

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/numerics/torch/device.h"
#include "base/numerics/torch/kernel_choice.h"
#include "base/numerics/torch/precision.h"
#include "molecules/encoders/unimol/random_weights.h"
#include "molecules/encoders/unimol/torch_encoder.h"
#include "support/operator_calls.h"

namespace molgauge::encoders::unimol {
namespace {

constexpr NetworkSizes kSizes{.layers = 3, .width = 160, .hidden = 200, .heads = 20, .kernels = 24};

std::vector<Inputs> some_molecules() {
  std::vector<Inputs> molecules;
  for (const std::int64_t atoms : {1, 7, 30, 12}) {
    Inputs inputs;
    inputs.tokens.push_back(kClass);
    for (std::int64_t atom = 0; atom < atoms; ++atom) {
      inputs.tokens.push_back(4 + atom % 5);
    }
    inputs.tokens.push_back(kSeparator);
    const std::size_t count = inputs.tokens.size();
    for (std::size_t i = 0; i < count * count; ++i) {
      const double apart = std::abs(static_cast<double>(i / count) - static_cast<double>(i % count));
      inputs.distances.push_back(static_cast<float>(1.4 * std::sqrt(apart)));
    }
    molecules.push_back(std::move(inputs));
  }
  return molecules;
}

std::vector<const FeaturisedMolecule*> pointers(const std::vector<Inputs>& molecules) {
  std::vector<const FeaturisedMolecule*> all;
  for (const Inputs& molecule : molecules) {
    all.push_back(&molecule);
  }
  return all;
}

std::vector<float> rows_of(const Encoder& encoder, const std::vector<Inputs>& molecules) {
  std::vector<float> rows(molecules.size() * encoder.width());
  encoder.encode(pointers(molecules), rows);
  return rows;
}

void expect_close(const std::vector<float>& one, const std::vector<float>& other, float tolerance) {
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    ASSERT_NEAR(one[i], other[i], tolerance) << i;
  }
}

UnimolEncoder plain(const AtomPairChoice& fine = {}) {
  return {random_tensors(kSizes, 5), {.weights_sha256 = "random"}, {.fine = fine}};
}
TorchUnimolEncoder by_tensors(c10::Device device, ops::Precision precision = ops::Precision::fp32,
                              const AtomPairChoice& fine = {}) {
  return {random_tensors(kSizes, 5),
          device,
          {.weights_sha256 = "random"},
          {.precision = precision, .fine = fine}};
}

double cosine(const std::vector<float>& one, const std::vector<float>& other) {
  const double both = std::inner_product(one.begin(), one.end(), other.begin(), 0.0);
  const double a = std::inner_product(one.begin(), one.end(), one.begin(), 0.0);
  const double b = std::inner_product(other.begin(), other.end(), other.begin(), 0.0);
  return both / std::sqrt(a * b);
}

TEST(TorchUnimol, HasTheRowsOfPlainArrays) {
  const std::vector<Inputs> molecules = some_molecules();
  const TorchUnimolEncoder encoder = by_tensors(c10::kCPU);
  expect_close(rows_of(encoder, molecules), rows_of(plain(), molecules), 2e-5F);
  EXPECT_EQ(encoder.identity().options, plain().identity().options) << "each finds the rows of the other";
  EXPECT_EQ(encoder.width(), 160U);
  EXPECT_GT(encoder.parameter_bytes(), 100'000U);
  EXPECT_FALSE(encoder.is_on_gpu());
}

/// The code of GPUs on the CPU.
TEST(TorchUnimol, KernelsOfGpusGiveTheRowsOfPlainArrays) {
  const std::vector<Inputs> molecules = some_molecules();
  const torch::KernelsOnCpu code_of_gpus;
  expect_close(rows_of(by_tensors(c10::kCPU), molecules), rows_of(plain(), molecules), 2e-5F);
}

/// A layer has a normalisation, four products, an attention, an activation, and a sum with a normalisation.
/// The 15 layers of Uni-Mol need 120 launches, and the other parts about ten.
TEST(TorchUnimol, ALayerLaunchesFewOperators) {
  const std::vector<Inputs> molecules = some_molecules();
  const torch::KernelsOnCpu code_of_gpus;
  const auto launches = [&](std::int64_t layers) {
    NetworkSizes sizes = kSizes;
    sizes.layers = layers;
    const TorchUnimolEncoder encoder(random_tensors(sizes, 5), c10::kCPU, {.weights_sha256 = "random"},
                                     {.precision = ops::Precision::fp32, .fine = {}});
    const test::OperatorCalls calls;
    rows_of(encoder, molecules);
    return calls.launches();
  };
  EXPECT_LE(launches(3) - launches(2), 8U);
}

TEST(TorchUnimol, HasTheFineFeaturesOfPlainArrays) {
  const std::vector<Inputs> molecules = some_molecules();
  constexpr AtomPairChoice kAll{.atoms = true, .pairs = true};
  const auto features = [&](const Encoder& encoder) {
    std::vector<float> rows(molecules.size() * encoder.width()), all;
    encoder.encode_finely(pointers(molecules), rows, [&](std::size_t, const AtomPairFeatures& own) {
      all.insert(all.end(), own.atoms.begin(), own.atoms.end());
      all.insert(all.end(), own.pairs.begin(), own.pairs.end());
    });
    return all;
  };
  expect_close(features(by_tensors(c10::kCPU, ops::Precision::fp32, kAll)), features(plain(kAll)), 5e-5F);
}

TEST(TorchUnimol, MadeUpMoleculesRunForTheirMemory) {
  const TorchUnimolEncoder encoder = by_tensors(c10::kCPU);
  const auto stand_in = encoder.stand_in({.tokens = 9, .pairs = 81});
  std::vector<float> row(encoder.width());
  encoder.encode(std::vector<const FeaturisedMolecule*>{stand_in.get()}, row);
}

TEST(TorchUnimol, KnowsThePrecisionsOfGpus) {
  EXPECT_EQ(torch::parse_precision("fp16"), ops::Precision::fp16);
  EXPECT_THROW(torch::parse_precision("int8"), UsageError);
  EXPECT_THROW(ops::parse_precision("fp16"), UsageError);
  EXPECT_EQ(by_tensors(c10::kCPU, ops::Precision::tf32).identity().options.find("precision=tf32"), 0U);
  EXPECT_EQ(by_tensors(c10::kCPU, ops::Precision::fp16).identity().options.find("precision=fp16"), 0U);
}

TEST(TorchUnimolOnGpu, HasTheRowsOfTheCpu) {
  if (torch::gpu_count() == 0) {
    GTEST_SKIP() << "no GPU";
  }
  const std::vector<Inputs> molecules = some_molecules();
  const std::vector<float> exact = rows_of(plain(), molecules);
  const c10::Device gpu(c10::kCUDA, 0);
  expect_close(rows_of(by_tensors(gpu), molecules), exact, 1e-4F);
  for (const ops::Precision precision : {ops::Precision::bf16, ops::Precision::fp16}) {
    EXPECT_GT(cosine(rows_of(by_tensors(gpu, precision), molecules), exact), 0.999)
        << ops::to_string(precision);
  }
}

}  // namespace
}  // namespace molgauge::encoders::unimol
