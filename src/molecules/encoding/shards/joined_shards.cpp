#include "molecules/encoding/shards/joined_shards.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "base/core/error.h"
#include "base/core/files/regular_file.h"
#include "base/core/hash.h"
#include "base/core/session/cancellation.h"
#include "base/core/text/counted.h"
#include "base/core/text/hexadecimal.h"
#include "base/io/bytes/staged_file.h"
#include "base/io/tables/csv_reader.h"
#include "base/io/tables/csv_writer.h"
#include "base/io/tensors/npy_header.h"
#include "molecules/encoding/pipeline/feature_file.h"
#include "molecules/encoding/shards/shard_manifest.h"
#include "molecules/encoding/shards/shard_part.h"

namespace molgauge::pipeline {
namespace {

/// Reads the rows of a finished shard in order, as bytes of its number type. Verifies the checksum of a part
/// after its last row. Memory: a buffer of 256 KiB, or of 32 MiB divided by the number of shards if that is
/// less. The buffer holds at least one row.
class ShardRows {
 public:
  /// `manifest` must outlive the object.
  ShardRows(std::filesystem::path shard_folder, const ShardManifest& manifest);

  /// Returns the next row, valid until the next call. Throws InputError that names the part if the part is
  /// missing, if its shape or content differs from the manifest, or if there are no more rows.
  std::span<const std::byte> next();

 private:
  void open_part();
  void close_part();
  void fill();
  [[noreturn]] void refuse(const std::string& reason) const;

  std::filesystem::path folder_;
  const ShardManifest& manifest_;
  std::size_t row_bytes_, part_ = 0, rows_left_ = 0;
  std::unique_ptr<GrowingHash128> hash_;
  std::uint64_t read_to_ = 0;
  std::vector<std::byte> buffer_;
  std::size_t buffer_begin_ = 0, buffer_end_ = 0;
};

/// A failed record, as the CSV of its part describes it.
struct FailedRow {
  std::size_t row = 0;  ///< row of the whole input
  std::string line, text, reason;
};

/// The records of a finished shard that failed, in the order of their rows.
class ShardFailures {
 public:
  /// `manifest` must outlive the object.
  ShardFailures(std::filesystem::path shard_folder, const ShardManifest& manifest);

  /// Returns the next failed record, or nothing at the end. Throws InputError that names the file if it is
  /// missing or its content differs from the manifest.
  std::optional<FailedRow> next();

 private:
  std::filesystem::path folder_;
  const ShardManifest& manifest_;
  std::size_t next_part_ = 0;
  std::filesystem::path path_;
  std::unique_ptr<io::CsvReader> file_;
};

/// Bytes of the buffer of one shard, and of the buffers of all shards together.
constexpr std::size_t kBufferBytes = std::size_t{256} << 10, kAllBuffers = std::size_t{32} << 20;
constexpr const char* kMend = ". Run its shard again, which creates the part again";

const char* npy_name(io::DataType type) { return type == io::DataType::float16 ? "<f2" : "<f4"; }

ShardRows::ShardRows(std::filesystem::path shard_folder, const ShardManifest& manifest)
    : folder_(std::move(shard_folder)),
      manifest_(manifest),
      row_bytes_(manifest.work.space.width * io::element_size(manifest.work.number_type)),
      buffer_(std::max(std::min(kBufferBytes, kAllBuffers / manifest.work.shard.count) / row_bytes_,
                       std::size_t{1}) *
              row_bytes_) {}

std::span<const std::byte> ShardRows::next() {
  if (rows_left_ == 0) {
    open_part();
  }
  if (buffer_begin_ == buffer_end_) {
    fill();
  }
  const std::span<const std::byte> row = std::span(buffer_).subspan(buffer_begin_, row_bytes_);
  buffer_begin_ += row_bytes_;
  if (--rows_left_ == 0) {
    close_part();
  }
  return row;
}

void ShardRows::open_part() {
  if (part_ == manifest_.parts.size()) {
    throw InputError(manifest_path(folder_).string() + ": has fewer rows than the other shards");
  }
  const ShardPart& part = manifest_.parts[part_];
  const auto file = io::open_random_access(part_path(folder_, part_));
  const io::NpyHeader header = io::read_npy_header(*file);
  const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(part.rows),
                                           static_cast<std::int64_t>(manifest_.work.space.width)};
  if (header.description != npy_name(manifest_.work.number_type) || header.fortran_order ||
      header.shape != shape || file->size() != header.data_offset + part.rows * row_bytes_) {
    refuse("has another shape or type than stated in its manifest");
  }
  hash_ = std::make_unique<GrowingHash128>();
  hash_->append(file->read(0, header.data_offset));
  read_to_ = header.data_offset;
  rows_left_ = part.rows;
}

void ShardRows::fill() {
  buffer_begin_ = 0;
  buffer_end_ = std::min(buffer_.size(), rows_left_ * row_bytes_);
  const std::span<std::byte> target = std::span(buffer_).first(buffer_end_);
  // The file is opened for each buffer, because there may be more shards than a process may have open files.
  io::open_random_access(part_path(folder_, part_))->read(read_to_, target);
  hash_->append(target);
  read_to_ += buffer_end_;
}

void ShardRows::close_part() {
  if (to_hexadecimal(hash_->value()) != manifest_.parts[part_].checksum) {
    refuse("is damaged: its content does not match its checksum");
  }
  ++part_;
}

void ShardRows::refuse(const std::string& reason) const {
  throw InputError(part_path(folder_, part_).string() + ": " + reason + kMend);
}

ShardFailures::ShardFailures(std::filesystem::path shard_folder, const ShardManifest& manifest)
    : folder_(std::move(shard_folder)), manifest_(manifest) {}

std::optional<FailedRow> ShardFailures::next() {
  while (true) {
    if (file_) {
      if (auto row = file_->next()) {
        FailedRow failed;
        const std::string number = row->fields.size() == 4 ? row->fields[0] : "";
        const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), failed.row);
        if (number.empty() || problem != std::errc() || end != number.data() + number.size()) {
          throw InputError(path_.string() + ":" + std::to_string(row->line) +
                           ": is not a row of failed records" + kMend);
        }
        failed.line = std::move(row->fields[1]);
        failed.text = std::move(row->fields[2]);
        failed.reason = std::move(row->fields[3]);
        return failed;
      }
      file_.reset();
    }
    while (next_part_ < manifest_.parts.size() && manifest_.parts[next_part_].failed == 0) {
      ++next_part_;
    }
    if (next_part_ == manifest_.parts.size()) {
      return std::nullopt;
    }
    path_ = failures_path(part_path(folder_, next_part_));
    const std::string found = problem_of_failures(folder_, next_part_, manifest_.parts[next_part_]);
    if (!found.empty()) {
      throw InputError(found + kMend);
    }
    ++next_part_;
    require_regular_file(path_);
    file_ = std::make_unique<io::CsvReader>(path_.string(), ',');
    file_->next();  // skips the header
  }
}

