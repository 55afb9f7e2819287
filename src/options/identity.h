#pragma once

#include <string>

#include "options/option.h"

/// The options that a result depends on.
namespace headroom::options {

/// The options of a part as a line of JSON, by their labels. `defaults`: options with
/// Identity::only_if_changed are left out where they have these values.
std::string identity_as_json(const View& request, const View& defaults, Part part);

/// The options of a part in the order of the rows, each as "label value", or the value alone where the label
/// is empty: "labels auto hidden 64".
std::string identity_as_text(const View& request, Part part);

/// The options of a section that memory depends on (Option::is_in_plan), in the same form.
std::string plan_as_text(const View& request, Section section);

}  // namespace headroom::options
