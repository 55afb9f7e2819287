#include "molecules/encoders/minimol/minimol_encoder.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/memory/plan/step_prober.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "base/numerics/torch/kernel_choice.h"
#include "base/numerics/torch/operator_threads.h"
#include "minimol_fixtures.h"
#include "molecules/encoders/encoding_step.h"
#include "molecules/encoders/minimol/torch_encoder.h"
#include "support/operator_calls.h"

namespace molgauge::encoders::minimol {
namespace {

CpuMinimolEncoder formula_encoder(ops::Precision precision = ops::Precision::fp32) {
  return {test::formula_weights(), "of the formula", precision};
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
    EXPECT_EQ(formula_encoder(precision).identity().options,
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

TEST(MinimolEncoder, LaunchesDoNotGrowWithTheBatch) {
  const TorchMinimolEncoder encoder(test::formula_weights(), c10::kCPU, "of the formula");
  const auto launches = [&](std::size_t count) {
    const Inputs molecule = test::chain_molecule(9);
    const std::vector<const FeaturisedMolecule*> batch(count, &molecule);
    std::vector<float> rows(count * encoder.width());
    const torch::KernelsOnCpu code_of_gpus;
    const test::OperatorCalls calls;
    encoder.encode(batch, rows);
    return calls.launches();
  };
  const std::size_t of_two = launches(2);
  RecordProperty("launches", static_cast<int>(of_two));
  EXPECT_LE(of_two, 200U);
  EXPECT_EQ(launches(40), of_two);
}

struct Load {
  std::size_t molecules, atoms;  ///< number of molecules, and of atoms in each molecule
};

/// The peak bytes of tensors while the batch is encoded.
std::uint64_t peak_of(const Encoder& encoder, const Load& load) {
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  const Inputs molecule = test::chain_molecule(load.atoms);
  const std::vector<const FeaturisedMolecule*> batch(load.molecules, &molecule);
  std::vector<float> rows(batch.size() * encoder.width());
  meter.reset_peak();
  const std::uint64_t before = meter.peak_bytes();
  encoder.encode(batch, rows);
  return meter.peak_bytes() - before;
}

memory::Cost load_of(const Load& load) {
  const std::uint64_t atoms = load.molecules * load.atoms;
  return {.items = load.molecules,
          .tokens = atoms,
          .pairs = load.molecules * 2 * (load.atoms - 1),
          .padded = atoms};
}

/// The planner measures costs on a few small molecules. These costs must hold for every batch. Synthetic
/// molecules have all kinds of edges. A chain has only one kind and needs a little less memory. `before`:
/// bytes of tensors that do not belong to the encoder.
void expect_projected(const Encoder& encoder, std::uint64_t before, EncodingStep::Device device) {
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  const torch::OperatorThreads one(1);
  EncodingStep step(encoder, device);
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

TEST(MinimolEncoder, ABatchTakesWhatThePlannerProjects) {
  for (const auto precision : {ops::Precision::fp32, ops::Precision::bf16, ops::Precision::int8}) {
    SCOPED_TRACE(ops::to_string(precision));
    const std::uint64_t before = torch::cpu_tensor_memory().allocated_bytes();
    expect_projected(formula_encoder(precision), before, EncodingStep::Device::cpu);
  }
}

TEST(TorchMinimolEncoder, ABatchTakesWhatThePlannerProjectsForAGpu) {
  const std::uint64_t before = torch::cpu_tensor_memory().allocated_bytes();
  expect_projected(TorchMinimolEncoder(test::formula_weights(), c10::kCPU, "of the formula"), before,
                   EncodingStep::Device::gpu);
}

TEST(TorchMinimolEncoder, GivesTheRowsOfTheCpus) {
  const Inputs molecule = test::chain_molecule(12);
  const FeaturisedMolecule* const batch[] = {&molecule};
  std::vector<float> plain(512), torch(512);
  formula_encoder().encode(batch, plain);
  const TorchMinimolEncoder encoder(test::formula_weights(), c10::kCPU, "of the formula");
  encoder.encode(batch, torch);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_NEAR(plain[i], torch[i], 1e-5) << i;
  }
  EXPECT_EQ(encoder.identity().options, formula_encoder().identity().options);
  const torch::KernelsOnCpu code_of_gpus;
  encoder.encode(batch, torch);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_NEAR(plain[i], torch[i], 1e-5) << i;
  }
}

}  // namespace
}  // namespace molgauge::encoders::minimol
