#include "molecules/verbs/describe/property_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/threads/worker_group.h"
#include "molecules/chem/perception.h"
#include "molecules/chem/properties.h"

namespace molgauge::verbs {

std::vector<std::string> property_names() {
  std::vector<std::string> names;
  for (const PropertyColumn& column : kPropertyColumns) {
    names.emplace_back(column.name);
  }
  return names;
}

std::string property_text(const PropertyColumn& column, const MoleculeProperties& properties) {
  return column.number != nullptr  ? fmt::format("{}", properties.*column.number)
         : column.count != nullptr ? fmt::format("{}", properties.*column.count)
                                   : fmt::format("{}", fmt::join(properties.*column.alerts, "; "));
}

void append_property_cells(const OptionalProperties& properties, std::vector<std::string>& cells) {
  for (const PropertyColumn& column : kPropertyColumns) {
    cells.push_back(properties ? property_text(column, *properties) : "");
  }
}

std::vector<OptionalProperties> properties_of_all(
    std::size_t count, std::size_t threads,
    const std::function<const chem::MoleculeRecord&(std::size_t)>& record) {
  std::vector<OptionalProperties> all(count);
  parallel_for(count, threads, [&](std::size_t i) {
    try {
      all[i] = chem::properties_of(record(i));
    } catch (const chem::InvalidMolecule&) {
      // The verb reports the reason, because it reads the same record.
    }
  });
  return all;
}

std::uint64_t bytes_of_properties(bool describes, std::size_t threads) {
  return describes ? threads * std::uint64_t{chem::pattern_bytes()} : 0;
}

}  // namespace molgauge::verbs
