#include "molecules/encoders/unimol/random_weights.h"

#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/random/numpy_random.h"
#include "molecules/encoders/unimol/network.h"

namespace molgauge::encoders::unimol {
namespace {

constexpr std::int64_t kLargestSize = 65'536;
/// The standard deviation of the factors and offsets of the pair kinds (GaussianKernels). Trained weights
/// have a similar standard deviation.
constexpr float kPairSpread = 0.3F;

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  /// A uniform number between two numbers.
  float between(double least, double most) { return static_cast<float>(least + (most - least) * uniform()); }
  /// An approximately normal number with mean 0 and variance 1: the sum of four uniform numbers of 16 bits
  /// from one draw.
  float normal() {
    constexpr double kMean = 2 * 65'535.0, kDeviation = 65'536.0 / std::numbers::sqrt3;
    std::uint64_t bits = random_.next64();
    std::uint64_t sum = 0;
    for (int part = 0; part < 4; ++part, bits >>= 16) {
      sum += bits & 0xFFFF;
    }
    return static_cast<float>((static_cast<double>(sum) - kMean) / kDeviation);
  }

 private:
  /// A uniform number in [0, 1).
  double uniform() { return static_cast<double>(random_.next64() >> 11) * 0x1p-53; }

  NumpyRandom random_;
};

/// The next number of this tensor. `inputs`: number of inputs of its layer.
float draw_number(const std::string& name, std::int64_t inputs, Draw& draw) {
  if (name.ends_with("layer_norm.weight")) {
    return 1;
  }
  if (name == "gbf.mul.weight") {
    return 1 + kPairSpread * draw.normal();
  }
  if (name == "gbf.bias.weight") {
    return kPairSpread * draw.normal();
  }
  if (name == "gbf.means.weight") {
    return draw.between(0, 9);
  }
  if (name == "gbf.stds.weight") {
    return draw.between(0.3, 2.5);
  }
  if (name == "embed_tokens.weight") {
    return draw.normal();
  }
  return name.ends_with(".bias") ? 0.0F : draw.normal() / std::sqrt(static_cast<float>(inputs));
}

NetworkShape shape_for(const NetworkSizes& sizes) {
  NetworkShape shape;
  const auto take = [](const char* option, std::int64_t wanted, std::int64_t& size) {
    if (wanted < 0 || wanted > kLargestSize) {
      throw UsageError(fmt::format("--{} {}: allowed are 1 to {}", option, wanted, kLargestSize));
    }
    size = wanted == 0 ? size : wanted;
  };
  take("layers", sizes.layers, shape.layers);
  take("width", sizes.width, shape.width);
  take("hidden", sizes.hidden, shape.hidden);
  take("heads", sizes.heads, shape.heads);
  take("kernels", sizes.kernels, shape.kernels);
  if (shape.width % shape.heads != 0) {
    throw UsageError(
        fmt::format("--width {} --heads {}: the heads must divide the width", shape.width, shape.heads));
  }
  return shape;
}

}  // namespace

io::TensorMap random_tensors(const NetworkSizes& sizes, std::uint64_t seed) {
  Draw draw(seed);
  io::TensorMap tensors;
  const auto draw_tensor = [&](const std::string& name, const std::vector<std::int64_t>& shape) {
    std::int64_t count = 1;
    for (const std::int64_t size : shape) {
      count *= size;
    }
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (float& number : numbers) {
      number = draw_number(name, shape.back(), draw);
    }
    tensors.emplace(name, io::TensorData::from_float32(shape, numbers.data()));
    return ops::Floats();
  };
  // The constructor asks for each tensor by its name.
  const Network<PairOperators> network(shape_for(sizes), draw_tensor);
  return tensors;
}

}  // namespace molgauge::encoders::unimol
