#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "models/domain/reference.h"

namespace headroom::domain {

/// Molecules of `kinds` kinds, all drawn from one distribution: a kind has a place among the features and
/// environments of its own.
Molecules made_up_molecules(std::size_t count, std::mt19937& random, std::size_t kinds = 20,
                            std::size_t width = 16);

/// As far away as the others are apart, with environments of their own.
Molecules foreign_molecules(std::size_t count, std::mt19937& random, std::size_t width = 16);

/// "kind 3" and so on, as if kinds were scaffolds: of molecule i that of i % kinds.
std::vector<std::string> made_up_scaffolds(std::size_t count, std::size_t kinds = 20);

}  // namespace headroom::domain
