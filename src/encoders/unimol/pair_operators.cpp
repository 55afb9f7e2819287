#include "encoders/unimol/pair_operators.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headroom::encoders::unimol {
namespace {

constexpr float kLeastWidth = 1e-5F;
constexpr double kPublishedPi = 3.14159;

/// One head of one molecule: where its rows begin and how far apart they are.
struct Head {
  const float* queries;
  const float* keys;
  const float* values;
  float* logits;  ///< [tokens, tokens], `heads` apart
  float* out;
};

}  // namespace

ops::Floats gaussian_features(const ops::Floats& distances, const ops::Integers& kinds,
                              const GaussianKernels& kernels) {
  const std::int64_t pairs = distances.count(), count = kernels.means.count();
  std::vector<float> widths(static_cast<std::size_t>(count)), heights(widths.size());
  const auto root = static_cast<float>(std::sqrt(2 * kPublishedPi));
  for (std::size_t k = 0; k < widths.size(); ++k) {
    widths[k] = std::abs(kernels.widths.data()[k]) + kLeastWidth;
    heights[k] = 1 / (root * widths[k]);
  }
  ops::Floats features{pairs, count};
  float* out = features.data();
  for (std::int64_t pair = 0; pair < pairs; ++pair, out += count) {
    const std::int64_t kind = kinds.data()[pair];
    const float y = kernels.factors.data()[kind] * distances.data()[pair] + kernels.offsets.data()[kind];
    for (std::size_t k = 0; k < widths.size(); ++k) {
      const float far = (y - kernels.means.data()[k]) / widths[k];
      out[k] = std::exp(-0.5F * far * far) * heights[k];
    }
  }
  return features;
}

ops::Floats attend(const ops::Floats& joint, ops::Floats& pairs, const ops::Segments& molecules,
                   std::int64_t heads) {
  const std::int64_t width = joint.width() / 3, depth = width / heads, stride = joint.width();
  const float scale = 1 / std::sqrt(static_cast<float>(depth));
  ops::Floats out{joint.rows(), width};
  std::vector<float> weights;
  float* first_logit = pairs.data();
  for (std::int64_t molecule = 0; molecule < molecules.count(); ++molecule) {
    const std::int64_t begin = molecules.first.data()[molecule];
    const std::int64_t tokens = molecules.first.data()[molecule + 1] - begin;
    weights.resize(static_cast<std::size_t>(tokens));
    for (std::int64_t h = 0; h < heads; ++h) {
      const float* const row = joint.data() + begin * stride + h * depth;
      const Head head{row, row + width, row + 2 * width, first_logit + h,
                      out.data() + begin * width + h * depth};
      for (std::int64_t i = 0; i < tokens; ++i) {
        float highest = -INFINITY;
        for (std::int64_t j = 0; j < tokens; ++j) {
          float product = 0;
          for (std::int64_t d = 0; d < depth; ++d) {
            product += head.queries[i * stride + d] * scale * head.keys[j * stride + d];
          }
          float& logit = head.logits[(i * tokens + j) * heads];
          logit += product;
          highest = std::max(highest, logit);
        }
        float sum = 0;
        for (std::int64_t j = 0; j < tokens; ++j) {
          float& weight = weights[static_cast<std::size_t>(j)];
          weight = std::exp(head.logits[(i * tokens + j) * heads] - highest);
          sum += weight;
        }
        std::fill_n(head.out + i * width, depth, 0.0F);
        for (std::int64_t j = 0; j < tokens; ++j) {
          const float weight = weights[static_cast<std::size_t>(j)] / sum;
          for (std::int64_t d = 0; d < depth; ++d) {
            head.out[i * width + d] += weight * head.values[j * stride + d];
          }
        }
      }
    }
    first_logit += tokens * tokens * heads;
  }
  return out;
}

}  // namespace headroom::encoders::unimol
