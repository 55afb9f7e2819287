#pragma once

#include "options/option.h"

namespace headroom::test {

/// Gives an option another value than it has, one that its range and its choices allow.
void change(const options::Option& option, const options::MutableView& request);

/// Gives the options that decide whether `option` has an effect a value with which it has one.
void make_effective(const options::Option& option, const options::MutableView& request);

}  // namespace headroom::test
