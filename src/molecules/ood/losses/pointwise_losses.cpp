#include <algorithm>
#include <cmath>

#include "molecules/ood/losses/loss_terms.h"

namespace molgauge::ood {
namespace {

double sigmoid(double x) {
  const double decay = std::exp(-std::abs(x));
  return (x >= 0 ? 1.0 : decay) / (1.0 + decay);
}

/// Adds weight * f(e) to the value and weight * f'(e) to the gradient, for every energy.
template <typename Function>
std::vector<double> add_group(std::span<const float> energies, double weight, double& value,
                              Function function) {
  std::vector<double> gradient(energies.size());
  for (std::size_t i = 0; i < energies.size(); ++i) {
    const auto [sample, slope] = function(static_cast<double>(energies[i]));
    value += weight * sample;
    gradient[i] = weight * slope;
  }
  return gradient;
}

struct Sample {
  double value, slope;
};

}  // namespace

LossTerm bce_loss(std::span<const float> id, std::span<const float> ood) {
  LossTerm term;
  const double weight = 1.0 / static_cast<double>(id.size() + ood.size());
  term.id_gradient = add_group(id, weight, term.value, [](double a) {
    return Sample{softplus(a), sigmoid(a)};
  });
  term.ood_gradient = add_group(ood, weight, term.value, [](double b) {
    return Sample{softplus(-b), -sigmoid(-b)};
  });
  return term;
}

LossTerm mse_loss(std::span<const float> id, std::span<const float> ood) {
  LossTerm term;
  // sigmoid' = s (1 - s). The code uses sigmoid(-b) for 1 - sigmoid(b), because the difference would suffer
  // from cancellation.
  term.id_gradient = add_group(id, 1.0 / static_cast<double>(id.size()), term.value, [](double a) {
    const double miss = sigmoid(a);
    return Sample{miss * miss, 2 * miss * miss * sigmoid(-a)};
  });
  term.ood_gradient = add_group(ood, 1.0 / static_cast<double>(ood.size()), term.value, [](double b) {
    const double miss = sigmoid(-b);
    return Sample{miss * miss, -2 * miss * miss * sigmoid(b)};
  });
  return term;
}

}  // namespace molgauge::ood
