#pragma once

#include <nlohmann/json.hpp>

#include "molgauge/validation_test_gap.h"

namespace molgauge::ood {

inline constexpr const char* kGapKey = "validation_test_gap";

/// An object with the fields of the gap and the difference. Unknown numbers are null.
nlohmann::ordered_json gap_json(const ValidationTestGap& gap);

}  // namespace molgauge::ood
