#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/array.h"

/// How far the rows that an encoder makes of pockets lie from those of their ligands.
namespace headroom::pocket {

enum class LossKind {
  mse,         ///< mean square of all differences
  cosine,      ///< mean over rows of 1 - cosine
  cosine_mse,  ///< both, weighted
  infonce,     ///< each row must find its own target among those of the batch, and each target its row
};

struct LossOptions {
  LossKind kind = LossKind::cosine;
  double cosine_weight = 0.7, mse_weight = 0.3;  ///< of cosine_mse
  double temperature = 0.07;                     ///< of infonce
};

struct LossValue {
  double loss = 0;
  double cosine = 0;    ///< mean cosine of a row and its target
  double mse = 0;       ///< mean square difference
  double accuracy = 0;  ///< infonce: share of rows whose nearest target of the batch is their own
};

/// The loss of predicted rows [n, d] against their targets [n, d], in float64. `gradient` [n, d] becomes the
/// gradient in the predictions, unless it is nullptr. infonce (van den Oord et al. 2018, arXiv:1807.03748):
/// the mean of the cross entropies of the rows and of the columns of cosines / temperature; that of one row
/// is 0.
LossValue row_loss(const LossOptions& options, const ops::Floats& predicted, const ops::Floats& targets,
                   float* gradient);

}  // namespace headroom::pocket
