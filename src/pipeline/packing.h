#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "chem/record.h"

namespace headroom::pipeline {

/// Roughly the atoms of a record, from the look of its text alone: what a record that nobody has read yet
/// will cost. Never 0.
std::size_t estimate_atoms(const chem::MoleculeRecord& record);

/// Packs items into batches of at most `limit` atoms; a larger item is a batch of its own. Items of similar
/// size share a batch: largest first, equal ones in their order, so that the result is always the same.
/// `atoms[i]` is the size of item i; the result holds every i once.
std::vector<std::vector<std::size_t>> pack_batches(std::span<const std::size_t> atoms, std::size_t limit);

}  // namespace headroom::pipeline
