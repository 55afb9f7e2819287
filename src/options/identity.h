#pragma once

#include <string>

#include "options/option.h"

/// What a result depends on, of what was asked for.
namespace headroom::options {

/// The options of a part as a line of JSON, by their labels. `defaults`: the values that are left out where
/// Identity::only_if_changed asks for that.
std::string identity_as_json(const View& request, const View& defaults, Part part);

/// The options of a part in the order of the rows, each as "label value", or the value alone where the label
/// is empty: "labels auto hidden 64".
std::string identity_as_text(const View& request, Part part);

}  // namespace headroom::options
