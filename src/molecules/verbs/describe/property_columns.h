#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "molecules/chem/record.h"
#include "molgauge/properties.h"

/// The columns of the option `describe`.
namespace molgauge::verbs {

/// No properties if the record is not a molecule.
using OptionalProperties = std::optional<MoleculeProperties>;

/// Returns the names of the columns.
std::vector<std::string> property_names();
/// Adds the cells of a molecule. They are empty without properties, and an integer or the shortest text of a
/// number otherwise.
void append_property_cells(const OptionalProperties& properties, std::vector<std::string>& cells);
/// Returns the text of a property.
std::string property_text(const PropertyColumn& column, const MoleculeProperties& properties);

/// Computes the properties of `count` records on `threads` threads. `record`: returns record i.
std::vector<OptionalProperties> properties_of_all(
    std::size_t count, std::size_t threads,
    const std::function<const chem::MoleculeRecord&(std::size_t)>& record);

/// Bytes of the patterns while `threads` threads compute properties. 0 unless `describes` is set.
std::uint64_t bytes_of_properties(bool describes, std::size_t threads);

}  // namespace molgauge::verbs
