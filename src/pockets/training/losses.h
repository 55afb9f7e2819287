#pragma once

#include <cstddef>
#include <cstdint>

#include "base/numerics/ops/array.h"
#include "molgauge/choices.h"

/// Losses that compare the rows of pockets with the rows of their ligands.
namespace molgauge::pocket {

struct LossOptions {
  PocketLoss kind = PocketLoss::cosine;
  double cosine_weight = 0.7, mse_weight = 0.3;  ///< weights of cosine_mse
  double temperature = 0.07;                     ///< temperature of infonce
};

struct LossValue {
  double loss = 0;
  double cosine = 0;  ///< mean cosine of a row and its target
  double mse = 0;     ///< mean square difference
  /// For infonce: share of rows whose nearest target is their own target, or an identical target.
  double accuracy = 0;
};

/// Computes the loss of predicted rows [n, d] and their targets [n, d] in float64. If `gradient` [n, d] is
/// not null, it receives the gradient with respect to the predictions.
///
/// The loss infonce (van den Oord et al. 2018, arXiv:1807.03748) uses the logits cosine / temperature. It is
/// the mean of the cross entropies over the rows and over the columns of the logits. It is zero for a single
/// row. As in the Python project, identical targets of different rows count as different targets.
LossValue row_loss(const LossOptions& options, const ops::Floats& predicted, const ops::Floats& targets,
                   float* gradient);

/// Computes the loss of all pockets of a validation part. `predicted` and `targets` are [n, d].
///
/// mse, cosine, cosine_mse: row_loss() over all rows, in which all pockets have equal weight.
///
/// infonce: each pocket is compared with all L different ligands of the part, and each ligand with all
/// pockets. Targets that point in the same direction are one ligand, and never count as wrong answers for
/// each other. Loss and accuracy are averaged first over the pockets of a ligand, then over the ligands. When
/// a ligand is compared with all pockets, the softmax terms of the pockets of each other ligand are averaged
/// first.
///
/// As a result, an encoder that gives all pockets the same row has a loss of at least log L (Jensen's
/// inequality). An encoder that gives each pocket the row of its ligand has a loss below log L. Both
/// statements hold for any ligands and any numbers of pockets. If the part has a single ligand, the loss is
/// 1 - mean cosine.
LossValue part_loss(const LossOptions& options, const ops::Floats& predicted, const ops::Floats& targets);

/// The number of different ligands that part_loss() finds among targets [n, d].
std::size_t count_ligands(const ops::Floats& targets);

/// The validation loss of the Python project: the mean of row_loss() over consecutive batches of `batch_size`
/// rows. A short last batch has the same weight as the others.
double mean_batch_loss(const LossOptions& options, const ops::Floats& predicted, const ops::Floats& targets,
                       std::size_t batch_size);

}  // namespace molgauge::pocket
