#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace headroom::domain {

/// The largest number of held-out molecules.
inline constexpr std::size_t kMaxHeldOut = 5000;

/// The default levels of the verdicts `outside` and `borderline` (judge.h).
inline constexpr double kDefaultOutsideLevel = 0.01, kDefaultBorderlineLevel = 0.05;

/// The number of training molecules that are held out for the calibration: a fifth of them, at most 5,000. If
/// a p-value of `level` needs more held-out molecules (1 / level - 1), up to a third are held out. At least
/// 19 are held out, because a p-value of 0.05 needs 19. If there are fewer than 38 molecules, throws
/// InputError with their number.
std::size_t held_out_count(std::size_t molecules, double level);

/// Draws `count` of `molecules` molecules at random. Element i of the result tells whether molecule i is held
/// out.
std::vector<bool> draw_held_out(std::size_t molecules, std::size_t count, std::uint64_t seed);

/// The fewest scaffolds that are held out. The molecules of one scaffold are similar, so fewer scaffolds give
/// little information about new scaffolds.
inline constexpr std::size_t kMinHeldOutScaffolds = 10;

/// Draws whole scaffolds at random until about `count` molecules are held out. Element i of the result tells
/// whether molecule i is held out. Never draws a scaffold with more than `count` molecules. Draws nothing if
/// fewer than kMinHeldOutScaffolds would be drawn, or if no molecule would be left.
std::vector<bool> draw_scaffolds(const std::vector<std::string>& scaffolds, std::size_t count,
                                 std::uint64_t seed);

/// Counts of the scaffolds that draw_scaffolds() draws. Molecules without rings count as one scaffold.
struct DrawnScaffolds {
  std::size_t scaffolds = 0;
  std::size_t largest = 0;  ///< number of molecules of the largest drawn scaffold
};
DrawnScaffolds count_drawn_scaffolds(const std::vector<std::string>& scaffolds, std::size_t count,
                                     std::uint64_t seed);

/// The fold, 0 to folds - 1, of each molecule. Molecules of one scaffold have the same fold. Scaffolds are
/// assigned in descending order of size. Scaffolds of equal size are assigned in random order. Each scaffold
/// goes to the fold with the fewest molecules.
std::vector<std::size_t> scaffold_folds(const std::vector<std::string>& scaffolds, std::size_t folds,
                                        std::uint64_t seed);

}  // namespace headroom::domain
