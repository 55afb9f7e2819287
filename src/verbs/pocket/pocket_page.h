#pragma once

#include <string>
#include <vector>

#include "data/io/tensors/keyed_rows.h"
#include "headroom/pocket_search.h"
#include "numerics/ops/array.h"
#include "pages/toolkit/page.h"

namespace headroom::session {

/// Pockets and the ligands of a library in the two directions in which the ligands vary most; a line joins a
/// pocket to its own ligand where `truths` names its row. At most some hundreds of each are drawn.
page::Figure projection_of(const ops::Floats& pockets, const io::KeyedRows& library,
                           const std::vector<std::optional<std::size_t>>& truths, std::size_t threads);

/// The curves of the encoder's training, where the encoder lies in a run folder that has them.
std::vector<page::Figure> training_curves(const std::string& encoder_file);

}  // namespace headroom::session
