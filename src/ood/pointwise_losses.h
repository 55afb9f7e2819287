#pragma once

#include "ood/loss_term.h"

namespace headroom::ood {

/// Binary cross-entropy with logits over the n + m samples, target 0 for ID and 1 for OOD: the larger group
/// weighs more.
LossTerm bce_loss(std::span<const float> id, std::span<const float> ood);

/// mean(sigmoid(a)^2) + mean((1 - sigmoid(b))^2): both groups weigh the same.
LossTerm mse_loss(std::span<const float> id, std::span<const float> ood);

}  // namespace headroom::ood