/// Number of rows between two checks for a request to stop.
constexpr std::size_t kRowsAtOnce = 4096;

void write_rows(const ShardSet& set, const std::filesystem::path& out) {
  const ShardWork& work = set.shards.front().work;
  std::vector<ShardRows> shards;
  for (const ShardManifest& manifest : set.shards) {
    shards.emplace_back(shard_folder(set.folder, manifest.work.shard), manifest);
  }
  io::StagedFile file(out);
  const std::size_t rows = set.rows();
  file.append(io::format_npy_header(rows, work.space.width, work.number_type));
  for (std::size_t row = 0; row < rows; ++row) {
    if (row % kRowsAtOnce == 0) {
      throw_if_cancelled();
    }
    file.append(shards[row % shards.size()].next());
  }
  file.commit();
}

/// Writes the failures of all shards, merged in the order of their rows.
void write_failed(const ShardSet& set, const std::filesystem::path& path) {
  std::vector<ShardFailures> shards;
  std::vector<std::optional<FailedRow>> heads;
  using RowAndShard = std::pair<std::size_t, std::size_t>;
  std::priority_queue<RowAndShard, std::vector<RowAndShard>, std::greater<>> next;
  for (const ShardManifest& manifest : set.shards) {
    shards.emplace_back(shard_folder(set.folder, manifest.work.shard), manifest);
    heads.push_back(shards.back().next());
    if (heads.back()) {
      next.emplace(heads.back()->row, heads.size() - 1);
    }
  }
  io::CsvWriter file(path, {"line", "input", "reason"});
  while (!next.empty()) {
    const std::size_t shard = next.top().second;
    next.pop();
    file.append({heads[shard]->line, heads[shard]->text, heads[shard]->reason});
    heads[shard] = shards[shard].next();
    if (heads[shard]) {
      next.emplace(heads[shard]->row, shard);
    }
  }
  file.finish();
}

}  // namespace

void join_shards(const ShardSet& set, const std::filesystem::path& out) {
  if (out.extension() != ".npy") {
    throw UsageError(out.string() + ": shards are joined to a .npy file. Choose a name ending in .npy");
  }
  require_complete(set);
  if (set.rows() == set.failed()) {
    throw InputError(set.folder.string() + ": not one of " + counted(set.rows(), "record") +
                     " is a valid molecule. The reasons are in the files *.failed.csv of the shards");
  }
  const std::filesystem::path failures = failures_path(out);
  if (set.failed() > 0) {
    write_failed(set, failures);
  }
  write_rows(set, out);
  if (set.failed() == 0) {
    std::error_code failure;
    std::filesystem::remove(failures, failure);
    if (failure) {
      throw system_error(failures.string(), "remove", failure.value());
    }
  }
}

}  // namespace molgauge::pipeline
