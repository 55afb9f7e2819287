#include "molecules/ood/losses/loss.h"

#include <cmath>

#include "base/core/error.h"
#include "molecules/ood/losses/loss_terms.h"

namespace molgauge::ood {
namespace {

void require_energies(std::span<const float> energies, const char* group) {
  if (energies.empty()) {
    throw Error(std::string("the loss needs at least one ") + group + " energy");
  }
  for (const float energy : energies) {
    if (!std::isfinite(energy)) {
      throw Error(std::string("training diverged: an ") + group +
                  " energy is not finite. Lower the learning rate (--lr), or the maximum gradient norm "
                  "(--grad-clip)");
    }
  }
}

LossTerm objective(std::span<const float> id, std::span<const float> ood, const LossOptions& options,
                   std::size_t threads) {
  switch (options.kind) {
    case Loss::dpo:
      return dpo_loss(id, ood, options.dpo_beta, threads);
    case Loss::bce:
      return bce_loss(id, ood);
    case Loss::mse:
      return mse_loss(id, ood);
    case Loss::hinge:
      break;
  }
  return hinge_loss(id, ood, {options.hinge_margin, options.hinge_topk, options.hinge_squared});
}

/// Adds the gradient of lambda * mean(e^2), and returns the penalty.
double add_penalty(std::span<const float> energies, double lambda, std::span<const double> term,
                   std::vector<float>& gradient) {
  const double weight = lambda / static_cast<double>(energies.size());
  double penalty = 0;
  gradient.resize(energies.size());
  for (std::size_t i = 0; i < energies.size(); ++i) {
    const double energy = energies[i];
    penalty += weight * energy * energy;
    gradient[i] = static_cast<float>(term[i] + 2 * weight * energy);
  }
  return penalty;
}

}  // namespace

LossValue energy_loss(std::span<const float> id, std::span<const float> ood, const LossOptions& options,
                      std::size_t threads) {
  require_energies(id, "ID");
  require_energies(ood, "OOD");
  const LossTerm term = objective(id, ood, options, threads);
  LossValue value;
  value.objective = term.value;
  value.total = term.value + add_penalty(id, options.lambda_reg, term.id_gradient, value.id_gradient) +
                add_penalty(ood, options.lambda_reg, term.ood_gradient, value.ood_gradient);
  value.id_energy = mean(id);
  value.ood_energy = mean(ood);
  if (options.kind == Loss::dpo) {
    value.pairs = pair_statistics(id, ood);
  }
  return value;
}

}  // namespace molgauge::ood
