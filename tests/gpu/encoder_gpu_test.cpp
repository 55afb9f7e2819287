// Compares MiniMol on a GPU with MiniMol on the CPU.

#include <algorithm>
#include <span>

#include <ATen/ATen.h>

#include "base/memory/recover/recovery.h"
#include "base/numerics/torch/allocator_access.h"
#include "base/numerics/torch/device_memory.h"
#include "gpu.h"
#include "minimol_fixtures.h"
#include "molecules/encoders/minimol/torch_encoder.h"

namespace molgauge::encoders::minimol {
namespace {

using ops::Precision;
using test::kGpu;

/// An estimate for a molecule of 28 atoms: the rows of the atoms and two messages for each edge.
constexpr std::uint64_t kBytesPerMolecule = 28 * 5320 + 54 * 2720;

TorchMinimolEncoder encoder_on(c10::Device device, Precision precision = Precision::fp32) {
  return {test::formula_weights(), device, "of the formula", precision};
}

std::vector<Inputs> molecules() {
  std::vector<Inputs> all;
  for (std::size_t i = 0; i < 60; ++i) {
    all.push_back(test::chain_molecule(1 + i * 7 % 45));
  }
  return all;
}

at::Tensor encode(const Encoder& encoder, std::span<const FeaturisedMolecule* const> batch) {
  std::vector<float> rows(batch.size() * encoder.width());
  encoder.encode(batch, rows);
  return at::tensor(rows).reshape(
      {static_cast<std::int64_t>(batch.size()), static_cast<std::int64_t>(encoder.width())});
}

at::Tensor encode_all(const Encoder& encoder, const std::vector<Inputs>& all) {
  const std::vector<const FeaturisedMolecule*> batch = [&] {
    std::vector<const FeaturisedMolecule*> pointers;
    for (const Inputs& molecule : all) {
      pointers.push_back(&molecule);
    }
    return pointers;
  }();
  return encode(encoder, batch);
}

double smallest_cosine(const at::Tensor& left, const at::Tensor& right) {
  return at::cosine_similarity(left.to(at::kDouble), right.to(at::kDouble), 1).min().item<double>();
}

TEST(MinimolOnGpu, EqualsTheCpu) {
  REQUIRE_GPU();
  const at::Tensor expected = encode_all(encoder_on(c10::kCPU), molecules());
  EXPECT_LE(test::largest_difference(encode_all(encoder_on(kGpu), molecules()), expected), 5e-5);
}

TEST(MinimolOnGpu, InBf16IsCloseToFp32) {
  REQUIRE_GPU();
  const at::Tensor exact = encode_all(encoder_on(c10::kCPU), molecules());
  const TorchMinimolEncoder encoder = encoder_on(kGpu, Precision::bf16);
  EXPECT_EQ(encoder.identity().options, "precision=bf16;gauge=pivot;sums=by-row");
  const at::Tensor rounded = encode_all(encoder, molecules());
  EXPECT_GE(smallest_cosine(rounded, exact), 0.9995);
  EXPECT_GT(test::largest_difference(rounded, exact), 1e-5);
}

TEST(MinimolOnGpu, GivesTheSameBytesAgainAndInAnyBatch) {
  REQUIRE_GPU();
  const TorchMinimolEncoder encoder = encoder_on(kGpu);
  const std::vector<Inputs> all = molecules();
  const at::Tensor first = encode_all(encoder, all);
  for (int round = 0; round < 5; ++round) {
    EXPECT_TRUE(at::equal(encode_all(encoder, all), first)) << round;
  }
  for (std::size_t i = 0; i < all.size(); i += 11) {
    const FeaturisedMolecule* const alone[] = {&all[i]};
    EXPECT_LE(test::largest_difference(encode(encoder, alone), first.slice(0, static_cast<std::int64_t>(i),
                                                                           static_cast<std::int64_t>(i) + 1)),
              1e-5);
  }
}

TEST(MinimolOnGpu, RunningOutOfMemoryShrinksBatchesAndChangesNoRow) {
  REQUIRE_GPU();
  const TorchMinimolEncoder encoder = encoder_on(kGpu);
  const Inputs molecule = test::chain_molecule(28);
  const std::vector<const FeaturisedMolecule*> all(4000, &molecule);
  const at::Tensor row = encode(encoder, std::span(all).first(1));
  const memory::AllocatorAccess access = torch::allocator_access(kGpu);
  access.release_cached();

  memory::Workload workload;
  workload.name = "encoding";
  workload.unit = "molecules";
  workload.planned = all.size();
  workload.projected_bytes = [](std::size_t count) { return count * kBytesPerMolecule; };
  memory::Recovery recovery(workload, access);
  const auto probe = torch::device_probe(kGpu);
  torch::limit_device_memory(kGpu, probe->read().reserved + workload.projected_bytes(all.size()) / 2);
  for (std::size_t done = 0; done < all.size();) {
    const std::size_t count = std::min(recovery.at_once(), all.size() - done);
    at::Tensor rows;
    if (recovery.attempt(count, memory::Recovery::Divisible::yes,
                         [&] { rows = encode(encoder, std::span(all).subspan(done, count)); })) {
      EXPECT_LE(test::largest_difference(rows, row.expand_as(rows)), 1e-5);
      done += count;
    }
  }
  torch::limit_device_memory(kGpu, torch::device_space(kGpu).total);
  EXPECT_GE(recovery.counts().recoveries, 1U);
  EXPECT_LT(recovery.counts().used, all.size());
  EXPECT_GT(recovery.counts().used, all.size() / 8) << "by the memory model, not by repeated halving";
}

}  // namespace
}  // namespace molgauge::encoders::minimol
