#pragma once

#include <string>
#include <vector>

#include "base/io/tensors/keyed_rows.h"
#include "base/numerics/ops/array.h"
#include "base/page/page.h"
#include "molgauge/pocket_search.h"

namespace molgauge::verbs {

/// Draws pockets and the ligands of a library along the first two principal components of the ligands. If
/// `truths` has a row for the ligand of a pocket, a line connects the pocket and the ligand. Draws at most a
/// few hundred pockets and ligands.
page::Figure projection_of(const ops::Floats& pockets, const io::KeyedRows& library,
                           const std::vector<std::optional<std::size_t>>& truths, std::size_t threads);

/// The training curves of the encoder, if it is in a run folder that contains them.
std::vector<page::Figure> training_curves(const std::string& encoder_file);

}  // namespace molgauge::verbs
