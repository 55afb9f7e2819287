#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace molgauge::domain {

/// Returns the fold, 0 to folds - 1, of each molecule. Molecules of one scaffold have the same fold.
/// Scaffolds are assigned in descending order of size, and scaffolds of equal size in the order of a hash of
/// their text. Each scaffold goes to the fold with the fewest molecules. The fold of a scaffold depends
/// neither on the order of the molecules nor on a seed.
std::vector<std::size_t> scaffold_folds(const std::vector<std::string>& scaffolds, std::size_t folds);

}  // namespace molgauge::domain
