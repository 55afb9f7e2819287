#include "molecules/encoding/pipeline/fine_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/tensors/ragged.h"
#include "molecules/encoding/pipeline/feature_file.h"
#include "molecules/encoding/pipeline/feature_rows.h"

namespace molgauge::pipeline {
namespace {

/// Keys that are looked up together.
constexpr std::size_t kKeysAtOnce = 1024;

struct FineFormat {
  const char* extension;
  void (*write)(const std::filesystem::path&, const io::Ragged&, const io::FillRows&);
};
constexpr std::array kFineFormats = {FineFormat{".npz", io::write_ragged_npz},
                                     FineFormat{".h5", io::write_ragged_hdf5}};

const FineFormat& fine_format_of(const std::filesystem::path& path) {
  for (const FineFormat& format : kFineFormats) {
    if (path.extension() == format.extension) {
      return format;
    }
  }
  throw UsageError(path.string() + ": cannot write features of atoms or of pairs to '" +
                   path.extension().string() + "'. Choose a name ending in .npz or .h5");
}

[[noreturn]] void refuse_absent(const std::filesystem::path& path, std::size_t record) {
  throw Error(
      fmt::format("{}: not written, because the store has no features of record {}: they were removed or "
                  "damaged in the meantime. {}",
                  path.string(), record + 1, kAdviceOnAbsentRows));
}

class FineFile {
 public:
  FineFile(const std::filesystem::path& path, const store::BlobTable& table, std::size_t width,
           const EncodeOutcome& outcome)
      : path_(path), table_(table), width_(width), keys_(outcome.keys), failed_(outcome.keys.size()) {
    outcome.failed.for_each([&](const FailedMolecule& failed) {
      failed_.at(failed.row) = true;
      return true;
    });
  }

  std::vector<std::int64_t> offsets() const {
    std::vector<std::int64_t> offsets = {0};
    offsets.reserve(keys_.size() + 1);
    for (std::size_t first = 0; first < keys_.size(); first += kKeysAtOnce) {
      const auto some = keys_.subspan(first, std::min(kKeysAtOnce, keys_.size() - first));
      const auto sizes = table_.sizes(some);
      for (std::size_t i = 0; i < some.size(); ++i) {
        const std::size_t bytes = failed_[first + i] ? 0 : rows_bytes(sizes[i], first + i);
        offsets.push_back(offsets.back() + static_cast<std::int64_t>(bytes / row_bytes()));
      }
    }
    return offsets;
  }

  void fill(const io::AppendRows& append) const {
    std::vector<float> rows;
    for (std::size_t record = 0; record < keys_.size(); ++record) {
      if (failed_[record]) {
        continue;
      }
      const auto blob = table_.read(keys_.subspan(record, 1)).front();
      if (!blob) {
        refuse_absent(path_, record);
      }
      rows.resize(blob->size() / sizeof(float));
      if (!rows.empty()) {
        std::memcpy(rows.data(), blob->data(), rows.size() * sizeof(float));
      }
      append(rows);
    }
  }

 private:
  std::size_t row_bytes() const { return width_ * sizeof(float); }

  std::size_t rows_bytes(const std::optional<std::size_t>& bytes, std::size_t record) const {
    if (!bytes || *bytes % row_bytes() != 0) {
      refuse_absent(path_, record);
    }
    return *bytes;
  }

  const std::filesystem::path& path_;
  const store::BlobTable& table_;
  std::size_t width_;
  std::span<const Hash128> keys_;
  std::vector<bool> failed_;
};

}  // namespace

void require_fine_format(const std::filesystem::path& path) { fine_format_of(path); }

std::uint64_t fine_file_bytes(std::size_t records, std::uint64_t largest) {
  // The first term is an offset and a flag for each record. The second term is the features of one molecule,
  // once as the stored value and once as numbers. The third term is a block of sizes.
  return records * (sizeof(std::int64_t) + 1) + 2 * largest + kKeysAtOnce * 2 * sizeof(std::size_t);
}

std::size_t write_fine_file(const std::filesystem::path& path, const store::BlobTable& table,
                            std::size_t width, const EncodeOutcome& outcome, CsvTexts texts,
                            const std::string& random_weights) {
  const FineFormat& format = fine_format_of(path);
  const FineFile file(path, table, width, outcome);
  const std::vector<std::int64_t> offsets = file.offsets();
  io::Ragged ragged{.columns = width, .offsets = offsets, .metadata = {}};
  if (!random_weights.empty()) {
    ragged.metadata.emplace("weights", random_weights);
  }
  write_with_failures(path, outcome.failed, texts, [&] {
    format.write(path, ragged, [&](const io::AppendRows& append) { file.fill(append); });
  });
  return static_cast<std::size_t>(offsets.back());
}

FineRows read_fine_rows(const store::BlobTable& table, std::size_t width, const EncodeOutcome& outcome) {
  const std::filesystem::path name = "features of atoms";
  const FineFile file(name, table, width, outcome);
  FineRows found{.rows = {}, .offsets = file.offsets()};
  found.rows.reserve(static_cast<std::size_t>(found.offsets.back()) * width);
  file.fill(
      [&](std::span<const float> rows) { found.rows.insert(found.rows.end(), rows.begin(), rows.end()); });
  return found;
}

}  // namespace molgauge::pipeline
