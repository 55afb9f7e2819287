#pragma once

#include "base/options/option.h"

namespace molgauge::test {

/// Changes an option to another value within its range and choices.
void change(const options::Option& option, const options::MutableView& request);

/// Changes other options so that `option` has an effect.
void make_effective(const options::Option& option, const options::MutableView& request);

}  // namespace molgauge::test
