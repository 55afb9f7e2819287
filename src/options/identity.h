#pragma once

#include <string>

#include "options/option.h"

/// Texts that identify the options a result depends on.
namespace headroom::options {

/// The options of a part as a line of JSON with their labels as keys. An option with
/// Identity::only_if_changed is left out if it has the value in `defaults`.
std::string identity_as_json(const View& request, const View& defaults, Part part);

/// The options of a part in the order of the rows, each as "label value", or only the value if the label is
/// empty: "labels auto hidden 64".
std::string identity_as_text(const View& request, Part part);

/// The options of a section that affect memory (Option::is_in_plan), in the form of identity_as_text().
std::string plan_as_text(const View& request, Section section);

}  // namespace headroom::options
