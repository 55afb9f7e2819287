#pragma once

#include <nlohmann/json.hpp>

#include "headroom/validation_test_gap.h"

namespace headroom::ood {

inline constexpr const char* kGapKey = "validation_test_gap";

/// An object with the fields of the gap and the difference. Unknown numbers are null.
nlohmann::ordered_json gap_json(const ValidationTestGap& gap);

}  // namespace headroom::ood
