#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/options/settings.h"
#include "base/options/tables.h"
#include "molecules/experiments/specification/spec_sections.h"

namespace molgauge::experiment {
namespace {

std::vector<std::uint64_t> read_seeds(TomlTable& table, const char* key,
                                      const std::vector<std::uint64_t>& otherwise) {
  std::vector<std::uint64_t> seeds;
  for (const auto& value : table.distinct_values(key)) {
    const auto* const seed = std::get_if<std::int64_t>(&value);
    if (seed == nullptr || *seed < 0) {
      table.refuse_key(key, fmt::format("'{}' holds {}, which is not a seed", key, options::to_text(value)));
    }
    seeds.push_back(static_cast<std::uint64_t>(*seed));
  }
  return seeds.empty() ? otherwise : seeds;
}

}  // namespace

void read_matrix(TomlTable& table, Spec& spec) {
  spec.encoders_line = table.line_of_key("encoders");
  for (const auto& encoder : table.distinct_values("encoders")) {
    spec.encoders.push_back(options::to_text(encoder));
  }
  spec.seeds = read_seeds(table, "seeds", spec.seeds);
  spec.data_seeds = read_seeds(table, "data-seeds", spec.data_seeds);
  const auto draw = options::mutable_view(spec.draw);
  read_section(table, draw, options::Section::matrix);
  table.require_nothing_else(fmt::format("encoders, seeds, data-seeds, {}",
                                         fmt::join(keys_of(draw.options, options::Section::matrix), ", ")));
}

}  // namespace molgauge::experiment
