#pragma once

#include <string>

namespace molgauge {

/// Returns a text on one line that does not end a record of an SDF: without line breaks, and not with "$$$$"
/// at its start.
std::string sdf_line(std::string text);

/// Returns a data field of an SDF record. An empty value gives an empty text, because an empty line ends a
/// field. In names, "<" and ">" become "_".
std::string sdf_field(std::string name, std::string value);

}  // namespace molgauge
