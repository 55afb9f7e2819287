#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "io/tensor_data.h"

namespace headroom::test {

/// The lines of a CSV file without quotes, header included, cut at commas.
std::vector<std::vector<std::string>> read_plain_csv(const std::filesystem::path& path);

/// A fixture's array of row numbers.
std::vector<std::size_t> to_rows(const io::TensorData& tensor);

}  // namespace headroom::test
