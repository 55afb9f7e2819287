#include "blobs.h"

#include <gtest/gtest.h>

#include "rows.h"

namespace molgauge::store::test {

BlobSpace blob_space(const std::string& options) { return {.kind = "conformers", .options = options}; }

Blob blob_of(std::size_t molecule, std::size_t version) {
  Blob blob((molecule * 7919 + version * 13) % 9001);
  for (std::size_t i = 0; i < blob.size(); ++i) {
    blob[i] = static_cast<std::byte>((i * (molecule + 3) + version) % 251);
  }
  return blob;
}

void write_blobs(const BlobTable& table, std::size_t first, std::size_t count, std::size_t version) {
  std::vector<Blob> blobs;
  for (std::size_t i = 0; i < count; ++i) {
    blobs.push_back(blob_of(first + i, version));
  }
  table.write(keys_of(first, count), blobs);
}

std::size_t count_right_blobs(const BlobTable& table, std::size_t first, std::size_t count,
                              std::size_t version) {
  const auto found = table.read(keys_of(first, count));
  std::size_t right = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (found[i]) {
      EXPECT_EQ(*found[i], blob_of(first + i, version)) << "molecule " << first + i << " has another value";
      ++right;
    }
  }
  return right;
}

}  // namespace molgauge::store::test
