#pragma once

#include <array>
#include <string_view>

#include "molgauge/choices.h"

namespace molgauge {

/// What to do with the prediction for a candidate. Without predictions: whether to use a model for it.
enum class Decision { use, check, drop };
template <>
inline constexpr std::array<std::string_view, 3> kWords<Decision> = {"use", "check", "drop"};

}  // namespace molgauge
