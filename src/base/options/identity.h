#pragma once

#include <string>

#include "base/options/option.h"

/// Texts that identify the values of the options on which a result depends.
namespace molgauge::options {

/// Returns the options of a part as one line of JSON. The keys are the labels of the options.
std::string identity_as_json(const View& request, Part part);

/// Returns the options of a part in the order of the rows, for example "labels auto hidden 64". Each option
/// is written as "label value", or as the value alone if its label is empty.
std::string identity_as_text(const View& request, Part part);

/// Returns the options of a section that affect memory (Option::is_in_plan), in the form of
/// identity_as_text().
std::string plan_as_text(const View& request, Section section);

}  // namespace molgauge::options
