#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/tensors/tensor_data.h"

namespace headroom::test {

/// The lines of a CSV file without quotes, header included, cut at commas.
std::vector<std::vector<std::string>> read_plain_csv(const std::filesystem::path& path);

/// N of the first "random.seed(N)" in a section of the README of data/ood, which is where the fixtures say
/// how they were drawn. `section`: its heading begins so, as "## 9.".
std::uint64_t reference_seed(const std::string& section);

/// A fixture's array of row numbers.
std::vector<std::size_t> to_rows(const io::TensorData& tensor);

}  // namespace headroom::test
