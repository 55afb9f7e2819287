#pragma once

#include <optional>
#include <string>

namespace molgauge::chem {

/// The reason why a text that is not a SMILES names a molecule and does not describe its structure: a name, a
/// CAS number or an InChIKey. Returns nothing for other texts.
std::optional<std::string> kind_of_identifier(const std::string& text);

}  // namespace molgauge::chem
