#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "molecules/judging/predictions/prediction_calibration.h"
#include "molecules/judging/reference.h"

namespace molgauge::domain {

/// Molecules of `kinds` kinds from one distribution. Each kind has a centre in feature space and separate
/// environments.
Molecules made_up_molecules(std::size_t count, std::mt19937& random, std::size_t kinds = 20,
                            std::size_t width = 16);

/// Molecules of another kind. They are as far from the molecules of made_up_molecules() as the kinds of those
/// molecules are from each other. They have separate environments.
Molecules foreign_molecules(std::size_t count, std::mt19937& random, std::size_t width = 16);

/// Scaffold names such as "kind 3". Molecule i has the kind i % kinds.
std::vector<std::string> made_up_scaffolds(std::size_t count, std::size_t kinds = 20);

/// A calibration with a coverage of 0.8. The errors do not depend on the distance.
std::shared_ptr<const PredictionCalibration> made_up_predictions();

}  // namespace molgauge::domain
