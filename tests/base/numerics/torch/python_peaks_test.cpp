#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/memory/measure/phase.h"
#include "base/numerics/torch/cpu_tensor_memory.h"

/// The Python project measures memory after the peak is over: it encodes features in the constructor of its
/// data loader and resets the peak afterwards. This test runs the same program twice, once with that
/// measurement and once with phases. CPU tensors replace GPU tensors.
namespace molgauge::torch {
namespace {

constexpr std::int64_t kMolecules = 2000, kWidth = 512, kActivations = 16 * kMolecules;
constexpr std::uint64_t kFeatureBytes = kMolecules * kWidth * sizeof(float);
constexpr std::uint64_t kEncodingBytes = kActivations * kWidth * sizeof(float);

/// Encodes in its constructor, as MinimolDataLoader does, and keeps the features.
class Loader {
 public:
  Loader() {
    const at::Tensor activations = at::ones({kActivations, kWidth}, at::kFloat);
    features_ = activations.slice(0, 0, kMolecules).clone();
  }
  at::Tensor batch() const { return features_.slice(0, 0, 32); }

 private:
  at::Tensor features_;
};

float train(const Loader& loader) { return (loader.batch() * 2).sum().item<float>(); }

TEST(PythonPeaks, TheirNumberMissesTheEncodingAndOursDoesNot) {
  memory::AllocationMeter& meter = cpu_tensor_memory();

  // As in the Python project: torch.cuda.reset_peak_memory_stats() after the loaders exist, then
  // torch.cuda.max_memory_allocated() as "peak_gpu_memory_encoding".
  std::uint64_t theirs = 0;
  {
    const std::uint64_t before = meter.allocated_bytes();
    const Loader loader;
    meter.reset_peak();
    theirs = meter.peak_bytes() - before;
  }

  memory::PhaseRecorder phases(nullptr, &meter);
  const std::uint64_t before = meter.allocated_bytes();
  auto encoding = phases.begin("encoding");
  const Loader loader;
  const std::uint64_t ours = encoding.end().peak_tensor_memory_bytes - before;
  auto training = phases.begin("train");
  train(loader);
  const std::uint64_t while_training = training.end().peak_tensor_memory_bytes - before;

  EXPECT_EQ(theirs, kFeatureBytes) << "the kept features, without the memory of the encoding";
  EXPECT_EQ(ours, kEncodingBytes + kFeatureBytes);
  EXPECT_GE(while_training, kFeatureBytes);
  EXPECT_LT(while_training, kFeatureBytes + 1'000'000);
}

TEST(PythonPeaks, ThePeakOfAnEncodingThatThrowsIsRecorded) {
  memory::AllocationMeter& meter = cpu_tensor_memory();
  memory::PhaseRecorder phases(nullptr, &meter);
  const std::uint64_t before = meter.allocated_bytes();
  const memory::AllocationLimit limit(meter, before + kEncodingBytes);
  try {
    const auto encoding = phases.begin("encoding");
    const Loader loader;
    FAIL() << "the features do not fit";
  } catch (const c10::Error&) {
  }
  const PhaseReport encoding = phases.report("encoding");
  EXPECT_EQ(encoding.peak_tensor_memory_bytes - before, kEncodingBytes);
  EXPECT_EQ(encoding.refused_tensors, 1U);
}

}  // namespace
}  // namespace molgauge::torch
