#include "base/numerics/ops/equivariant/layers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "base/numerics/ops/cpu/instruction_level.h"

namespace molgauge::ops {
namespace {

constexpr float kEpsilon = 1e-5F;

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

void normalise_channel(ChannelNorm kind, std::int64_t components, const float* from, float* to) {
  float mean = 0, squares = 0;
  if (kind == ChannelNorm::variance) {
    mean = std::accumulate(from, from + components, 0.0F) / static_cast<float>(components);
  }
  for (std::int64_t m = 0; m < components; ++m) {
    squares += (from[m] - mean) * (from[m] - mean);
  }
  const float scale = 1 / std::sqrt(squares / static_cast<float>(components) + kEpsilon);
  for (std::int64_t m = 0; m < components; ++m) {
    to[m] = (from[m] - mean) * scale;
  }
}

}  // namespace

Irreps gated(const Irreps& out) {
  std::vector<IrrepBlock> blocks = out.blocks();
  for (std::size_t block = 1; block < blocks.size(); ++block) {
    blocks[0].multiplicity += blocks[block].multiplicity;
  }
  return Irreps(std::move(blocks));
}

Floats gate(const Floats& rows, const Irreps& out) {
  const Irreps in = gated(out);
  const std::int64_t scalars = out.blocks().at(0).multiplicity;
  Floats result{rows.size(0), out.width()};
  std::vector<float> opened(static_cast<std::size_t>(in.blocks()[0].multiplicity - scalars));
  for (std::int64_t row = 0; row < rows.size(0); ++row) {
    const float* const from = rows.data() + row * in.width();
    float* const to = result.data() + row * out.width();
    cpu::loops().silu(static_cast<std::size_t>(scalars), from, to);
    for (std::int64_t s = 0; s < scalars; ++s) {
      to[s] *= kSiluScale;
    }
    cpu::loops().sigmoid(opened.size(), from + scalars, opened.data());
    const float *factor = opened.data(), *channel = from + in.blocks()[0].multiplicity;
    float* own = to + scalars;
    for (std::size_t block = 1; block < out.blocks().size(); ++block) {
      for (std::int64_t u = 0; u < out.blocks()[block].multiplicity; ++u) {
        const float scale = kSigmoidScale * *factor++;
        for (std::int64_t m = 0; m < out.blocks()[block].components(); ++m) {
          *own++ = scale * *channel++;
        }
      }
    }
  }
  return result;
}

Floats apply(const EquivariantNorm& norm, const Floats& rows, const Irreps& irreps) {
  const std::int64_t scalars = irreps.blocks().at(0).multiplicity;
  Floats first{rows.size(0), scalars};
  for (std::int64_t row = 0; row < rows.size(0); ++row) {
    std::copy_n(rows.data() + row * irreps.width(), scalars, first.data() + row * scalars);
  }
  first = apply(norm.scalars, first);
  Floats result{rows.size(0), irreps.width()};
  for (std::int64_t row = 0; row < rows.size(0); ++row) {
    std::copy_n(first.data() + row * scalars, scalars, result.data() + row * irreps.width());
    std::int64_t place = row * irreps.width() + scalars;
    for (std::size_t block = 1; block < irreps.blocks().size(); ++block) {
      const std::int64_t components = irreps.blocks()[block].components();
      for (std::int64_t u = 0; u < irreps.blocks()[block].multiplicity; ++u, place += components) {
        normalise_channel(norm.channels, components, rows.data() + place, result.data() + place);
      }
    }
  }
  return result;
}

Floats invariants(const Floats& rows, const Irreps& irreps) {
  Floats result{rows.size(0), irreps.channels()};
  const float* from = rows.data();
  float* to = result.data();
  for (std::int64_t row = 0; row < rows.size(0); ++row) {
    for (const IrrepBlock& block : irreps.blocks()) {
      for (std::int64_t u = 0; u < block.multiplicity; ++u, from += block.components()) {
        float squares = 0;
        for (std::int64_t m = 0; m < block.components(); ++m) {
          squares += from[m] * from[m];
        }
        *to++ = block.degree == 0 ? *from : std::sqrt(squares);
      }
    }
  }
  return result;
}

std::int64_t paired_invariant_count(const Irreps& irreps) {
  std::int64_t count = irreps.channels();
  for (const IrrepBlock& block : irreps.blocks()) {
    count += block.degree == 0 ? 0 : block.multiplicity * (block.multiplicity - 1) / 2;
  }
  return count;
}

Floats paired_invariants(const Floats& rows, const Irreps& irreps) {
  const Floats lengths = invariants(rows, irreps);
  const std::int64_t width = paired_invariant_count(irreps), scalars = irreps.blocks().at(0).multiplicity;
  Floats result{rows.size(0), width};
  for (std::int64_t row = 0; row < rows.size(0); ++row) {
    const float* const own = lengths.data() + row * irreps.channels();
    float* const to = result.data() + row * width;
    std::copy_n(own, scalars, to);
    std::transform(own + scalars, own + irreps.channels(), to + scalars,
                   [](float length) { return std::max(length, 1e-6F); });
    float* pair = to + irreps.channels();
    const float* length = to + scalars;
    for (std::size_t block = 1; block < irreps.blocks().size(); ++block) {
      const std::int64_t channels = irreps.blocks()[block].multiplicity;
      const std::int64_t components = irreps.blocks()[block].components();
      const float* const first = rows.data() + row * irreps.width() + irreps.offset(block);
      for (std::int64_t i = 0; i < channels; ++i) {
        for (std::int64_t j = i + 1; j < channels; ++j) {
          const float product = std::inner_product(first + i * components, first + (i + 1) * components,
                                                   first + j * components, 0.0F);
          *pair++ = product / (length[i] * length[j]);
        }
      }
      length += channels;
    }
  }
  return result;
}

Floats norm_activation(const Floats& rows, const Irreps& irreps) {
  Floats result{rows.size(0), irreps.width()};
  const float* from = rows.data();
  float* to = result.data();
  for (std::int64_t row = 0; row < rows.size(0); ++row) {
    for (const IrrepBlock& block : irreps.blocks()) {
      for (std::int64_t u = 0; u < block.multiplicity; ++u) {
        const float length = std::sqrt(std::inner_product(from, from + block.components(), from, 0.0F));
        const float opened = sigmoid(length);
        to = std::transform(from, from + block.components(), to, [=](float x) { return opened * x; });
        from += block.components();
      }
    }
  }
  return result;
}

Floats rms_norm(const Floats& rows, const Floats& scale) {
  Floats result{rows.size(0), rows.width()};
  for (std::int64_t row = 0; row < rows.size(0); ++row) {
    const float* const from = rows.data() + row * rows.width();
    const float squares = std::inner_product(from, from + rows.width(), from, 0.0F);
    const float by = 1 / std::sqrt(squares / static_cast<float>(rows.width()) + kEpsilon);
    std::transform(from, from + rows.width(), scale.data(), result.data() + row * rows.width(),
                   [by](float x, float own) { return by * x * own; });
  }
  return result;
}

Floats silu(Floats x) {
  cpu::loops().silu(static_cast<std::size_t>(x.count()), x.data(), x.data());
  return x;
}

}  // namespace molgauge::ops
