#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace headroom::domain {

/// How many of n training molecules are held out for the calibration: a fifth, but as many as a p-value of
/// `level` needs, and at most 5,000. Throws InputError where that leaves no more than it takes.
std::size_t held_out_count(std::size_t molecules, double level);

/// `count` of `molecules`, drawn at random: element i tells whether molecule i is held out.
std::vector<bool> draw_held_out(std::size_t molecules, std::size_t count, std::uint64_t seed);

/// Whole scaffolds, drawn at random until about `count` molecules are held out; a scaffold of more molecules
/// than that is never drawn. None where less than two scaffolds are left to compare.
std::vector<bool> draw_scaffolds(const std::vector<std::string>& scaffolds, std::size_t count,
                                 std::uint64_t seed);

/// The fold, 0 to folds - 1, of each molecule; molecules of one scaffold share theirs. Scaffolds are taken
/// from the largest on, ties at random, each into the fold with the fewest molecules.
std::vector<std::size_t> scaffold_folds(const std::vector<std::string>& scaffolds, std::size_t folds,
                                        std::uint64_t seed);

}  // namespace headroom::domain
