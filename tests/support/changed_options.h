#pragma once

#include "options/option.h"

namespace headroom::test {

/// Changes an option to another value that its range and its choices allow.
void change(const options::Option& option, const options::MutableView& request);

/// Changes the options that decide whether `option` has an effect, so that it has one.
void make_effective(const options::Option& option, const options::MutableView& request);

}  // namespace headroom::test
