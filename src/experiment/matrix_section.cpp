#include <fmt/format.h>

#include "experiment/spec_sections.h"

namespace headroom::experiment {
namespace {

std::vector<std::uint64_t> read_seeds(TomlTable& table, const char* key,
                                      const std::vector<std::uint64_t>& otherwise) {
  std::vector<std::uint64_t> seeds;
  for (const auto& value : table.distinct_values(key)) {
    const auto* const seed = std::get_if<std::int64_t>(&value);
    if (seed == nullptr || *seed < 0) {
      table.refuse_key(key, fmt::format("'{}' holds {}, which is no seed", key, to_text(value)));
    }
    seeds.push_back(static_cast<std::uint64_t>(*seed));
  }
  return seeds.empty() ? otherwise : seeds;
}

}  // namespace

void read_matrix(TomlTable& table, Spec& spec) {
  spec.encoders_line = table.line_of_key("encoders");
  for (const auto& encoder : table.distinct_values("encoders")) {
    spec.encoders.push_back(to_text(encoder));
  }
  spec.seeds = read_seeds(table, "seeds", spec.seeds);
  spec.data_seeds = read_seeds(table, "data-seeds", spec.data_seeds);
  spec.dataset_type = table.find<std::string>("dataset-type").value_or(spec.dataset_type);
  spec.train_size = table.find_count("train-size");
  spec.val_size = table.find_count("val-size");
  spec.test_size = table.find_count("test-size");
  table.require_nothing_else("encoders, seeds, data-seeds, dataset-type, train-size, val-size, test-size");
}

}  // namespace headroom::experiment
