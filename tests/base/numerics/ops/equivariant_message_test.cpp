// Compares the messages of equivariant networks with a reference that forms the weights of every edge, in
// double precision.

#include <cmath>

#include <gtest/gtest.h>

#include "arrays.h"
#include "base/numerics/ops/equivariant/message.h"

namespace molgauge::ops {
namespace {

using test::normal_floats;

struct MessageProblem {
  TensorProduct product;
  DirectedEdges edges;
  Floats rows, harmonics, radial, weight, bias;

  MessageArguments arguments() const {
    return {.product = product,
            .nodes = rows.size(0),
            .hidden = radial.width(),
            .rows = rows.data(),
            .harmonics = harmonics.data(),
            .radial = radial.data(),
            .weight = weight.data(),
            .bias = bias.data(),
            .source = edges.source.data(),
            .first = edges.first.data()};
  }
};

/// Nodes with these numbers of edges, from random sources.
MessageProblem problem(const char* in, const char* out, int degree, std::int64_t hidden,
                       const std::vector<std::int64_t>& edge_counts) {
  const auto nodes = static_cast<std::int64_t>(edge_counts.size());
  TensorProduct product(Irreps::parse(in), degree, Irreps::parse(out));
  std::vector<std::int64_t> source, target;
  DirectedEdges edges;
  edges.first = Integers::zeros({nodes + 1});
  for (std::int64_t node = 0; node < nodes; ++node) {
    for (std::int64_t e = 0; e < edge_counts[static_cast<std::size_t>(node)]; ++e) {
      source.push_back(test::whole_numbers(1, nodes).front());
      target.push_back(node);
    }
    edges.first.data()[node + 1] = static_cast<std::int64_t>(source.size());
  }
  const auto count = static_cast<std::int64_t>(source.size());
  edges.source = Integers{count};
  edges.target = Integers{count};
  std::copy(source.begin(), source.end(), edges.source.data());
  std::copy(target.begin(), target.end(), edges.target.data());
  MessageProblem made{product,
                      edges,
                      normal_floats({nodes, product.in().width()}),
                      normal_floats({count, product.harmonics().width()}),
                      normal_floats({count, hidden}),
                      normal_floats({product.weights(), hidden}),
                      normal_floats({product.weights()})};
  return made;
}

/// Computes the formula for each edge.
std::vector<double> reference(const MessageProblem& p) {
  const std::int64_t in = p.product.in().width(), out = p.product.out().width(),
                     harmonics = p.product.harmonics().width(), hidden = p.radial.width();
  std::vector<double> sums(static_cast<std::size_t>(p.rows.size(0) * out));
  for (std::int64_t e = 0; e < p.edges.count(); ++e) {
    for (const ProductPath& path : p.product.paths()) {
      const std::int64_t components = p.product.in().blocks()[path.in].components(),
                         to_components = p.product.out().blocks()[path.out].components();
      for (std::int64_t u = 0; u < path.in_channels; ++u) {
        for (std::int64_t w = 0; w < path.out_channels; ++w) {
          const std::int64_t row = path.first_weight + u * path.out_channels + w;
          double weight = double{p.bias.data()[row]};
          for (std::int64_t h = 0; h < hidden; ++h) {
            weight += double{p.weight.data()[row * hidden + h]} * double{p.radial.data()[e * hidden + h]};
          }
          for (const Coupling& c : path.couplings) {
            const double x = double{p.rows.data()[p.edges.source.data()[e] * in +
                                                  p.product.in().offset(path.in) + u * components + c.first]};
            const double y = double{
                p.harmonics.data()[e * harmonics + p.product.harmonics().offset(path.harmonic) + c.second]};
            sums[static_cast<std::size_t>(p.edges.target.data()[e] * out + p.product.out().offset(path.out) +
                                          w * to_components + c.third)] +=
                path.scale * weight * c.value * x * y;
          }
        }
      }
    }
  }
  return sums;
}

Floats message_of(const MessageProblem& p) {
  return equivariant_message(p.product, p.rows, p.edges, p.harmonics, p.radial, p.weight, p.bias);
}

void expect_reference(const MessageProblem& p) {
  const std::vector<double> expected = reference(p);
  const Floats got = message_of(p);
  double largest = 0;
  for (const double number : expected) {
    largest = std::max(largest, std::abs(number));
  }
  for (std::int64_t i = 0; i < got.count(); ++i) {
    ASSERT_NEAR(got.data()[i], expected[static_cast<std::size_t>(i)], 1e-5 * (1 + largest)) << i;
  }
}

TEST(EquivariantMessage, IsTheReference) {
  expect_reference(
      problem("32x0e + 16x1o + 8x2e", "56x0e + 16x1o + 8x2e", 2, 64, {0, 3, 17, 0, 1, 40, 2, 0}));
  expect_reference(problem("5x0e + 3x1o + 2x2e", "9x0e + 3x1o + 2x2e", 2, 12, {4, 0, 9}));
  expect_reference(
      problem("3x0e + 2x0o + 2x1o + 2x1e + 1x3o", "7x0e + 2x1o + 2x2e + 9x3o", 3, 7, {5, 1, 2, 33}));
  expect_reference(problem("4x0e", "4x0e", 0, 3, {2, 2}));
}

/// Sets the numbers of a block in the first `nodes` rows to zero.
void clear_block(MessageProblem& p, std::size_t block, std::int64_t nodes) {
  const Irreps& in = p.product.in();
  for (std::int64_t node = 0; node < nodes; ++node) {
    std::fill_n(p.rows.data() + node * in.width() + in.offset(block),
                in.blocks()[block].multiplicity * in.blocks()[block].components(), 0.0F);
  }
}

TEST(EquivariantMessage, OfBlocksOfZerosIsTheReference) {
  const std::vector<std::int64_t> counts = {4, 0, 9, 20};
  const auto nodes = static_cast<std::int64_t>(counts.size());
  MessageProblem scalars = problem("16x0e + 8x1o + 8x2e", "32x0e + 8x1o + 8x2e", 2, 16, counts);
  clear_block(scalars, 1, nodes);
  clear_block(scalars, 2, nodes);
  expect_reference(scalars);
  MessageProblem vectors = problem("16x0e + 8x1o", "24x0e + 8x1o", 1, 16, counts);
  clear_block(vectors, 0, nodes);
  expect_reference(vectors);
  MessageProblem partly = problem("16x0e + 8x1o", "24x0e + 8x1o", 1, 16, counts);
  clear_block(partly, 1, nodes - 1);
  expect_reference(partly);
  clear_block(partly, 0, nodes);
  clear_block(partly, 1, nodes);
  expect_reference(partly);
}

TEST(EquivariantMessage, TilesDoNotChangeARow) {
  std::vector<std::int64_t> counts(90, 5);
  counts[50] = 700;  // more edges than a tile has
  counts[89] = 0;
  const MessageProblem all = problem("8x0e + 4x1o", "12x0e + 4x1o", 1, 16, counts);
  expect_reference(all);
  MessageProblem last = all;  // the first 45 nodes have no edges
  const std::int64_t gone = all.edges.first.data()[45];
  Integers first{91};
  for (std::int64_t node = 0; node <= 90; ++node) {
    first.data()[node] = std::max(all.edges.first.data()[node], gone);
  }
  last.edges.first = first;
  const Floats of_all = message_of(all), of_last = message_of(last);
  const std::int64_t width = all.product.out().width();
  EXPECT_TRUE(
      std::equal(of_all.data() + 45 * width, of_all.data() + 90 * width, of_last.data() + 45 * width));
}

TEST(EquivariantMessage, WithoutEdgesIsZero) {
  const Floats out = message_of(problem("8x0e + 4x1o", "12x0e + 4x1o", 1, 16, {0, 0, 0}));
  EXPECT_TRUE(std::all_of(out.data(), out.data() + out.count(), [](float x) { return x == 0; }));
}

/// Compares gradients with finite differences of the reference. The reference is linear in each array, so
/// large steps are exact.
void expect_gradients(const char* in, const char* out, int degree, std::int64_t hidden,
                      const std::vector<std::int64_t>& counts) {
  MessageProblem p = problem(in, out, degree, hidden, counts);
  const Floats gradient = normal_floats({p.rows.size(0), p.product.out().width()});
  const auto value = [&] {
    const std::vector<double> sums = reference(p);
    double total = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      total += sums[i] * double{gradient.data()[i]};
    }
    return total;
  };
  Floats* const arrays[] = {&p.rows, &p.harmonics, &p.radial, &p.weight, &p.bias};
  std::vector<Floats> gradients;
  for (const Floats* array : arrays) {
    gradients.push_back(Floats::zeros(array->shape()));
  }
  equivariant_message_backward(p.arguments(), gradient.data(),
                               {gradients[0].data(), gradients[1].data(), gradients[2].data(),
                                gradients[3].data(), gradients[4].data()});
  for (std::size_t a = 0; a < gradients.size(); ++a) {
    const std::int64_t stride = std::max<std::int64_t>(1, arrays[a]->count() / 60);
    for (std::int64_t i = 0; i < arrays[a]->count(); i += stride) {
      float& number = arrays[a]->data()[i];
      const float kept = number;
      number = kept + 1;
      const double above = value(), up = double{number};
      number = kept - 1;
      const double slope = (above - value()) / (up - double{number});
      number = kept;
      ASSERT_NEAR(gradients[a].data()[i], slope, 2e-5 * (10 + std::abs(slope)))
          << "array " << a << ", number " << i;
    }
  }
}

TEST(EquivariantMessage, GradientsAreSlopes) {
  expect_gradients("5x0e + 3x1o + 2x2e", "10x0e + 3x1o + 2x2e", 2, 12, {4, 0, 19, 1});
  expect_gradients("17x0e + 9x1o", "26x0e + 9x1o", 1, 16, {3, 2, 5});
  expect_gradients("3x0e + 2x1o + 1x3o", "5x0e + 2x1o + 2x2e + 2x3o", 3, 5, {2, 3});
}

}  // namespace
}  // namespace molgauge::ops
