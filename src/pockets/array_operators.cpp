#include "pockets/array_operators.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pockets/network_definition.h"

namespace molgauge::pocket {

template class Encoder<ArrayOperators>;

namespace {

ops::Floats first_columns(const ops::Floats& x, std::int64_t columns) {
  ops::Floats first{x.size(0), columns};
  for (std::int64_t row = 0; row < x.size(0); ++row) {
    std::copy_n(x.data() + row * x.width(), columns, first.data() + row * columns);
  }
  return first;
}

/// The mean row of the terms of each atom in one list.
ops::Floats mean_of_list(const ops::Floats& x, const TermLists& lists) {
  const std::int64_t atoms = lists.first.size(0) - 1, width = x.width();
  ops::Floats mean = ops::Floats::zeros({atoms, width});
  for (std::int64_t atom = 0; atom < atoms; ++atom) {
    const std::int64_t first = lists.first.data()[atom], last = lists.first.data()[atom + 1];
    float* const to = mean.data() + atom * width;
    for (std::int64_t place = first; place < last; ++place) {
      const float* const row = x.data() + lists.members.data()[place] * width;
      std::transform(to, to + width, row, to, std::plus<>());
    }
    std::for_each(to, to + width, [&](float& number) {
      number /= static_cast<float>(std::max<std::int64_t>(last - first, 1));
    });
  }
  return mean;
}

}  // namespace

ops::Floats ArrayOperators::edge_vectors(const Tensor& positions, const DirectedEdges& edges) {
  Tensor vectors{edges.count(), 3};
  for (std::int64_t edge = 0; edge < edges.count(); ++edge) {
    const float* const to = positions.data() + 3 * edges.target.data()[edge];
    const float* const from = positions.data() + 3 * edges.source.data()[edge];
    for (std::int64_t axis = 0; axis < 3; ++axis) {
      vectors.data()[3 * edge + axis] = to[axis] - from[axis];
    }
  }
  return vectors;
}

ops::Floats ArrayOperators::lengths(const Tensor& vectors) {
  Tensor lengths{vectors.size(0), 1};
  for (std::int64_t row = 0; row < vectors.size(0); ++row) {
    const float* const v = vectors.data() + 3 * row;
    lengths.data()[row] = std::max(std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), kLeastLength);
  }
  return lengths;
}

ops::Floats ArrayOperators::add_scaled(const Tensor& x, const Tensor& y, const Tensor& factor) {
  Tensor sum(x.shape());
  const float by = *factor.data();
  std::transform(x.data(), x.data() + x.count(), y.data(), sum.data(),
                 [by](float a, float b) { return a + by * b; });
  return sum;
}

ops::Floats ArrayOperators::join_ends(const Tensor& h, std::int64_t columns,
                                      const AngularTermsOf<ArrayOperators>& terms, const Tensor& attributes) {
  const Tensor scalars = first_columns(h, columns);
  return join_columns(
      join_columns(select_rows(scalars, terms.atoms.front()), select_rows(scalars, terms.atoms.back())),
      attributes);
}

ops::Floats ArrayOperators::mean_of_terms(const Tensor& x, const AngularTermsOf<ArrayOperators>& terms) {
  Tensor mean = mean_of_list(x, terms.inner[0]);
  for (std::size_t place = 1; place < terms.inner.size(); ++place) {
    mean = add(mean, mean_of_list(x, terms.inner[place]));
  }
  return scale(mean, 1 / static_cast<float>(terms.inner.size()));
}

ops::Floats ArrayOperators::weighted_sum(const Tensor& x, const Tensor& logits, const Segments& segments) {
  Tensor sums = Tensor::zeros({segments.count(), x.width()});
  for (std::int64_t segment = 0; segment < segments.count(); ++segment) {
    const std::int64_t first = segments.first.data()[segment], last = segments.first.data()[segment + 1];
    const float highest = first == last ? 0 : *std::max_element(logits.data() + first, logits.data() + last);
    float total = 0;
    float* const to = sums.data() + segment * x.width();
    for (std::int64_t row = first; row < last; ++row) {
      const float weight = std::exp(logits.data()[row] - highest);
      total += weight;
      for (std::int64_t k = 0; k < x.width(); ++k) {
        to[k] += weight * x.data()[row * x.width() + k];
      }
    }
    std::for_each(to, to + x.width(), [&](float& number) { number /= last > first ? total : 1; });
  }
  return sums;
}

ops::Floats ArrayOperators::pool_by_heads(const Tensor& queries, const Tensor& keys, const Tensor& values,
                                          const Segments& segments, const Dropout& /*dropout*/) {
  const std::int64_t heads = queries.size(0), width = queries.size(1), rows = keys.size(0);
  Tensor pooled{segments.count(), heads * width}, logits{rows, 1};
  const float scale = 1 / std::sqrt(static_cast<float>(width));
  for (std::int64_t head = 0; head < heads; ++head) {
    Tensor own{rows, width};
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int64_t place = row * heads * width + head * width;
      logits.data()[row] = scale * std::inner_product(keys.data() + place, keys.data() + place + width,
                                                      queries.data() + head * width, 0.0F);
      std::copy_n(values.data() + place, width, own.data() + row * width);
    }
    const Tensor sums = weighted_sum(own, logits, segments);
    for (std::int64_t segment = 0; segment < segments.count(); ++segment) {
      std::copy_n(sums.data() + segment * width, width, pooled.data() + (segment * heads + head) * width);
    }
  }
  return pooled;
}

ops::Floats ArrayOperators::segment_mean(const Tensor& x, const Segments& segments) {
  Tensor mean = segment_sum(x, segments);
  for (std::int64_t segment = 0; segment < segments.count(); ++segment) {
    const std::int64_t rows = segments.first.data()[segment + 1] - segments.first.data()[segment];
    float* const own = mean.data() + segment * x.width();
    std::for_each(own, own + x.width(),
                  [&](float& number) { number /= static_cast<float>(std::max<std::int64_t>(rows, 1)); });
  }
  return mean;
}

BatchOf<ArrayOperators> as_arrays(const Batch& batch) {
  return {.features = batch.features,
          .positions = batch.positions,
          .bonds = {batch.bonds.edges, batch.bonds.attributes},
          .pairs = {batch.pairs.edges, batch.pairs.attributes},
          .angles = {batch.angles.atoms, batch.angles.attributes, batch.angles.inner, {}},
          .dihedrals = {batch.dihedrals.atoms, batch.dihedrals.attributes, batch.dihedrals.inner, {}},
          .pockets = batch.pockets};
}

}  // namespace molgauge::pocket
