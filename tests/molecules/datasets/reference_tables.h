#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/io/tensors/tensor_data.h"

namespace molgauge::test {

/// The lines of a CSV file without quotes, including the header, split at commas.
std::vector<std::vector<std::string>> read_plain_csv(const std::filesystem::path& path);

/// Finds the seed of the Python generator from which a fixture was drawn. It is the seed for which `holds`
/// returns true. The fixtures do not contain it. Tries the seeds in the README first, then all seeds below
/// 100,000. Throws std::runtime_error if `holds` is false for all of them.
std::uint64_t find_seed(const std::function<bool(std::uint64_t)>& holds);

/// An array of row numbers in a fixture.
std::vector<std::size_t> to_rows(const io::TensorData& tensor);

}  // namespace molgauge::test
