// Measures a layer as wide as the layers of MiniMol, with normalisation and activation, on one block of rows.
// Runs on every instruction level of this CPU in every precision.

#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/numerics/ops/cpu/instruction_level.h"
#include "base/numerics/ops/cpu/packed_layer.h"

namespace molgauge::ops {
namespace {

constexpr std::int64_t kWidth = 336;

void dense_layer(benchmark::State& state, const cpu::Kernels& kernels, Precision precision) {
  const std::vector<float> weight(kWidth * kWidth, 0.05F), ones(kWidth, 1.0F);
  std::vector<float> x(cpu::kBlockRows * kWidth), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i % 101) / 50.0F - 1.0F;
  }
  const cpu::PackedLayer packed({.in = kWidth,
                                 .out = kWidth,
                                 .weight = weight.data(),
                                 .bias = ones.data(),
                                 .norm_weight = ones.data(),
                                 .norm_bias = ones.data(),
                                 .activation = Activation::gelu},
                                precision, kernels);
  cpu::DenseScratch& scratch = cpu::dense_scratch(kWidth);
  for (auto _ : state) {
    kernels.dense(packed.layer(), x.data(), cpu::kBlockRows, scratch.rounded(), scratch.product(),
                  /*add=*/false, y.data());
    benchmark::DoNotOptimize(y.data());
  }
  state.SetItemsProcessed(state.iterations() * cpu::kBlockRows);
}

/// The benchmarks are named dense_layer/LEVEL/PRECISION.
const bool registered = [] {
  for (const cpu::InstructionLevel level : cpu::compiled_levels()) {
    if (!cpu::is_supported(level)) {
      continue;
    }
    for (const Precision precision : {Precision::fp32, Precision::bf16, Precision::int8}) {
      const std::string name =
          std::string("dense_layer/") + cpu::to_string(level) + '/' + to_string(precision);
      benchmark::RegisterBenchmark(name.c_str(), dense_layer, cpu::kernels_of(level), precision)
          ->Unit(benchmark::kMicrosecond);
    }
  }
  return true;
}();

}  // namespace
}  // namespace molgauge::ops
