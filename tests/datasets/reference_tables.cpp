#include "reference_tables.h"

#include <fstream>
#include <stdexcept>

#include "core/atomic_file.h"
#include "support/fixtures.h"

namespace headroom::test {

std::vector<std::vector<std::string>> read_plain_csv(const std::filesystem::path& path) {
  std::vector<std::vector<std::string>> lines;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    auto& fields = lines.emplace_back(1);
    for (const char character : line) {
      if (character == ',') {
        fields.emplace_back();
      } else {
        fields.back() += character;
      }
    }
  }
  return lines;
}

std::uint64_t reference_seed(const std::string& section) {
  const std::string readme = read_file(reference_data("ood/README.md"));
  const std::size_t begin = readme.find(section);
  if (begin == std::string::npos) {
    throw std::runtime_error("the fixtures' README has no section " + section);
  }
  return number_after("random.seed(", readme.substr(begin));
}

std::vector<std::size_t> to_rows(const io::TensorData& tensor) {
  std::vector<std::size_t> rows;
  for (const float number : tensor.to_float32()) {
    rows.push_back(static_cast<std::size_t>(number));
  }
  return rows;
}

}  // namespace headroom::test
