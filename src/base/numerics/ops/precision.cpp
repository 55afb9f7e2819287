#include "base/numerics/ops/precision.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <limits>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/numerics/ops/cpu/instruction_level.h"
#include "base/numerics/ops/cpu/packed_layer.h"

namespace molgauge::ops {
namespace {

constexpr std::array kPrecisions = {Precision::fp32, Precision::bf16, Precision::int8};
constexpr std::array kNames = {"fp32", "bf16", "int8", "fp16", "tf32"};
constexpr int kRounds = 7, kRepetitions = 2;
constexpr double kWorthIt = 0.8;

/// CPU time of this thread. The wall time would include the work of other processes.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Returns test data: numbers from -1 to 1.
std::vector<float> some_numbers(std::int64_t count) {
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<float>(i * 37 % 101) / 50.0F - 1.0F;
  }
  return numbers;
}

std::vector<PrecisionTime> measure(std::int64_t width) {
  const std::vector<float> weight = some_numbers(width * width), bias = some_numbers(width);
  const std::vector<float> x = some_numbers(cpu::kBlockRows * width);
  std::vector<float> y(x.size());
  cpu::DenseScratch& scratch = cpu::dense_scratch(width);
  std::vector<PrecisionTime> times;
  for (const Precision precision : kPrecisions) {
    const cpu::PackedLayer packed({.in = width,
                                   .out = width,
                                   .weight = weight.data(),
                                   .bias = bias.data(),
                                   .norm_weight = bias.data(),
                                   .norm_bias = bias.data(),
                                   .activation = Activation::gelu},
                                  precision, cpu::kernels());
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0; round < kRounds; ++round) {
      const double start = thread_seconds();
      for (int repetition = 0; repetition < kRepetitions; ++repetition) {
        cpu::kernels().dense(packed.layer(), x.data(), cpu::kBlockRows, scratch.rounded(), scratch.product(),
                             /*add=*/false, y.data());
      }
      best = std::min(best, (thread_seconds() - start) / kRepetitions);
    }
    times.push_back({precision, best});
  }
  return times;
}

}  // namespace

const char* to_string(Precision precision) { return kNames.at(static_cast<std::size_t>(precision)); }

Precision parse_precision(const std::string& text) {
  for (const Precision precision : kPrecisions) {
    if (text == to_string(precision)) {
      return precision;
    }
  }
  throw UsageError(fmt::format("--precision {}: {}. Available: fp32, bf16, int8 and fast", text,
                               text == "fp16" || text == "tf32" ? "it is for a GPU" : "no such precision"));
}

const std::vector<PrecisionTime>& precision_times(std::int64_t width) {
  static std::mutex mutex;
  static std::map<std::int64_t, std::vector<PrecisionTime>> measured;
  const std::lock_guard lock(mutex);
  auto known = measured.find(width);
  if (known == measured.end()) {
    known = measured.emplace(width, measure(width)).first;
  }
  return known->second;
}

Precision fastest_precision(std::int64_t width) {
  PrecisionTime chosen = precision_times(width).front();
  for (const PrecisionTime& time : precision_times(width)) {
    if (time.seconds < kWorthIt * chosen.seconds) {
      chosen = time;
    }
  }
  return chosen.precision;
}

bool kernels_multiply_bf16() { return cpu::kernels().bf16_group == cpu::Group::two_bfloat16; }

}  // namespace molgauge::ops
