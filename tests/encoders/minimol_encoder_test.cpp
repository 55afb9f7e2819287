#include "encoders/minimol/minimol_encoder.h"

#include <optional>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "encoders/encoding_step.h"
#include "memory/step_prober.h"
#include "minimol_fixtures.h"
#include "ops/cpu_tensor_memory.h"
#include "ops/kernel_choice.h"
#include "ops/operator_threads.h"

namespace headroom::encoders::minimol {
namespace {

MinimolEncoder formula_encoder(ops::Precision precision = ops::Precision::fp32) {
  return {test::formula_parameters(), c10::kCPU, "of the formula", precision};
}

TEST(MinimolEncoder, SaysWhatDecidesItsNumbers) {
  const EncoderIdentity identity = formula_encoder().identity();
  EXPECT_EQ(identity.encoder, "minimol");
  EXPECT_EQ(identity.weights_sha256, "of the formula");
  EXPECT_EQ(identity.options, "precision=fp32;gauge=pivot;sums=by-row");
  EXPECT_EQ(formula_encoder().width(), 512U);
}

TEST(MinimolEncoder, PrecisionsHaveSpacesOfTheirOwn) {
  for (const auto precision : {ops::Precision::bf16, ops::Precision::int8}) {
    const MinimolEncoder encoder(test::formula_parameters(), c10::kCPU, "of the formula", precision);
    EXPECT_EQ(encoder.identity().options,
              std::string("precision=") + ops::to_string(precision) + ";gauge=pivot;sums=by-row");
  }
}

TEST(MinimolEncoder, TakesAnEmptyBatch) { formula_encoder().encode({}, {}); }

TEST(MinimolEncoder, RefusesRowsThatDoNotFit) {
  const Inputs molecule = test::chain_molecule(2);
  const FeaturisedMolecule* const batch[] = {&molecule};
  std::vector<float> rows(511);
  EXPECT_THROW(formula_encoder().encode(batch, rows), std::invalid_argument);
}

struct Load {
  std::size_t molecules, atoms;  ///< atoms of each
};

/// Bytes of tensors at their peak while the batch is encoded.
std::uint64_t peak_of(const Encoder& encoder, const Load& load) {
  memory::AllocationMeter& meter = ops::cpu_tensor_memory();
  const Inputs molecule = test::chain_molecule(load.atoms);
  const std::vector<const FeaturisedMolecule*> batch(load.molecules, &molecule);
  std::vector<float> rows(batch.size() * encoder.width());
  meter.reset_peak();
  const std::uint64_t before = meter.peak_bytes();
  encoder.encode(batch, rows);
  return meter.peak_bytes() - before;
}

memory::BatchLoad load_of(const Load& load) {
  return {.items = load.molecules,
          .atoms = load.molecules * load.atoms,
          .edges = load.molecules * 2 * (load.atoms - 1)};
}

/// What the planner finds out from a few small molecules holds for every batch. Made-up molecules have all
/// the kinds of edges there are, a chain has one: it takes a little less.
void expect_projected(ops::Precision precision, EncodingStep::Device device = EncodingStep::Device::cpu) {
  memory::AllocationMeter& meter = ops::cpu_tensor_memory();
  const std::uint64_t before = meter.allocated_bytes();
  const MinimolEncoder encoder = formula_encoder(precision);
  const ops::OperatorThreads one(1);
  EncodingStep step(encoder, device);
  std::optional<ops::ReferenceKernels> as_on_a_gpu;
  if (device == EncodingStep::Device::gpu) {
    as_on_a_gpu.emplace();
  }
  memory::StepProber prober(step, meter, before, memory::AllocationMeter::kNoLimit, {});
  prober.lift_limit();
  const auto projection = prober.project({});
  ASSERT_TRUE(projection);
  EXPECT_TRUE(projection->is_exact());
  for (const Load& load :
       {Load{1, 1}, Load{1, 200}, Load{36, 28}, Load{72, 28}, Load{16, 64}, Load{2000, 1}, Load{700, 3}}) {
    const std::uint64_t peak = peak_of(encoder, load);
    const std::uint64_t projected = projection->peak_bytes(load_of(load)) - projection->resident_bytes();
    EXPECT_LE(peak, projected) << load.molecules << " of " << load.atoms;
    EXPECT_GE(peak + 100'000, projected) << load.molecules << " of " << load.atoms;
  }
}

TEST(MinimolEncoder, ABatchTakesWhatThePlannerProjects) { expect_projected(ops::Precision::fp32); }
TEST(MinimolEncoder, ABatchTakesWhatThePlannerProjectsForAGpu) {
  expect_projected(ops::Precision::fp32, EncodingStep::Device::gpu);
}
TEST(MinimolEncoder, ABatchOfLowPrecisionTakesWhatThePlannerProjects) {
  expect_projected(ops::Precision::bf16);
  expect_projected(ops::Precision::int8);
}

}  // namespace
}  // namespace headroom::encoders::minimol
